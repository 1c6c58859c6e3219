#include "daemon/ring.hpp"

#include <sys/mman.h>
#include <unistd.h>
#include <cerrno>
#include <cstring>
#include <system_error>

namespace xq::daemon {

namespace {

[[noreturn]] void fail() {
    throw std::system_error(errno, std::generic_category(), "the broadcast's memory");
}

}  // namespace

Ring::Ring(std::size_t size) : size_(size) {
    const int fd = memfd_create("xiangqid-ring", MFD_CLOEXEC);
    if (fd < 0 || ftruncate(fd, static_cast<off_t>(size)) != 0) fail();
    void* const place = mmap(nullptr, 2 * size, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    if (place == MAP_FAILED) fail();
    memory_ = static_cast<char*>(place);
    for (char* half : {memory_, memory_ + size}) {
        if (mmap(half, size, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_FIXED, fd, 0) == MAP_FAILED) {
            fail();
        }
    }
    close(fd);
}

Ring::~Ring() {
    munmap(memory_, 2 * size_);
}

void Ring::append(std::string_view bytes) {
    std::memcpy(memory_ + head_ % size_, bytes.data(), bytes.size());
    head_ += bytes.size();
}

std::string_view Ring::from(std::uint64_t from) const {
    return {memory_ + from % size_, static_cast<std::size_t>(head_ - from)};
}

}  // namespace xq::daemon
