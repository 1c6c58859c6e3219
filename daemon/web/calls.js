// The arbiter's calls as a table: what they are called for people, what each wants to be told.
// A field's `from` fills it in from how the game stands, so that two clicks do.

const side = { name: "side", kind: "fixed" };
const results = ["1-0", "0-1", "1/2-1/2", "0-0"];
const reasons = ["arbiter", "late", "resign", "draw_agreed", "no_winner_possible", "flag_fall",
  "checkmate", "stalemate", "repetition", "natural_limit", "conduct", "illegal_move"];

export const gameCalls = [
  { method: "game.pause", zh: "暂停", en: "Pause", key: "p" },
  { method: "game.resume", zh: "继续", en: "Resume", key: "r" },
  { method: "game.takeback", zh: "退回", en: "Take back", key: "t",
    fields: [{ name: "to_ply", kind: "number", zh: "退回到第几步", en: "back to ply", from: (s) => Math.max(0, s.ply - 1) }] },
  { method: "game.move", zh: "录入着法", en: "Enter a move", key: "e",
    fields: [
      { name: "iccs", kind: "text", zh: "着法 (h2e2)", en: "move", from: (s) => s.candidate ?? "" },
      { name: "ply", kind: "number", optional: true, zh: "第几步 (可空)", en: "ply, may be empty" },
    ] },
  { method: "game.stand", zh: "违例着法成立", en: "Illegal move stands",
    fields: [{ name: "ply", kind: "number", zh: "第几步", en: "ply", from: (s) => s.ply + 1 }] },
  { method: "clock.set", zh: "设定棋钟", en: "Set the clocks", key: "k",
    fields: [
      { name: "red_ms", kind: "time", zh: "红方时间", en: "Red", from: (s) => s.clock?.red_ms },
      { name: "black_ms", kind: "time", zh: "黑方时间", en: "Black", from: (s) => s.clock?.black_ms },
      { name: "running", kind: "choice", options: ["red", "black", null], zh: "走时方", en: "running", from: (s) => s.clock?.running ?? null },
    ] },
  { method: "board.accept", zh: "以实盘为准", en: "Accept the board as it stands" },
  { method: "board.designate", zh: "指定落点", en: "Designate a point",
    fields: [{ name: "point", kind: "text", zh: "交叉点 (e2)", en: "point", from: (s) => s.point ?? "" }] },
  { method: "position.set", zh: "摆设局面", en: "Set the position",
    fields: [{ name: "fen", kind: "text", zh: "FEN", en: "FEN", from: (s) => s.fen }] },
  { method: "game.result", zh: "判定结果", en: "Result",
    fields: [
      { name: "result", kind: "choice", options: results, zh: "结果", en: "result" },
      { name: "reason", kind: "choice", options: reasons, zh: "理由", en: "reason" },
    ] },
  { method: "game.new", zh: "新对局", en: "New game",
    fields: [
      { name: "red", kind: "text", optional: true, zh: "红方", en: "Red", from: (s) => s.red },
      { name: "black", kind: "text", optional: true, zh: "黑方", en: "Black", from: (s) => s.black },
      { name: "event", kind: "text", optional: true, zh: "赛事", en: "event", from: (s) => s.event },
      { name: "start_fen", kind: "text", optional: true, zh: "起始局面 (可空)", en: "start FEN, may be empty" },
    ] },
];

export const sideCalls = [
  { method: "foul.add", zh: "记犯规", en: "Foul",
    fields: [side, { name: "reason", kind: "text", zh: "事由", en: "reason", from: () => "不当行为" }] },
  { method: "touch.adjust", zh: "声明摆正", en: "Adjusts", fields: [side] },
  { method: "draw.offer", zh: "提和", en: "Offers a draw", fields: [side] },
  { method: "draw.accept", zh: "同意和棋", en: "Accepts", fields: [side] },
  { method: "draw.decline", zh: "拒绝和棋", en: "Declines", fields: [side] },
  { method: "claim.natural_limit", zh: "提自然限着", en: "Claims the natural limit", fields: [side] },
  { method: "claim.repetition", zh: "提循环反复", en: "Claims repetition", fields: [side] },
  { method: "resign", zh: "认负", en: "Resigns", fields: [side] },
];

/// "12:30", "1:02:03" or seconds, in ms; NaN for anything else.
export function readTime(text) {
  const parts = text.trim().split(":");
  if (parts.length > 3 || !parts.every((part) => /^\d+(\.\d+)?$/.test(part))) return NaN;
  return Math.round(parts.reduce((sum, part) => sum * 60 + Number(part), 0) * 1000);
}

/// Exactly what a field's time is, so that setting a clock to what it shows changes nothing.
export function writeTime(ms) {
  if (ms === undefined || ms === null) return "";
  const seconds = ms / 1000;
  const [h, m] = [Math.floor(seconds / 3600), Math.floor(seconds / 60) % 60];
  const s = (seconds % 60).toFixed(ms % 1000 ? 3 : 0);
  return `${h}:${String(m).padStart(2, "0")}:${s.split(".")[0].length < 2 ? "0" : ""}${s}`;
}

const readers = {
  text: (text) => text.trim(),
  number: (text) => Number(text),
  time: readTime,
  choice: (text) => (text === "null" ? null : text),
  fixed: (text) => text,
};

/// The parameters of a filled-in form; an empty field that may be empty is left out.
export function readFields(call, values) {
  const params = {};
  for (const { name, kind, optional } of call.fields ?? []) {
    const text = values.get(name) ?? "";
    if (optional && text.trim() === "") continue;
    params[name] = readers[kind](text);
  }
  return params;
}
