#pragma once
// Records over HTTP: `/games/` (a page, or JSON), `/games/ID.pgn|.dhtmlxq|.txt|.html|.log` for what
// is over, `/games/current.pgn` and so on for the public's game. Nothing is told before the public
// broadcast told it: the game at hand is shown from the broadcast's own last state, behind its
// delay, and a journal only of a game that the public has seen end. `answer` is called on the io
// thread and does nothing there but read the address; the worker's thread reads journals and writes
// files, and the reply comes back on the io thread.
#include "daemon/http_routes.hpp"
#include "daemon/welcome.hpp"
#include "daemon/worker.hpp"

#include <filesystem>
#include <functional>
#include <memory>
#include <string>

namespace xq::daemon {

class HttpGames {
public:
    using Reply = std::function<void(HttpAnswer)>;
    /// What the public has been shown last.
    using Shown = std::function<std::shared_ptr<const Welcome>()>;

    HttpGames(Worker& worker, std::filesystem::path journals, std::string board, Shown shown);

    static bool serves(std::string_view path) {
        return path == "/games" || path.starts_with("/games/");
    }
    /// `target` with its query; the two headers may be empty. Replies exactly once, now or later.
    void answer(std::string_view target, std::string_view accept, std::string_view if_none_match,
                Reply reply);

private:
    struct Shelf;  ///< what belongs to the worker's thread

    Worker& worker_;
    std::shared_ptr<Shelf> shelf_;
    Shown shown_;
};

}  // namespace xq::daemon
