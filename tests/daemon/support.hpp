#pragma once
// What the daemon's tests share: a folder that goes away, a welcome, batches.
#include "daemon/batch.hpp"

#include <filesystem>
#include <fstream>
#include <iterator>
#include <memory>
#include <string>

namespace xq::daemon {

/// A fresh folder, removed with all that is in it.
class Folder {
public:
    Folder() {
        std::string name = (std::filesystem::temp_directory_path() / "xiangqid-XXXXXX").string();
        path_ = mkdtemp(name.data());
    }
    Folder(const Folder&) = delete;
    Folder& operator=(const Folder&) = delete;
    ~Folder() { std::filesystem::remove_all(path_); }
    const std::filesystem::path& path() const { return path_; }

private:
    std::filesystem::path path_;
};

inline std::string contents(const std::filesystem::path& path) {
    std::ifstream in(path, std::ios::binary);
    return {std::istreambuf_iterator<char>(in), {}};
}

inline void write(const std::filesystem::path& path, const std::string& text) {
    std::ofstream(path, std::ios::binary) << text;
}

/// A state of game `game`, as of message `seq`.
inline std::shared_ptr<const Welcome> welcome(std::uint64_t seq, int game = 1) {
    Welcome welcome;
    welcome.hello.board = "test";
    welcome.messages.emplace_back();
    welcome.messages.back().game = game;
    welcome.messages.back().body = protocol::message::State{};
    welcome.seq = seq;
    return std::make_shared<const Welcome>(std::move(welcome));
}

inline Batch batch(std::uint64_t seq, const std::string& line, int game = 1) {
    return {{{seq, line, false}}, welcome(seq, game)};
}

}  // namespace xq::daemon
