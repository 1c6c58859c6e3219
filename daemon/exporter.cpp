#include "daemon/exporter.hpp"

#include "daemon/export.hpp"

#include <fstream>
#include <iterator>

namespace xq::daemon {

namespace {

namespace call = protocol::call;

Result<std::string> written(const KeptGame& game, const std::string& journal, call::Format format) {
    FileStyle style;
    switch (format) {
        case call::Format::Log: {
            std::ifstream in(journal, std::ios::binary);
            std::string text{std::istreambuf_iterator<char>(in), {}};
            if (!in.is_open() || in.bad()) return Fault{0, "the journal cannot be read"};
            return text;
        }
        case call::Format::Pgn:
            style.format = FileFormat::Pgn;
            break;
        case call::Format::DhtmlXq:
            style.format = FileFormat::DhtmlXq;
            break;
        case call::Format::Text:
            style.format = FileFormat::Text;
            break;
        case call::Format::Html:
            style.format = FileFormat::Html;
            break;
    }
    return write_file(game, style);
}

}  // namespace

void Exporter::write(KeptGame game, std::string journal, call::Format format, Reply reply) {
    const bool waits = worker_.run(
        [game = std::move(game), journal = std::move(journal), format, reply]() mutable {
            auto text = written(game, journal, format);
            return [reply = std::move(reply), text = std::move(text)] { reply(text); };
        });
    if (!waits) reply(Fault{0, "too many records are being written; try again"});
}

}  // namespace xq::daemon
