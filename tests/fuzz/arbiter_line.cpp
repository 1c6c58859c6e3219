// Fuzzes a line of the arbiter channel: what is understood must be journaled as the same call with
// who made it, and every refusal must be an answer that can be sent.
#include "protocol/json_rpc.hpp"

#include <boost/json/serialize.hpp>
#include <cstdlib>

namespace {

void require(bool holds) {
    if (!holds) std::abort();
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    using namespace xq::protocol;
    const std::string_view line(reinterpret_cast<const char*>(data), size);
    const auto parsed = parse_call(line);
    if (!parsed) {
        const std::string reply = boost::json::serialize(error_reply(parsed.error()));
        require(reply.find('\n') == std::string::npos && !parsed.error().message.empty());
        return 0;
    }
    const std::string signed_line = signed_call(line, "anna");
    const auto again = parse_call(signed_line);
    require(again.has_value() && again->by == "anna" && again->id == parsed->id);
    require(method(again->call) == method(parsed->call));
    require(signed_line.find('\n') == std::string::npos);
    return 0;
}
