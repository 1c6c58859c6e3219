#include "daemon/mqtt.hpp"

#include "daemon/mqtt_session.hpp"

#include <poll.h>
#include <pthread.h>
#include <algorithm>
#include <condition_variable>
#include <mutex>
#include <thread>

namespace xq::daemon {

using namespace std::chrono_literals;

namespace {

// How long the end of the daemon waits for the broker.
constexpr auto farewell = 500ms;
// A broker that was restarted is back within seconds; one that refuses is not asked all day long.
constexpr std::chrono::milliseconds first_retry = 1s;
constexpr std::chrono::milliseconds longest_retry = 30s;
// A connection that held for so long was a good one: the next is tried soon.
constexpr auto lasting = 30s;

}  // namespace

struct Mqtt::Shared {
    Shared(MqttAccount the_account, Tell the_tell)
        : account(std::move(the_account)), tell(std::move(the_tell)) {}

    void run();
    void say(bool fault, const std::string& line);
    void pause(std::chrono::milliseconds length) const;

    const MqttAccount account;
    const Tell tell;
    Outbox outbox;

    std::mutex mutex;
    std::condition_variable ended;
    // Under the mutex.
    bool done = false;
    bool abandoned = false;
};

Mqtt::Mqtt(const config::Settings& settings, Tell tell)
    : shared_(std::make_shared<Shared>(mqtt_account(settings), std::move(tell))) {
    std::thread thread([shared = shared_] { shared->run(); });
    pthread_setname_np(thread.native_handle(), "mqtt");
    thread.detach();  // it may hang in the resolver; the destructor waits for it, but not so long
}

Mqtt::~Mqtt() {
    close();
    std::unique_lock lock(shared_->mutex);
    shared_->ended.wait_for(lock, farewell, [&] { return shared_->done; });
    shared_->abandoned = true;
}

void Mqtt::publish(const Batch& batch) {
    shared_->outbox.put(batch);
}

void Mqtt::close() {
    shared_->outbox.close();
}

void Mqtt::Shared::run() {
    using Clock = std::chrono::steady_clock;
    auto retry = first_retry;
    std::string told;  // the fault, once; again when there was a connection in between
    while (!outbox.closed()) {
        const auto begin = Clock::now();
        MqttSession session(account, outbox);
        const std::string fault = session.run([&] {
            told.clear();
            say(false, "mqtt: publishes to " + account.topic + " at " + account.broker);
        });
        if (outbox.closed()) break;
        if (fault != told) {
            say(true, "mqtt: " + account.broker + ": " + fault + "; it is tried again");
            told = fault;
        }
        if (Clock::now() - begin > lasting) retry = first_retry;
        pause(retry);
        retry = std::min(2 * retry, longest_retry);
    }
    const std::lock_guard lock(mutex);
    done = true;
    ended.notify_all();
}

void Mqtt::Shared::say(bool fault, const std::string& line) {
    const std::lock_guard lock(mutex);
    if (!abandoned) tell(fault, line);
}

/// Waits so long, or until the outbox is closed.
void Mqtt::Shared::pause(std::chrono::milliseconds length) const {
    const auto end = std::chrono::steady_clock::now() + length;
    while (!outbox.closed()) {
        const auto left =
            std::chrono::ceil<std::chrono::milliseconds>(end - std::chrono::steady_clock::now());
        if (left.count() <= 0) return;
        pollfd bell{outbox.bell(), POLLIN, 0};
        poll(&bell, 1, static_cast<int>(left.count()));
        outbox.hush();
    }
}

}  // namespace xq::daemon
