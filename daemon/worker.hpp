#pragma once
// A thread for what is big or slow and may wait: old journals, records as files. It has a lower
// priority than the game and a short queue. `run` is called on the io thread; the tasks run on the
// worker's, one after another, and what each returns is done on the io thread.
#include <boost/asio/any_io_executor.hpp>
#include <functional>
#include <memory>

namespace xq::daemon {

class Worker {
public:
    /// On the worker's thread; what it returns is for the io thread. A task that lets go of
    /// something belonging there moves it into what it returns.
    using Task = std::function<std::function<void()>()>;

    explicit Worker(boost::asio::any_io_executor io);
    Worker(const Worker&) = delete;
    Worker& operator=(const Worker&) = delete;
    /// Waits for the task at hand and drops the rest.
    ~Worker();

    /// False: too many tasks wait already.
    [[nodiscard]] bool run(Task task);

    /// A browser asks for one thing at a time, and more than this many who wait would wait long.
    static constexpr std::size_t most_waiting = 64;

private:
    struct Shared;
    std::unique_ptr<Shared> shared_;
};

}  // namespace xq::daemon
