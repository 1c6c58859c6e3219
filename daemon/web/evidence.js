// What a ruling rests on, to look at: the line on a small board, step by step, and the facts.
import { Board } from "./board.js";
import { apply, notation, readFen } from "./position.js";

const labels = {
  iccs: "着法 move", zh: "", why: "原因 why", duty: "义务 duty", moved: "实际所走 moved instead",
  point: "交叉点 point", points: "交叉点 points", from: "自 from", touches: "触摸 touches",
  missing: "应有而无 missing", extra: "应无而有 extra", since_ply: "自第几步 since ply",
  fouls: "犯规次数 fouls", rounds: "回合 rounds", limit: "限着 limit", plies: "未吃子步数 plies without capture",
  from_ply: "循环起于 cycle from ply", length: "循环长度 its plies", times: "次数 times",
  outcome: "裁决 outcome", articles: "条文 articles", red: "红方 Red", black: "黑方 Black", reason: "事由 reason",
  red_checks: "红方将军 Red's checks", black_checks: "黑方将军 Black's checks", fell_at: "旗落 fell at",
  restart_within_ms: "可重赛毫秒 may restart within ms",
};
const hidden = new Set(["classes", "plies_from", "zh", "hand_seen"]);

function element(tag, properties = {}, ...children) {
  const made = Object.assign(document.createElement(tag), properties);
  made.append(...children);
  return made;
}

function words(value) {
  if (Array.isArray(value)) return value.map(words).join(", ");
  if (value && typeof value === "object") {
    return [value.point, value.piece, value.own && `own ${value.own}`, value.enemy && `enemy ${value.enemy}`]
      .filter(Boolean).join(" ") || JSON.stringify(value);
  }
  return String(value);
}

/// The record up to a ply, as a position.
function positionAt(game, ply) {
  const pieces = readFen(game.startFen);
  for (const { iccs } of game.moves.slice(0, ply)) apply(pieces, iccs);
  return pieces;
}

/// The moves that the evidence names and the ply before them; none: the position alone.
function lineOf(ruling, game) {
  const { evidence } = ruling;
  if (evidence.classes?.length) {
    return { before: (evidence.plies_from ?? evidence.from_ply ?? 1) - 1, steps: evidence.classes };
  }
  if (evidence.iccs) {
    const stands = game.moves[ruling.ply - 1]?.iccs === evidence.iccs;
    return { before: ruling.ply - (stands ? 1 : 0), steps: [{ iccs: evidence.iccs, en: evidence.why ?? "" }] };
  }
  return { before: ruling.ply, steps: [] };
}

function pointsOf({ touches = [], point, points, missing = [], extra = [] }) {
  const named = typeof points === "string" ? points.match(/[a-i]\d/g) ?? [] : points ?? [];
  return [...touches.map((t) => t.point), point, ...named, ...missing.map((m) => m.point), ...extra.map((m) => m.point)]
    .filter((p) => /^[a-i]\d$/.test(p ?? ""));
}

/// The evidence of one ruling as an element.
export function evidenceView(ruling, game) {
  const facts = element("dl", { className: "facts" });
  for (const [key, value] of Object.entries(ruling.evidence)) {
    if (hidden.has(key)) continue;
    facts.append(element("dt", { textContent: labels[key] || key }), element("dd", { textContent: words(value) }));
  }
  const root = document.createElementNS("http://www.w3.org/2000/svg", "svg");
  const board = new Board(root, { compact: true, label: `证据局面 position of the evidence` });
  const { before, steps } = lineOf(ruling, game);
  const said = element("p", { className: "step" });
  let at = steps.length ? 1 : 0;
  function show() {
    const pieces = positionAt(game, before);
    let text = "";
    for (const { iccs, class: kind, en, zh } of steps.slice(0, at)) {
      text = [notation(pieces, iccs).zh, iccs, kind, zh, en].filter(Boolean).join(" · ");
      apply(pieces, iccs);
    }
    board.show(pieces, { last: at ? steps[at - 1].iccs : null });
    for (const point of pointsOf(ruling.evidence)) board.mark(point, "extra");
    said.textContent = steps.length ? `${at}/${steps.length}  ${text}` : "";
  }
  const view = element("div", { className: "evidence" }, element("div", { className: "small-board" }, root));
  const side = element("div", {}, facts);
  if (steps.length > 0) {
    const go = (by) => () => { at = Math.min(steps.length, Math.max(0, at + by)); show(); };
    side.append(element("div", { className: "stepper" },
      element("button", { type: "button", textContent: "◀", ariaLabel: "上一步 back", onclick: go(-1) }),
      element("button", { type: "button", textContent: "▶", ariaLabel: "下一步 forward", onclick: go(1) })), said);
  }
  view.append(side);
  show();
  return view;
}
