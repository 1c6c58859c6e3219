#include "daemon/log.hpp"

#include <spdlog/logger.h>
#include <spdlog/sinks/base_sink.h>
#include <spdlog/sinks/stdout_color_sinks.h>
#include <cstdlib>
#include <mutex>
#define SD_JOURNAL_SUPPRESS_LOCATION
#include <systemd/sd-journal.h>

namespace xq::daemon {

namespace {

struct About {
    std::string board;
    int game = 0;
    int ply = 0;
};

int priority(spdlog::level::level_enum level) {
    constexpr int error = 3, warning = 4, info = 6;
    return level >= spdlog::level::err ? error : level == spdlog::level::warn ? warning : info;
}

/// Entries of systemd's journal that can be searched by board, game and ply.
class JournaldSink : public spdlog::sinks::base_sink<std::mutex> {
public:
    explicit JournaldSink(const About& about) : about_(about) {}

protected:
    void sink_it_(const spdlog::details::log_msg& message) override {
        sd_journal_send("MESSAGE=%.*s", static_cast<int>(message.payload.size()),
                        message.payload.data(), "PRIORITY=%d", priority(message.level),
                        "SYSLOG_IDENTIFIER=xiangqid", "XIANGQI_BOARD=%s", about_.board.c_str(),
                        "XIANGQI_GAME=%d", about_.game, "XIANGQI_PLY=%d", about_.ply, nullptr);
    }
    void flush_() override {}

private:
    const About& about_;
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

    About about;
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

void Log::about(const std::string& board, int game, int ply) {
    impl_->about = {board, game, ply};
}

}  // namespace xq::daemon
