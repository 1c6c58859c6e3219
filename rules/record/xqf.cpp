#include "rules/record/xqf.hpp"

#include "rules/moves.hpp"
#include "rules/record/encoding.hpp"
#include "rules/record/piece_slots.hpp"
#include "rules/record/xqf_cipher.hpp"

#include <algorithm>

namespace xq::rules::record {
namespace {

using xqf::Byte;

constexpr std::size_t turn_at = 0x32;
constexpr std::size_t result_at = 0x33;
constexpr std::size_t type_at = 0x40;
/// What is added to the points of every move.
constexpr Byte from_offset = 0x18;
constexpr Byte to_offset = 0x20;

/// Texts of the head: a byte of length, then at most so many bytes.
struct HeadText {
    std::size_t at;
    std::size_t most;
    std::string_view tag;
};
constexpr std::array head_texts{
    HeadText{0x50, 63, "Title"},      HeadText{0xD0, 63, "Event"},
    HeadText{0x110, 15, "Date"},      HeadText{0x120, 15, "Site"},
    HeadText{0x130, 15, "Red"},       HeadText{0x140, 15, "Black"},
    HeadText{0x150, 63, "TimeRule"},  HeadText{0x190, 15, "RedTime"},
    HeadText{0x1A0, 15, "BlackTime"}, HeadText{0x1D0, 15, "Annotator"},
    HeadText{0x1E0, 15, "Author"},
};
/// 4 is met in real files too.
constexpr std::array<std::string_view, 5> results{"*", "1-0", "0-1", "1/2-1/2", "1/2-1/2"};
constexpr std::array<std::string_view, 4> types{"全局", "布局", "中局", "残局"};

/// What a record of the move part says beside its move.
struct Entry {
    std::size_t at = 0;
    Byte from = 0;
    Byte to = 0;
    bool next = false;
    bool sibling = false;
    std::string_view note;
};

class Reader {
public:
    explicit Reader(std::string_view bytes)
        : bytes_(bytes),
          version_(byte(2)),
          cipher_(xqf::Cipher::of(bytes)),
          plain_(bytes),
          at_(xqf::head_size) {
        for (std::size_t i = at_; i < plain_.size(); ++i)
            plain_[i] = static_cast<char>(byte(i) - cipher_.mask[i % cipher_.mask.size()]);
    }

    Result<GameRecord> run() {
        if (auto fault = read_pieces()) return *fault;
        if (byte(result_at) < results.size()) record_.result = results[byte(result_at)];
        const auto root = next_entry();
        if (!root) return root.error();
        std::vector<Pending> notes{{0, 0, root->note}};
        if (root->next) {
            if (auto fault = read_lines(notes)) return *fault;
        }
        add_texts(notes);
        return std::move(record_);
    }

private:
    Byte byte(std::size_t i) const { return static_cast<Byte>(bytes_[i]); }
    std::string_view plain() const { return plain_; }

    std::optional<Fault> read_pieces() {
        Placement placement{};
        for (std::size_t i = 0; i < Slots{}.size(); ++i) {
            const std::size_t where = xqf::pieces_at + i;
            const auto place = static_cast<Byte>(byte(where) - cipher_.piece);
            const auto at = point_of(place);
            if (!at) continue;  // off the board
            Piece& there = placement[static_cast<std::size_t>(*at)];
            if (!there.empty()) return Fault{where, "two pieces on " + rules::name(*at)};
            there = slot_piece(cipher_.slot(i, version_));
        }
        record_.start = Position(placement, byte(turn_at) == 1 ? Side::Black : Side::Red);
        return std::nullopt;
    }

    /// 10 times the column from Red's left hand and the row from his side; nothing off the board.
    static std::optional<Point> point_of(Byte place) {
        if (place >= points) return std::nullopt;
        return point(place / ranks, place % ranks);
    }

    /// The next record of the move part.
    Result<Entry> next_entry() {
        constexpr std::size_t move_size = 4;
        const auto cut_off = [&] {
            return Fault{bytes_.size(), "the file is cut off within its moves"};
        };
        if (plain_.size() < at_ + move_size) return cut_off();
        const auto plain_byte = [&](std::size_t i) { return static_cast<Byte>(plain_[at_ + i]); };
        Entry e;
        e.at = at_;
        e.from = static_cast<Byte>(plain_byte(0) - from_offset - cipher_.from);
        e.to = static_cast<Byte>(plain_byte(1) - to_offset - cipher_.to);
        const Byte tag = plain_byte(2);
        const bool old = version_ < xqf::first_enciphered;
        e.next = (tag & (old ? 0xF0U : 0x80U)) != 0;
        e.sibling = (tag & (old ? 0x0FU : 0x40U)) != 0;
        at_ += move_size;
        if (!old && (tag & 0x20U) == 0) return e;
        if (plain_.size() < at_ + 4) return cut_off();
        std::uint32_t length = 0;
        for (std::size_t i = 4; i-- > 0;) length = length << 8U | plain_byte(i);
        length -= static_cast<std::uint32_t>(cipher_.note);
        at_ += 4;
        if (length > plain_.size() - at_) {
            const bool a_note = length < std::uint32_t{1} << 24U;
            return a_note ? cut_off() : Fault{at_ - 4, "the length of a comment is none"};
        }
        e.note = plain().substr(at_, length);
        at_ += length;
        return e;
    }

    /// A text that waits for the file's encoding to be known: of a line's ply, counted from 1; 0 is
    /// the line's own.
    struct Pending {
        std::size_t line;
        std::size_t ply;
        std::string_view text;
    };
    /// A move for which there is another one, to be read when all that follows it has been.
    struct Fork {
        std::size_t line;
        std::size_t ply;
        Position before;
    };

    std::optional<Fault> read_lines(std::vector<Pending>& notes) {
        std::vector<Fork> forks;
        std::size_t line = 0;
        Position p = record_.start;
        for (bool first = true;; first = false) {
            const auto e = next_entry();
            if (!e) return e.error();
            auto& plies = record_.lines[line].plies;
            const auto refuse = [&](const std::string& why) {
                return Fault{e->at, "move " + std::to_string(p.round()) +
                                        (p.turn() == Side::Red ? "" : "...") + ": " + why};
            };
            const auto from = point_of(e->from);
            const auto to = point_of(e->to);
            if (!from || !to) return refuse("no point of the board");
            const Move m(*from, *to);
            // What the head says of the turn is often wrong; who owns the first piece moves.
            if (first && !p.at(m.from).empty()) {
                p.set_turn(p.at(m.from).side());
                record_.start = p;
            }
            if (const Illegal why = why_illegal(p, m); why != Illegal::None)
                return refuse(rules::name(m.from) + rules::name(m.to) +
                              " is not allowed: " + std::string(rules::text(why)));
            // The siblings of a branch's first move leave the line that the branch leaves.
            const Line& l = record_.lines[line];
            const bool opens_branch = line != 0 && plies.empty();
            if (e->sibling)
                forks.push_back(
                    {opens_branch ? l.parent : line, opens_branch ? l.at : plies.size(), p});
            plies.push_back({m, {}, {}, {}, {}});
            notes.push_back({line, plies.size(), e->note});
            p.apply(m);
            if (e->next) continue;
            if (forks.empty()) return std::nullopt;
            const auto branch = record_.branch(forks.back().line, forks.back().ply);
            if (!branch) return Fault{e->at, "side lines that nest too deep"};
            line = *branch;
            p = forks.back().before;
            forks.pop_back();
        }
    }

    // ---------------------------------------------------------------- texts

    std::string_view head_text(const HeadText& t) const {
        return bytes_.substr(t.at + 1, std::min<std::size_t>(byte(t.at), t.most));
    }

    void add_texts(const std::vector<Pending>& notes) {
        std::string all;
        for (const auto& t : head_texts) all.append(head_text(t)) += '\n';
        for (const auto& note : notes) all.append(note.text) += '\n';
        const Encoding encoding = likely_encoding(all);
        for (const auto& t : head_texts) record_.add_tag(t.tag, in_utf8(head_text(t), encoding));
        if (byte(type_at) > 0 && byte(type_at) < types.size())
            record_.add_tag("Type", types[byte(type_at)]);
        for (const auto& note : notes) {
            Line& line = record_.lines[note.line];
            (note.ply == 0 ? line.comment : line.plies[note.ply - 1].comment) =
                in_utf8(note.text, encoding);
        }
    }

    static std::string in_utf8(std::string_view bytes, Encoding encoding) {
        std::string text = to_utf8_anyhow(bytes, encoding);
        std::erase(text, '\r');
        text.resize(text.find_last_not_of(std::string_view(" \n\t\0", 4)) + 1);
        return text;
    }

    std::string_view bytes_;
    int version_;
    xqf::Cipher cipher_;
    std::string plain_;  ///< the bytes, the cipher taken off what follows the head
    std::size_t at_;
    GameRecord record_;
};

}  // namespace

bool is_xqf(std::string_view bytes) {
    return bytes.starts_with("XQ") && bytes.size() > 2 && static_cast<Byte>(bytes[2]) < ' ';
}

Result<GameRecord> read_xqf(std::string_view bytes) {
    if (!is_xqf(bytes)) return Fault{0, "this is no XQF file"};
    if (bytes.size() < xqf::head_size)
        return Fault{bytes.size(), "the file is cut off within its head"};
    return Reader(bytes).run();
}

}  // namespace xq::rules::record
