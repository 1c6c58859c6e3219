#include "daemon/worker.hpp"

#include <pthread.h>
#include <sys/resource.h>
#include <unistd.h>
#include <boost/asio/post.hpp>
#include <condition_variable>
#include <deque>
#include <mutex>
#include <thread>

namespace xq::daemon {

struct Worker::Shared {
    explicit Shared(boost::asio::any_io_executor the_io) : io(std::move(the_io)) {}

    boost::asio::any_io_executor io;
    std::mutex mutex;
    std::condition_variable something;
    std::deque<Task> tasks;
    bool stopping = false;
    std::thread thread;

    void loop() {
        pthread_setname_np(pthread_self(), "records");
        constexpr int behind_the_game = 10;
        setpriority(PRIO_PROCESS, static_cast<id_t>(gettid()), behind_the_game);
        for (std::unique_lock lock(mutex);;) {
            something.wait(lock, [this] { return stopping || !tasks.empty(); });
            if (stopping) return;
            Task task = std::move(tasks.front());
            tasks.pop_front();
            lock.unlock();
            boost::asio::post(io, task());
            task = {};
            lock.lock();
        }
    }
};

Worker::Worker(boost::asio::any_io_executor io) : shared_(std::make_unique<Shared>(std::move(io))) {
    shared_->thread = std::thread([this] { shared_->loop(); });
}

Worker::~Worker() {
    {
        const std::lock_guard lock(shared_->mutex);
        shared_->stopping = true;
    }
    shared_->something.notify_one();
    shared_->thread.join();
}

bool Worker::run(Task task) {
    {
        const std::lock_guard lock(shared_->mutex);
        if (shared_->tasks.size() == most_waiting) return false;
        shared_->tasks.push_back(std::move(task));
    }
    shared_->something.notify_one();
    return true;
}

}  // namespace xq::daemon
