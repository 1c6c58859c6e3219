#include "xqf_writer.hpp"

#include "rules/record/encoding.hpp"

#include <map>
#include <stdexcept>

namespace xq::rules::tests {
namespace {

using record::GameRecord;
using Byte = unsigned char;

/// The bytes of the head that the cipher is made of, and what is made of them, in the words of the
/// program that first wrote such files.
struct Keys {
    Byte mask = 0;
    std::array<Byte, 4> ors{};
    Byte sum = 0, xy = 0, from = 0, to = 0;

    static Byte fold(Byte key, Byte by) {
        return static_cast<Byte>((((((key * key) * 3 + 9) * 3 + 8) * 2 + 1) * 3 + 8) * by);
    }
    Byte piece_key() const { return fold(xy, xy); }
    Byte from_key() const { return fold(from, piece_key()); }
    Byte to_key() const { return fold(to, from_key()); }
    int note_key() const { return (sum * 256 + xy) % 32000 + 767; }
    Byte stream(std::size_t i) const {
        static const std::string seed = "[(C) Copyright Mr. Dong Shiwei.]";
        const std::array<Byte, 4> back{sum, xy, from, to};
        const Byte key = static_cast<Byte>((back[i % 4] & mask) | ors[i % 4]);
        return static_cast<Byte>(static_cast<Byte>(seed[i % 32]) & key);
    }
};

class Writer {
public:
    Writer(const GameRecord& record, int version, std::mt19937& random)
        : record_(record), version_(version), head_(0x400, '\0') {
        if (version_ <= 10) return;
        const auto byte = [&] { return static_cast<Byte>(random()); };
        keys_ = {byte(), {byte(), byte(), byte(), byte()}, byte(), byte(), byte(), byte()};
    }

    std::string run() {
        head_[0] = 'X';
        head_[1] = 'Q';
        set(2, version_);
        set(3, keys_.mask);
        for (std::size_t i = 0; i < 4; ++i) set(8 + i, keys_.ors[i]);
        set(12, keys_.sum);
        set(13, keys_.xy);
        set(14, keys_.from);
        set(15, keys_.to);
        put_pieces();
        set(0x32, record_.start.turn() == Side::Black ? 1 : 0);
        const std::map<std::string, int> results{{"*", 0}, {"1-0", 1}, {"0-1", 2}, {"1/2-1/2", 3}};
        set(0x33, results.at(record_.result));
        put_text(0x50, "Title");
        put_text(0xD0, "Event");
        put_text(0x110, "Date");
        put_text(0x120, "Site");
        put_text(0x130, "Red");
        put_text(0x140, "Black");
        put_entry({0x18, 0x20}, !record_.plies().empty(), false, record_.lines[0].comment);
        put_rest(0, 0);
        for (std::size_t i = 0; i < moves_.size(); ++i)
            moves_[i] = static_cast<char>(moves_[i] + keys_.stream(i));
        return head_ + moves_;
    }

private:
    void set(std::size_t at, int value) { head_[at] = static_cast<char>(value); }

    void put_text(std::size_t at, std::string_view tag) {
        const auto text = record::from_utf8(record_.tag(tag), record::Encoding::Gb18030).value();
        set(at, static_cast<int>(text.size()));
        head_.replace(at + 1, text.size(), text);
    }

    static int place(Point p) { return file_of(p) * 10 + rank_of(p); }

    void put_pieces() {
        const std::string order = "RNBAKABNRCCPPPPPrnbakabnrccppppp";
        std::array<int, 32> places;
        places.fill(255);
        for (Point p = 0; p < points; ++p) {
            const Piece piece = record_.start.at(p);
            if (piece.empty()) continue;
            std::size_t slot = order.find(piece.fen());
            while (slot < 32 && (places[slot] != 255 || order[slot] != piece.fen())) ++slot;
            if (slot == 32) throw std::runtime_error("XQF has no place for this piece");
            places[slot] = place(p);
        }
        const Byte key = version_ > 10 ? keys_.piece_key() : Byte{0};
        for (std::size_t i = 0; i < 32; ++i) {
            const std::size_t slot = version_ >= 12 ? (key + i + 1U) % 32 : i;
            set(0x10 + i, places[slot] + key);
        }
    }

    void put_entry(std::pair<int, int> points, bool next, bool sibling, const std::string& text) {
        const auto note = record::from_utf8(text, record::Encoding::Gb18030).value();
        const bool plain = version_ <= 10;
        moves_ += static_cast<char>(points.first + (plain ? 0 : keys_.from_key()));
        moves_ += static_cast<char>(points.second + (plain ? 0 : keys_.to_key()));
        const int tag = plain
                            ? (next ? 0xF0 : 0) | (sibling ? 0x0F : 0)
                            : (next ? 0x80 : 0) | (sibling ? 0x40 : 0) | (note.empty() ? 0 : 0x20);
        moves_ += static_cast<char>(tag);
        moves_ += '\0';
        if (!plain && note.empty()) return;
        const auto length = static_cast<unsigned>(note.size()) +
                            (plain ? 0U : static_cast<unsigned>(keys_.note_key()));
        for (unsigned i = 0; i < 4; ++i) moves_ += static_cast<char>(length >> (8 * i));
        moves_ += note;
    }

    /// The branches that leave a ply of a line, in the order of the record.
    std::vector<std::size_t> branches(std::size_t line, std::size_t at) const {
        std::vector<std::size_t> all;
        for (std::size_t i = 1; i < record_.lines.size(); ++i)
            if (record_.lines[i].parent == line && record_.lines[i].at == at) all.push_back(i);
        return all;
    }

    /// A line from a ply on. What leaves a ply stands behind all that follows it.
    void put_rest(std::size_t index, std::size_t at, bool more_siblings = false) {
        const auto& plies = record_.lines[index].plies;
        if (at == plies.size()) return;
        const auto leaving = branches(index, at);
        const Move m = plies[at].move;
        put_entry({0x18 + place(m.from), 0x20 + place(m.to)}, at + 1 < plies.size(),
                  more_siblings || !leaving.empty(), plies[at].comment);
        put_rest(index, at + 1);
        for (const std::size_t branch : leaving) put_rest(branch, 0, branch != leaving.back());
    }

    const GameRecord& record_;
    int version_;
    Keys keys_;
    std::string head_;
    std::string moves_;
};

}  // namespace

std::string write_xqf(const GameRecord& record, int version, std::mt19937& random) {
    return Writer(record, version, random).run();
}

}  // namespace xq::rules::tests
