// xiangqi-judge: the rules for people. Reads a position and moves, says what each move is called
// and why, and how a cycle is ruled; on bad input one clear line, exit 2.
#include "daemon/commands/judge_input.hpp"
#include "daemon/commands/judge_report.hpp"
#include "rules/moves.hpp"

#include <CLI/CLI.hpp>
#include <iostream>

namespace {

using namespace xq;
using namespace xq::judge;

constexpr int exit_bad_input = 2;
/// Deeper counts take days; asking for one is a slip of the finger.
constexpr int deepest_perft = 12;

int refuse(const std::string& why) {
    std::cerr << "xiangqi-judge: " << why << '\n';
    return exit_bad_input;
}

}  // namespace

int main(int argc, char** argv) try {
    CLI::App app("Names every move's class, the cycles and their ruling by a xiangqi rule book.",
                 "xiangqi-judge");
    Request request;
    std::string rulebook = "cxa-2010";
    std::string lang = "zh";
    bool json = false;
    int perft = -1;
    app.add_option("--rulebook", rulebook, "cxa-2010, cxa-1999 or asian")->capture_default_str();
    app.add_option("--fen", request.fen, "the position to begin from; left out: the start array");
    app.add_option("--moves", request.moves, "moves, ICCS, Chinese or WXF, with blanks between");
    app.add_option("--record,--pgn", request.record,
                   "a game record: PGN, DhtmlXQ (UTF-8, GB18030 or Big5) or XQF");
    app.add_flag("--cycle", request.cycle, "the moves are one whole cycle that goes on repeating");
    app.add_flag("--json", json, "print JSON");
    app.add_option("--lang", lang, "zh or en")->capture_default_str();
    app.add_option("--perft", perft, "count the leaves at this depth instead");
    app.set_version_flag("--version", "xiangqi-judge " XQ_VERSION);
    try {
        app.parse(argc, argv);
    } catch (const CLI::Success& e) {
        return app.exit(e);
    } catch (const CLI::ParseError& e) {
        return refuse(e.what());
    }
    const rules::RuleBook* book = rules::find_rule_book(rulebook);
    if (book == nullptr)
        return refuse("no rule book \"" + rulebook + "\": cxa-2010, cxa-1999 or asian");
    if (lang != "zh" && lang != "en") return refuse("no language \"" + lang + "\": zh or en");
    auto game = read(request);
    if (!game) return refuse(game.error().what);
    if (app.count("--perft") > 0) {
        if (perft < 0 || perft > deepest_perft)
            return refuse("--perft counts to depths from 0 to " + std::to_string(deepest_perft));
        rules::Position p = game->end();
        std::cout << rules::perft(p, perft) << '\n';
        return 0;
    }
    if (game->moves.empty() && request.cycle) return refuse("--cycle needs moves");
    const Report report = examine(*book, *game, request.cycle);
    const Language language = lang == "zh" ? Language::Chinese : Language::English;
    std::cout << (json ? to_json(report, language) : to_text(report, language)) << '\n';
    return std::cout.flush() ? 0 : 1;
} catch (const std::exception& e) {
    std::cerr << "xiangqi-judge: " << e.what() << '\n';
    return 1;
}
