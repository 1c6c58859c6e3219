#include "daemon/http_games.hpp"

#include "daemon/archive.hpp"
#include "daemon/export.hpp"
#include "daemon/games_page.hpp"
#include "protocol/crc32c.hpp"

#include <algorithm>
#include <array>
#include <deque>
#include <optional>

namespace xq::daemon {

namespace record = rules::record;

namespace {

constexpr std::string_view root = "/games/";

/// A value of the query with what it stands for.
template <class T>
struct Choice {
    std::string_view text;
    T value;
};
template <class T>
Choice(std::string_view, T) -> Choice<T>;
constexpr std::array languages{Choice{"zh", rules::Language::Chinese},
                               Choice{"en", rules::Language::English}};
constexpr std::array notations{Choice{"zh", record::Notation::Chinese},
                               Choice{"iccs", record::Notation::Iccs},
                               Choice{"wxf", record::Notation::Wxf}};
constexpr std::array encodings{Choice{"utf-8", record::Encoding::Utf8},
                               Choice{"gb18030", record::Encoding::Gb18030},
                               Choice{"big5", record::Encoding::Big5}};
constexpr std::array formats{Choice{"pgn", FileFormat::Pgn}, Choice{"dhtmlxq", FileFormat::DhtmlXq},
                             Choice{"txt", FileFormat::Text}, Choice{"html", FileFormat::Html}};

template <class T, std::size_t N>
const T* chosen(const std::array<Choice<T>, N>& choices, std::string_view text) {
    for (const auto& choice : choices)
        if (choice.text == text) return &choice.value;
    return nullptr;
}

template <class T, std::size_t N>
bool choose(const std::array<Choice<T>, N>& choices, std::string_view text, T& out) {
    const T* const found = chosen(choices, text);
    if (found != nullptr) out = *found;
    return found != nullptr;
}

/// Reads lang=, moves= and charset=; the name of what is wrong, or empty. Other names are nobody's
/// fault: sites add their own to keep caches off.
std::string read_query(std::string_view query, FileStyle& style) {
    while (!query.empty()) {
        const auto end = std::min(query.find('&'), query.size());
        const auto pair = query.substr(0, end);
        query.remove_prefix(std::min(end + 1, query.size()));
        const auto equals = std::min(pair.find('='), pair.size());
        const auto name = pair.substr(0, equals);
        const auto value = pair.substr(std::min(equals + 1, pair.size()));
        const bool good = name == "lang"      ? choose(languages, value, style.language)
                          : name == "moves"   ? choose(notations, value, style.notation)
                          : name == "charset" ? choose(encodings, value, style.encoding)
                                              : true;
        if (!good) return std::string(name);
    }
    return {};
}

HttpAnswer refusal(int status, std::string why) {
    return {.status = status, .body = std::move(why) + "\n"};
}

/// What is asked for, as values that the worker's thread may keep.
struct Wanted {
    enum class What : std::uint8_t { Page, Json, File, Log } what = What::Page;
    std::string id;  ///< "current", or a journal's
    FileStyle style;
    std::string if_none_match;
};

/// The type with its charset: it must outlive the answer.
std::string_view content_type(FileFormat format, record::Encoding encoding) {
    static const auto all = [] {
        std::array<std::array<std::string, encodings.size()>, formats.size()> table;
        for (const auto& f : formats)
            for (const auto& e : encodings)
                table[static_cast<std::size_t>(f.value)][static_cast<std::size_t>(e.value)] =
                    std::string(media_type(f.value)) + "; charset=" + std::string(e.text);
        return table;
    }();
    return all[static_cast<std::size_t>(format)][static_cast<std::size_t>(encoding)];
}

std::string saved_as(const std::string& name) {
    return "attachment; filename*=UTF-8''" + percent_encoded(name);
}

}  // namespace

struct HttpGames::Shelf {
    Shelf(std::filesystem::path journals, std::string the_board)
        : archive(std::move(journals), the_board), board(std::move(the_board)) {}

    HttpAnswer answer(const Wanted& wanted, const Welcome& shown) {
        HttpAnswer answer = make(wanted, shown);
        if (answer.status != 200) return answer;
        answer.headers.emplace_back("Access-Control-Allow-Origin", "*");
        const std::string tag = "\"" + std::to_string(answer.body.size()) + "-" +
                                std::to_string(protocol::crc32c(answer.body)) + "\"";
        answer.headers.emplace_back("ETag", tag);
        if (wanted.if_none_match.find(tag) == std::string::npos) return answer;
        answer.status = 304;
        answer.body.clear();
        return answer;
    }

private:
    HttpAnswer make(const Wanted& wanted, const Welcome& shown) {
        switch (wanted.what) {
            case Wanted::What::Page:
                return {.type = "text/html; charset=utf-8",
                        .body = games_html(list(shown)),
                        .headers = {{"Content-Security-Policy",
                                     "default-src 'self'; style-src 'self' 'unsafe-inline'"},
                                    {"Vary", "Accept"}}};
            case Wanted::What::Json:
                return {.type = "application/json",
                        .body = games_json(list(shown)),
                        .headers = {{"Vary", "Accept"}}};
            case Wanted::What::Log:
                return log(wanted, shown);
            case Wanted::What::File:
                break;
        }
        return file(wanted, shown);
    }

    static int public_game(const Welcome& shown) { return shown.score->game; }
    static KeptGame current(const Welcome& shown) {
        return {shown.score, shown.hello, shown.t0, {}};
    }

    GamesList list(const Welcome& shown) {
        GamesList list{board, {}, archive.before(public_game(shown)), {}};
        const auto id = shown.score->result ? archive.id_of(public_game(shown)) : std::nullopt;
        if (id) {
            // It is over, but its journal may go on: what the public knows of it is in `shown`.
            list.games.insert(list.games.begin(), {*id, current(shown)});
            list.no_log = id;
        } else {
            list.current = current(shown);
        }
        return list;
    }

    std::optional<KeptGame> find(const std::string& id, const Welcome& shown) {
        const bool is_current =
            id == "current" || (shown.score->result && archive.id_of(public_game(shown)) == id);
        if (is_current) return current(shown);
        return archive.find(id, public_game(shown));
    }

    HttpAnswer file(const Wanted& wanted, const Welcome& shown) {
        const auto game = find(wanted.id, shown);
        if (!game) return refusal(404, "there is no such game, or it is not over yet");
        const auto text = written(*game, wanted.style);
        if (!text) return refusal(422, text.error().what);
        const auto format = wanted.style.format;
        HttpAnswer answer{.type = content_type(format, wanted.style.encoding), .body = *text};
        if (format == FileFormat::Html)
            answer.headers = {
                {"Content-Security-Policy", "default-src 'none'; style-src 'unsafe-inline'"}};
        else if (format != FileFormat::Text)
            answer.headers = {
                {"Content-Disposition",
                 saved_as(wanted.id + (format == FileFormat::Pgn ? ".pgn" : ".txt"))}};
        return answer;
    }

    HttpAnswer log(const Wanted& wanted, const Welcome& shown) {
        auto text = archive.log(wanted.id, public_game(shown));
        if (!text)
            return refusal(404, "a game's log is there when the next game has begun, not before");
        return {.body = std::move(*text),
                .headers = {{"Content-Disposition", saved_as(wanted.id + ".xsl")}}};
    }

    /// Sites poll: what was written last is at hand.
    Result<std::string> written(const KeptGame& game, const FileStyle& style) {
        for (const auto& [score, of, text] : written_)
            if (score == game.score && of == style) return text;
        auto text = write_file(game, style);
        constexpr std::size_t most_kept = 16;
        if (written_.size() == most_kept) written_.pop_front();
        if (text) written_.push_back({game.score, style, *text});
        return text;
    }

    struct Written {
        std::shared_ptr<const Score> score;
        FileStyle style;
        std::string text;
    };
    Archive archive;
    std::string board;
    std::deque<Written> written_;
};

HttpGames::HttpGames(Worker& worker, std::filesystem::path journals, std::string board, Shown shown)
    : worker_(worker),
      shelf_(std::make_shared<Shelf>(std::move(journals), std::move(board))),
      shown_(std::move(shown)) {}

void HttpGames::answer(std::string_view target, std::string_view accept,
                       std::string_view if_none_match, Reply reply) {
    const auto path = path_of(target);
    if (path == "/games")
        return reply({.status = 308, .body = {}, .headers = {{"Location", std::string(root)}}});
    const auto name = percent_decoded(path.substr(root.size()));
    if (!name) return reply(refusal(400, "the address is not well formed"));
    Wanted wanted;
    wanted.if_none_match = if_none_match;
    const auto dot = std::min(name->rfind('.'), name->size());
    wanted.id = name->substr(0, dot);
    const auto ending = std::string_view(*name).substr(std::min(dot + 1, name->size()));
    if (name->empty()) {
        const bool json = accept.find("application/json") != std::string_view::npos &&
                          accept.find("text/html") == std::string_view::npos;
        wanted.what = json ? Wanted::What::Json : Wanted::What::Page;
    } else if (*name == "index.json") {
        wanted.what = Wanted::What::Json;
    } else if (choose(formats, ending, wanted.style.format)) {
        wanted.what = Wanted::What::File;
    } else if (ending == "log") {
        wanted.what = Wanted::What::Log;
    } else {
        return reply(refusal(404, "a game is there as .pgn, .dhtmlxq, .txt, .html and .log"));
    }
    const auto query = target.substr(std::min(path.size() + 1, target.size()));
    if (const auto wrong = read_query(query, wanted.style); !wrong.empty())
        return reply(refusal(400, wrong + " has no such value"));
    // A page in another encoding than it says within would be read wrong.
    if (wanted.style.format == FileFormat::Html) wanted.style.encoding = record::Encoding::Utf8;

    auto shown = shown_();
    if (!shown) return reply(refusal(503, "there is no game yet"));
    const bool waits = worker_.run(
        [shelf = shelf_, shown = std::move(shown), wanted = std::move(wanted), reply]() mutable {
            auto answer = shelf->answer(wanted, *shown);
            return [reply = std::move(reply), answer = std::move(answer)] { reply(answer); };
        });
    if (!waits) {
        auto busy = refusal(503, "too many ask for games; try again");
        busy.headers.emplace_back("Retry-After", "5");
        reply(std::move(busy));
    }
}

}  // namespace xq::daemon
