#include "protocol/ruling_texts.hpp"

#include <array>

namespace xq::protocol {

namespace {

constexpr std::array<RulingText, 27> table{{
    {Code::IllegalMove, "illegal_move", "4.1.8, 9.1.8", "违例着法", "illegal move"},
    {Code::Suicide, "suicide", "3.4, 4.1.3", "送将", "general left to be taken"},
    {Code::TouchMove, "touch_move", "5.1-5.5", "摸子走子", "touched piece must move"},
    {Code::TouchImpossible, "touch_impossible", "9.1.5", "触摸不能走动或不能吃的子",
     "touched piece cannot move or be taken"},
    {Code::Adjust, "adjust", "5.6", "摆正棋子", "pieces adjusted"},
    {Code::TookBack, "took_back", "5.7", "落子后悔棋", "released move taken back"},
    {Code::ColoursReversed, "colours_reversed", "5.8.1", "先后手颠倒", "colours reversed"},
    {Code::Misplaced, "misplaced", "5.8.2", "棋子错位", "piece out of place"},
    {Code::Knocked, "knocked", "5.9", "碰倒棋子", "pieces knocked over"},
    {Code::KnockedPressed, "knocked_pressed", "4.1.13", "碰乱棋局后按钟",
     "clock pressed over a disturbed board"},
    {Code::BetweenPoints, "between_points", "5.10", "棋子落点不清", "piece between two points"},
    {Code::PressWithoutMove, "press_without_move", "9.1.7, 4.1.9", "未走棋先按钟",
     "clock pressed without a move"},
    {Code::OutOfTurn, "out_of_turn", "2.1", "未轮到而走棋", "moved out of turn"},
    {Code::FoulLimit, "foul_limit", "4.1.10", "三次犯规", "third foul"},
    {Code::FlagFall, "flag_fall", "4.1.6, 21", "超时", "time over"},
    {Code::Late, "late", "4.1.7, 20", "迟到", "absent at the start"},
    {Code::Checkmate, "checkmate", "4.1.1", "将死", "checkmate"},
    {Code::Stalemate, "stalemate", "4.1.2", "困毙", "stalemate"},
    {Code::NaturalLimit, "natural_limit", "4.2.4, 22.2", "自然限着", "natural limit of moves"},
    {Code::FalseClaim, "false_claim", "9.1.4, 4.1.11", "错误提和", "false claim"},
    {Code::Repetition, "repetition", "23, 24-26", "循环反复", "repetition"},
    {Code::DrawOffers, "draw_offers", "9.1.3", "提和过多", "too many draw offers"},
    {Code::DrawAgreed, "draw_agreed", "4.2.1", "议和", "draw agreed"},
    {Code::NoWinnerPossible, "no_winner_possible", "4.2.2", "双方均无可胜之力",
     "neither side can win"},
    {Code::Resign, "resign", "4.1.12", "认负", "resigned"},
    {Code::Conduct, "conduct", "9.1.9, 4.1.14", "违反纪律", "conduct"},
    {Code::Arbiter, "arbiter", "", "裁判员裁定", "ruled by the arbiter"},
}};

constexpr bool in_order() {
    for (std::size_t i = 0; i < table.size(); ++i) {
        if (table[i].code != static_cast<Code>(i)) return false;
    }
    return table.back().code == Code::Arbiter;
}
static_assert(in_order(), "the table is indexed by Code");

}  // namespace

std::span<const RulingText> ruling_texts() {
    return table;
}

const RulingText& about(Code code) {
    return table[static_cast<std::size_t>(code)];
}

std::string_view text(Code c) {
    return about(c).text;
}

std::optional<Code> read_code(std::string_view text) {
    for (const RulingText& entry : table) {
        if (entry.text == text) return entry.code;
    }
    return {};
}

}  // namespace xq::protocol
