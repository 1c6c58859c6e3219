#include "daemon/log.hpp"

#include <spdlog/logger.h>
#include <spdlog/sinks/base_sink.h>
#include <spdlog/sinks/stdout_color_sinks.h>
#include <sys/uio.h>
#include <cstdlib>
#include <mutex>
#include <utility>
#include <vector>
#define SD_JOURNAL_SUPPRESS_LOCATION
#include <systemd/sd-journal.h>

namespace xq::daemon {

namespace {

int priority(spdlog::level::level_enum level) {
    constexpr int error = 3, warning = 4, info = 6;
    return level >= spdlog::level::err ? error : level == spdlog::level::warn ? warning : info;
}

/// Entries of systemd's journal that can be searched by board, game and ply.
class JournaldSink : public spdlog::sinks::base_sink<std::mutex> {
public:
    explicit JournaldSink(const std::function<About()>& about) : about_(about) {}

protected:
    void sink_it_(const spdlog::details::log_msg& message) override {
        std::vector<std::string> fields{
            "MESSAGE=" + std::string(message.payload.data(), message.payload.size()),
            "PRIORITY=" + std::to_string(priority(message.level)), "SYSLOG_IDENTIFIER=xiangqid"};
        if (about_) {
            const About about = about_();
            fields.push_back("XIANGQI_BOARD=" + about.board);
            fields.push_back("XIANGQI_GAME=" + std::to_string(about.game));
            fields.push_back("XIANGQI_PLY=" + std::to_string(about.ply));
        }
        std::vector<iovec> parts;
        parts.reserve(fields.size());
        for (auto& field : fields) parts.push_back({field.data(), field.size()});
        sd_journal_sendv(parts.data(), static_cast<int>(parts.size()));
    }
    void flush_() override {}

private:
    const std::function<About()>& about_;
};

/// systemd names the stream that it has connected our standard error to.
bool under_systemd() {
    return std::getenv("JOURNAL_STREAM") != nullptr;  // NOLINT(concurrency-mt-unsafe): at start
}

}  // namespace

struct Log::Impl {
    Impl() : logger("xiangqid", sink()) { logger.set_pattern("%H:%M:%S.%e %^%l%$ %v"); }

    spdlog::sink_ptr sink() {
        if (under_systemd()) return std::make_shared<JournaldSink>(about);
        return std::make_shared<spdlog::sinks::stderr_color_sink_st>();
    }

    std::function<About()> about;
    spdlog::logger logger;
};

Log::Log() : impl_(std::make_unique<Impl>()) {}
Log::~Log() = default;

void Log::info(const std::string& text) {
    impl_->logger.log(spdlog::level::info, text);
}

void Log::warn(const std::string& text) {
    impl_->logger.log(spdlog::level::warn, text);
}

void Log::error(const std::string& text) {
    impl_->logger.log(spdlog::level::err, text);
}

void Log::about(std::function<About()> about) {
    impl_->about = std::move(about);
}

}  // namespace xq::daemon
