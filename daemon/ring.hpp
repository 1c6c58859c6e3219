#pragma once
// The bytes of a stream, the newest few MiB of them: whatever span of it is still there lies in one
// piece, because the same memory is mapped twice in a row. Offsets count from the stream's first
// byte and never wrap. Owned by the feed, io thread.
#include <cstddef>
#include <cstdint>
#include <string_view>

namespace xq::daemon {

class Ring {
public:
    /// `size` is a power of two and a multiple of the page size. Throws std::system_error where the
    /// memory cannot be had.
    explicit Ring(std::size_t size);
    Ring(const Ring&) = delete;
    Ring& operator=(const Ring&) = delete;
    ~Ring();

    /// Puts the bytes, at most `size()` of them, behind what there is; the oldest make room.
    void append(std::string_view bytes);
    /// The bytes from offset `from` (between `tail` and `head`) on.
    std::string_view from(std::uint64_t from) const;

    std::uint64_t head() const { return head_; }  ///< one behind the newest byte
    std::uint64_t tail() const { return head_ > size_ ? head_ - size_ : 0; }
    std::size_t size() const { return size_; }

private:
    std::size_t size_;
    char* memory_;
    std::uint64_t head_ = 0;
};

}  // namespace xq::daemon
