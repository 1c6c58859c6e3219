// Mates by unbroken checks: an AND/OR search, deepened two plies at a time so that the shortest
// mate is found first, with what failed remembered by position.
#include "rules/checking.hpp"
#include "rules/forcing.hpp"

#include <algorithm>
#include <unordered_map>

namespace xq::rules {
namespace {

class MateSearch {
public:
    MateSearch(const Position& p, Budget& budget, const PointSet& barred)
        : position_(p), budget_(budget), barred_(barred) {}

    Mate run(int plies) {
        Mate mate;
        for (int depth = 1; depth <= plies; depth += 2) {
            cut_ = false;
            if (attack(depth, true)) {
                unroll(depth, mate.line);
                return mate;
            }
            if (budget_.spent()) {
                mate.proven = false;
                return mate;
            }
            if (!cut_) return mate;  // every run of checks has come to its end
        }
        return mate;
    }

private:
    /// The side to move mates in at most `depth` plies.
    bool attack(int depth, bool root = false) {
        const std::uint64_t key = position_.key();
        if (!root) {
            if (std::find(path_.begin(), path_.end(), key) != path_.end()) return false;
            const auto known = failed_.find(key);
            if (known != failed_.end() && known->second >= depth) {
                cut_ = cut_ || known->second < for_good;
                return false;
            }
            if (mates_.contains(key)) return true;
        }
        if (!budget_.take()) return false;
        const bool cut_before = cut_;
        cut_ = false;
        path_.push_back(key);
        MoveList moves;
        legal_moves(position_, moves);
        const CheckSieve sieve(position_);
        bool mates = false;
        for (const Move m : moves) {
            if (!sieve.may_check(m)) continue;
            if (barred_.contains(m.to) && !position_.at(m.to).empty()) continue;
            const Undo undo = position_.apply(m);
            mates = in_check(position_, position_.turn()) && !escapes(depth - 1);
            position_.undo(m, undo);
            if (mates) {
                mates_[key] = m;
                break;
            }
        }
        path_.pop_back();
        if (!mates && !budget_.spent()) failed_[key] = cut_ ? depth : for_good;
        cut_ = cut_ || cut_before;
        return mates;
    }

    bool escapes(int depth) {
        MoveList replies;
        legal_moves(position_, replies);
        if (replies.empty()) return false;
        if (depth == 0) {
            cut_ = true;
            return true;
        }
        return std::any_of(replies.begin(), replies.end(), [&](Move m) {
            const Undo undo = position_.apply(m);
            const bool mates = attack(depth - 1);
            position_.undo(m, undo);
            return !mates;
        });
    }

    /// Plays the mate out against the defence that lasts longest.
    void unroll(int depth, std::vector<Move>& line) {
        Position p = position_;
        while (depth > 0) {
            const auto found = mates_.find(p.key());
            if (found == mates_.end()) return;
            line.push_back(found->second);
            p.apply(found->second);
            const MoveList replies = legal_moves(p);
            if (replies.empty()) return;
            Move longest = replies[0];
            int most = -1;
            for (const Move m : replies) {
                const Position next = p.after(m);
                const int left = length(next, depth - 2);
                if (left > most) {
                    most = left;
                    longest = m;
                }
            }
            line.push_back(longest);
            p.apply(longest);
            depth -= 2;
        }
    }
    /// Plies of the known mate from `p`, by its first defence: enough to tell long from short.
    int length(Position p, int depth) {
        int plies = 0;
        for (; depth > 0; depth -= 2) {
            const auto found = mates_.find(p.key());
            if (found == mates_.end()) break;
            p.apply(found->second);
            ++plies;
            const MoveList replies = legal_moves(p);
            if (replies.empty()) break;
            p.apply(replies[0]);
            ++plies;
        }
        return plies;
    }

    static constexpr int for_good = 1000;
    Position position_;
    Budget& budget_;
    PointSet barred_;
    bool cut_ = false;
    std::vector<std::uint64_t> path_;
    std::unordered_map<std::uint64_t, int> failed_;  ///< position -> plies within which none
    std::unordered_map<std::uint64_t, Move> mates_;
};

}  // namespace

bool mates_at_once(const Position& p) {
    Position next = p;
    MoveList moves;
    legal_moves(p, moves);
    const CheckSieve sieve(p);
    return std::any_of(moves.begin(), moves.end(), [&](Move m) {
        if (!sieve.may_check(m)) return false;
        const Undo undo = next.apply(m);
        const bool mates = in_check(next, next.turn()) && !has_legal_move(next);
        next.undo(m, undo);
        return mates;
    });
}

Mate mate_by_checks(const Position& p, Budget& budget, int plies, const PointSet& barred) {
    return MateSearch(p, budget, barred).run(plies);
}

}  // namespace xq::rules
