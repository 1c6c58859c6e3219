#include "daemon/arbiter.hpp"

#include <boost/json/serialize.hpp>

namespace xq::daemon {

namespace call = protocol::call;
using protocol::RpcCode;
using protocol::RpcError;

namespace {

RpcError refused(RpcCode code, std::string message) {
    return {{}, code, std::move(message)};
}

}  // namespace

Arbiter::Arbiter(Clerk& clerk, Hub& hub, Exporter& exporter, std::function<Millis()> now,
                 std::function<void(boost::json::object&)> more_status)
    : clerk_(clerk),
      hub_(hub),
      exporter_(exporter),
      now_(std::move(now)),
      more_status_(std::move(more_status)) {}

std::unique_ptr<Arbiter::Caller> Arbiter::connect(std::optional<Identity> identity, Send send,
                                                  Login login) {
    return std::make_unique<Caller>(*this, std::move(identity), std::move(send), std::move(login));
}

Arbiter::Caller::Caller(Arbiter& arbiter, std::optional<Identity> identity, Send send, Login login)
    : arbiter_(arbiter),
      identity_(std::move(identity)),
      send_(std::make_shared<Send>(std::move(send))),
      login_(std::move(login)) {}

Arbiter::Caller::~Caller() {
    if (watching_) arbiter_.hub_.unwatch(*watching_);
}

void Arbiter::Caller::reply(const boost::json::object& object) {
    (*send_)(boost::json::serialize(object));
}

void Arbiter::Caller::hear(std::string_view line) {
    auto parsed = protocol::parse_call(line);
    if (!parsed) return reply(protocol::error_reply(parsed.error()));
    const auto& id = parsed->id;
    const bool changes = protocol::changes_game(parsed->call);
    const auto refuse = [&](RpcCode code, std::string_view why) {
        if (id) reply(protocol::error_reply(*id, code, why));
    };
    if (!identity_ && !std::holds_alternative<call::Auth>(parsed->call)) {
        return refuse(RpcCode::Forbidden, "`auth` with a token comes first");
    }
    if (changes && !identity_->may_change) {
        return refuse(RpcCode::Forbidden, "this token may only watch");
    }
    if (changes) {
        // The caller may be gone when the disk has it.
        const std::weak_ptr<Send> send = send_;
        arbiter_.clerk_.call(protocol::signed_call(line, identity_->name), arbiter_.now_(),
                             [send](std::string json) {
                                 if (const auto still_there = send.lock()) {
                                     (*still_there)(std::move(json));
                                 }
                             });
        return;
    }
    if (const auto* const record = std::get_if<call::RecordExport>(&parsed->call)) {
        if (id) export_record(record->format, *id);
        return;
    }
    const Answer answer = ask(parsed->call);
    if (!id) return;
    if (const auto* const error = std::get_if<RpcError>(&answer)) {
        return refuse(error->code, error->message);
    }
    reply(protocol::result_reply(*id, std::get<boost::json::object>(answer)));
    // What a watch begins with comes behind its answer.
    if (std::holds_alternative<call::Watch>(parsed->call)) {
        const auto& welcome = *arbiter_.hub_.latest();
        (*send_)(protocol::broadcast_notification(welcome.hello_line()));
        for (const auto& message : welcome.state_lines()) {
            (*send_)(protocol::broadcast_notification(message));
        }
    }
}

Arbiter::Caller::Answer Arbiter::Caller::ask(const protocol::Call& asked) {
    if (const auto* const auth = std::get_if<call::Auth>(&asked)) return log_in(auth->token);
    if (std::holds_alternative<call::Watch>(asked)) return watch();
    if (std::holds_alternative<call::BoardStatus>(asked)) {
        return arbiter_.clerk_.table().board_status();
    }
    boost::json::object status = arbiter_.clerk_.table().status();
    arbiter_.more_status_(status);
    return status;
}

Arbiter::Caller::Answer Arbiter::Caller::log_in(const std::string& token) {
    if (login_) {
        auto identity = login_(token);
        if (!identity) return refused(RpcCode::Forbidden, identity.error().what);
        identity_ = std::move(*identity);
    }
    return boost::json::object{{"name", identity_->name},
                               {"role", identity_->may_change ? "arbiter" : "watch"}};
}

Arbiter::Caller::Answer Arbiter::Caller::watch() {
    if (!watching_) {
        watching_ = arbiter_.hub_.watch([send = send_](const Encoded& message) {
            (*send)(protocol::broadcast_notification(message.line));
        });
    }
    return boost::json::object{{"watching", true}};
}

void Arbiter::Caller::export_record(call::Format format, const boost::json::value& id) {
    const std::weak_ptr<Send> send = send_;
    const auto& game = *arbiter_.hub_.latest();
    arbiter_.exporter_.write(
        {game.score, game.hello, game.t0, {}}, arbiter_.clerk_.journal_file(), format,
        [send, id, format](const Result<std::string>& text) {
            const auto still_there = send.lock();
            if (!still_there) return;
            const auto answer =
                text ? protocol::result_reply(id, {{"format", call::text(format)}, {"text", *text}})
                     : protocol::error_reply(id, RpcCode::Refused, text.error().what);
            (*still_there)(boost::json::serialize(answer));
        });
}

}  // namespace xq::daemon
