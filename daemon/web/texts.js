// What the pages say, in Chinese and English. Rulings bring their own words in both.

const reasons = {
  illegal_move: ["违例着法", "illegal move"],
  suicide: ["送将", "general left to be taken"],
  touch_move: ["摸子走子", "touch-move"],
  touch_impossible: ["误摸棋子", "impossible touch"],
  knocked_pressed: ["碰乱棋局后按钟", "clock pressed over a disturbed board"],
  press_without_move: ["未走棋先按钟", "pressed without a move"],
  foul_limit: ["三次犯规", "third foul"],
  flag_fall: ["超时", "time over"],
  late: ["迟到", "absent at the start"],
  checkmate: ["将死", "checkmate"],
  stalemate: ["困毙", "stalemate"],
  natural_limit: ["自然限着", "natural limit of moves"],
  false_claim: ["错误提和", "false claim"],
  repetition: ["循环反复", "repetition"],
  draw_agreed: ["议和", "draw agreed"],
  no_winner_possible: ["双方均无可胜之力", "neither side can win"],
  resign: ["认负", "resignation"],
  conduct: ["违反纪律", "conduct"],
  arbiter: ["裁判员裁定", "arbiter's ruling"],
};

const words = {
  red: ["红方", "Red"],
  black: ["黑方", "Black"],
  board: ["棋盘", "Board"],
  moves: ["着法", "Moves"],
  check: ["将军", "Check"],
  live: ["直播", "LIVE"],
  delayed: ["延时", "DELAYED"],
  stale: ["信号中断", "NO SIGNAL"],
  connecting: ["正在连接", "Connecting"],
  minutes: ["分", "min"],
  seconds: ["秒", "s"],
  fouls: ["犯规", "fouls"],
  to_move: ["走棋", "to move"],
  checking: ["正在核对棋盘", "The board is being checked"],
  searching: ["棋盘连接中断", "The board is out of reach"],
  start: ["对局开始", "The game begins"],
  won: ["胜", "won"],
  lost: ["负", "lost"],
  drawn: ["和", "draw"],
  "1-0": ["红胜", "Red wins"],
  "0-1": ["黑胜", "Black wins"],
  "1/2-1/2": ["和棋", "Draw"],
  "0-0": ["双方判负", "Both lose"],
};

/// The words of one language: `say(key)`, `reason(code)`, and `of(object)` for {zh, en}.
export function language(lang) {
  const i = lang === "en" ? 1 : 0;
  return {
    lang: i ? "en" : "zh",
    say: (key) => words[key][i],
    reason: (code) => reasons[code]?.[i] ?? "",
    of: (object) => object[i ? "en" : "zh"],
    round: (n) => (i ? `Round ${n}` : `第 ${n} 回合`),
    quiet: (rounds) => (i ? `${rounds} without capture` : `${rounds} 回合未吃子`),
    delay(ms) {
      const [n, unit] = ms >= 60_000 ? [Math.round(ms / 60_000), "minutes"] : [ms / 1000, "seconds"];
      return `${words.delayed[i]} ${n} ${words[unit][i]}`;
    },
    side: (side) => words[side][i],
  };
}
