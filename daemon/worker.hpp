#pragma once
// A thread for what is big or slow and may wait: old journals, records as files. It has a lower
// priority than the game and a short queue. `run` is called on the io thread; the tasks run on the
// worker's, one after another, and post what they found back themselves.
#include <functional>
#include <memory>

namespace xq::daemon {

class Worker {
public:
    Worker();
    Worker(const Worker&) = delete;
    Worker& operator=(const Worker&) = delete;
    /// Waits for the task at hand and drops the rest.
    ~Worker();

    /// False: too many tasks wait already.
    [[nodiscard]] bool run(std::function<void()> task);

    /// A browser asks for one thing at a time, and more than this many who wait would wait long.
    static constexpr std::size_t most_waiting = 64;

private:
    struct Shared;
    std::unique_ptr<Shared> shared_;
};

}  // namespace xq::daemon
