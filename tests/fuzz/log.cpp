// Fuzzes sensor logs and journals, line by line: what is understood must be written as a line that
// reads the same, time must never fall, and a fault must name its place.
#include "protocol/sensor_log.hpp"

#include <cstdlib>

namespace {

void require(bool holds) {
    if (!holds) std::abort();
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    using namespace xq::protocol;
    std::string_view text(reinterpret_cast<const char*>(data), size);
    LogReader reader;
    Millis last = 0;
    while (!text.empty()) {
        const std::size_t end = std::min(text.find('\n'), text.size());
        const std::string_view line = text.substr(0, end);
        text.remove_prefix(std::min(end + 1, text.size()));
        const auto read = reader.next(line);
        if (!read) {
            require(read.error().at <= line.size() && read.error().what.starts_with("line "));
            continue;
        }
        if (!*read) continue;
        require((*read)->t >= last);
        last = (*read)->t;
        if (std::holds_alternative<event::Restart>((*read)->event)) continue;
        const std::string written = write_log_line(**read);
        const auto again = read_log_line(written);
        require(again.has_value() && std::get<Timed>(*again) == **read);
        require(checked(with_checksum(written)) == written);
    }
    LogHeader copy;
    for (const std::string& line : write_header(reader.header())) {
        read_header(std::string_view(line).substr(2), copy);
    }
    require(copy == reader.header());
    return 0;
}
