#include "daemon/client_input.hpp"

#include <boost/json/parse.hpp>
#include <charconv>

namespace xq::daemon {

namespace {

std::optional<std::uint64_t> number(std::string_view digits) {
    std::uint64_t value = 0;
    const auto [end, error] = std::from_chars(digits.data(), digits.data() + digits.size(), value);
    if (error != std::errc{} || end != digits.data() + digits.size()) return {};
    return value;
}

/// Takes a complete line from the front of `bytes`; nothing while it is unfinished.
std::optional<Heard> take_line(std::string_view& bytes) {
    const auto end = bytes.find('\n');
    if (std::min(end, bytes.size()) > longest_input) return Heard{Heard::Kind::End, {}};
    if (end == std::string_view::npos) return {};
    Heard heard{Heard::Kind::Line, std::string(bytes.substr(0, end))};
    bytes.remove_prefix(end + 1);
    return heard;
}

/// Takes a complete frame (RFC 6455, chapter 5) from the front of `bytes`; nothing while it is
/// unfinished.
std::optional<Heard> take_frame(std::string_view& bytes) {
    constexpr unsigned continuation = 0, text = 1, binary = 2, close = 8, ping = 9, pong = 10;
    const auto byte = [&](std::size_t i) { return static_cast<unsigned char>(bytes[i]); };
    if (bytes.size() < 2) return {};
    const bool final = (byte(0) & 0x80U) != 0;
    const unsigned reserved = byte(0) & 0x70U;
    const unsigned opcode = byte(0) & 0x0FU;
    const bool masked = (byte(1) & 0x80U) != 0;
    std::size_t size = byte(1) & 0x7FU;
    const bool control = opcode >= close;
    const Heard end{Heard::Kind::End, {}};
    // A client masks every frame; control frames are short and whole; no extension was agreed on.
    if (!masked || reserved != 0 || (control && (!final || size > 125)) || size == 127) return end;
    std::size_t header = 2;
    if (size == 126) {
        header = 4;
        if (bytes.size() < header) return {};
        size = static_cast<std::size_t>(byte(2)) << 8U | byte(3);
    }
    if (size > longest_input) return end;
    constexpr std::size_t mask_size = 4;
    if (bytes.size() < header + mask_size + size) return {};
    const std::string_view mask = bytes.substr(header, mask_size);
    std::string payload(bytes.substr(header + mask_size, size));
    for (std::size_t i = 0; i < size; ++i) {
        payload[i] = static_cast<char>(payload[i] ^ mask[i % mask_size]);
    }
    bytes.remove_prefix(header + mask_size + size);
    switch (opcode) {
        case text:
            if (final) return Heard{Heard::Kind::Line, std::move(payload)};
            return Heard{Heard::Kind::Ignored, {}};
        case ping:
            return Heard{Heard::Kind::Ping, std::move(payload)};
        case continuation:
        case binary:
        case pong:
            return Heard{Heard::Kind::Ignored, {}};
        default:
            return end;
    }
}

}  // namespace

std::optional<Resume> read_resume(std::string_view line) {
    boost::system::error_code error;
    const auto value = boost::json::parse(line, error);
    if (error || !value.is_object()) return {};
    const auto member = [&](std::string_view name) -> std::optional<std::uint64_t> {
        const auto* const found = value.get_object().if_contains(name);
        if (found == nullptr) return {};
        if (const auto* const n = found->if_uint64()) return *n;
        const auto* const n = found->if_int64();
        return n != nullptr && *n >= 0 ? std::optional(static_cast<std::uint64_t>(*n))
                                       : std::nullopt;
    };
    const auto since = member("since");
    const auto epoch = member("epoch");
    return since && epoch ? std::optional(Resume{*since, *epoch}) : std::nullopt;
}

std::optional<Resume> read_event_id(std::string_view id) {
    const auto colon = id.find(':');
    if (colon == std::string_view::npos) return {};
    const auto epoch = number(id.substr(0, colon));
    const auto since = number(id.substr(colon + 1));
    return since && epoch ? std::optional(Resume{*since, *epoch}) : std::nullopt;
}

std::vector<Heard> ClientInput::take(std::string_view bytes, Framing framing) {
    std::vector<Heard> heard;
    if (framing == Framing::ServerSent) return heard;  // a one-way transport
    std::string joined;
    if (unfinished_) {
        joined = std::move(*unfinished_);
        unfinished_.reset();
        joined += bytes;
        bytes = joined;
    }
    while (auto next = framing == Framing::Line ? take_line(bytes) : take_frame(bytes)) {
        heard.push_back(std::move(*next));
        if (heard.back().kind == Heard::Kind::End) return heard;
    }
    if (!bytes.empty()) unfinished_ = std::make_unique<std::string>(bytes);
    return heard;
}

std::string websocket_control(unsigned opcode, std::string_view payload) {
    std::string frame{static_cast<char>(0x80U | opcode), static_cast<char>(payload.size())};
    return frame.append(payload);
}

}  // namespace xq::daemon
