// The picture for spectators and streams. Everything that can be chosen stands in the address.
import { Board } from "./board.js";
import { Clock, clockText } from "./clock.js";
import { Feed } from "./feed.js";
import { Game } from "./game.js";
import { fenFields, other } from "./position.js";
import { language } from "./texts.js";

const $ = (selector, root = document) => root.querySelector(selector);
const sides = ["red", "black"];

/// How long a ruling stays in sight; facts that change nothing go sooner.
const rulingMs = 20_000;
const infoMs = 8_000;
/// Fast enough for tenths of a second.
const tickMs = 50;
/// Below this the clock is shown in alarm.
const shortOfTime = 30_000;
/// Rounds without a capture that are worth a word.
const quietWorthSaying = 15;

const options = new URLSearchParams(location.search);
const choose = (key, allowed) => (allowed.includes(options.get(key)) ? options.get(key) : allowed[0]);

const texts = language(options.get("lang"));
const flipped = options.get("flip") === "1";

function dress() {
  const { body, documentElement } = document;
  documentElement.lang = texts.lang;
  body.dataset.layout = choose("layout", ["full", "board", "clocks", "lower"]);
  body.dataset.theme = choose("theme", ["dark", "light", "green"]);
  body.classList.toggle("transparent", options.get("transparent") === "1");
  body.classList.toggle("flipped", flipped);
  const size = Number(options.get("size"));
  if (size >= 10 && size <= 100) documentElement.style.setProperty("--size", size / 100);
  const colours = {
    board: "--wood", lines: "--line", red: "--red", black: "--black", mark: "--mark",
    background: "--background", panel: "--panel", text: "--text", accent: "--accent",
  };
  for (const [key, property] of Object.entries(colours)) {
    const value = options.get(key);
    if (value && CSS.supports("color", value)) body.style.setProperty(property, value);
  }
  for (const side of sides) $(`#${side}`).setAttribute("aria-label", texts.side(side));
  $("#moves").setAttribute("aria-label", texts.say("moves"));
}

dress();
const board = new Board($("#board"), { flipped, label: texts.say("board") });
const game = new Game();
const clock = new Clock();
let stale = null;
let said = null;

function write(element, text) {
  if (element.textContent !== text) element.textContent = text;
}

function outcome(side) {
  const result = game.now?.result;
  if (!result) return "";
  if (result === "1/2-1/2") return texts.say("drawn");
  return texts.say(result === (side === "red" ? "1-0" : "0-1") ? "won" : "lost");
}

function drawPlayer(side) {
  const card = $(`#${side}`);
  const { now, hello, fouls } = game;
  const given = hello?.[side];
  write($(".name", card), given || texts.side(side));
  card.classList.toggle("turn", !!now && !now.result && now.turn === side);
  card.classList.toggle("winner", outcome(side) === texts.say("won"));
  card.classList.toggle("checked", !!now?.check && !now.result && now.turn === side);
  const notes = [];
  if (outcome(side)) notes.push(outcome(side));
  else if (now?.check && now.turn === side) notes.push(texts.say("check"));
  else if (given) notes.push(texts.side(side));
  if (fouls[side]) notes.push(`${texts.say("fouls")} ${fouls[side]}`);
  write($(".note", card), notes.join(" · "));
}

function drawMeta() {
  const { hello, now } = game;
  write($("#event"), hello?.event || hello?.board || "");
  const facts = [];
  if (hello?.event && hello.board) facts.push(hello.board);
  if (now) {
    const { quiet, round } = fenFields(now.fen);
    facts.push(texts.round(round));
    if (quiet >= 2 * quietWorthSaying) facts.push(texts.quiet(quiet >> 1));
  }
  write($("#facts"), facts.join("  ·  "));
  const state = stale === null ? "connecting" : stale ? "stale" : hello?.delay_ms ? "delayed" : "live";
  $("#signal").className = state;
  write($("#signal"), state === "delayed" ? texts.delay(hello.delay_ms) : texts.say(state));
  document.body.classList.toggle("stale", state === "stale");
  document.title = [hello?.board, hello?.event].filter(Boolean).join(" · ") || "xiangqi";
}

function half(move, side) {
  const cell = document.createElement("span");
  cell.className = `half ${side}`;
  if (!move) return cell;
  if (move.status === "provisional") cell.classList.add("provisional");
  const [first, second] = texts.lang === "en" ? [move.wxf, move.zh] : [move.zh, move.wxf];
  for (const [tag, text] of [["b", first], ["i", second]]) {
    cell.append(Object.assign(document.createElement(tag), { textContent: text }));
  }
  return cell;
}

function drawMoves() {
  const list = $("#moves");
  const rows = game.rounds.map(({ number, red, black }) => {
    const row = document.createElement("li");
    const label = Object.assign(document.createElement("span"), { className: "number", textContent: number });
    row.append(label, half(red, "red"), half(black, "black"));
    return row;
  });
  list.replaceChildren(...rows);
  const halves = list.querySelectorAll(".half:not(:empty)");
  halves[halves.length - 1]?.classList.add("last");
  list.scrollTop = list.scrollHeight;
}

/// What is worth a line now: the end, a ruling, trouble with the board, else the move just made.
function notice() {
  const { now, board: physical, last } = game;
  if (!now) return ["", ""];
  if (now.result) {
    return [[texts.say(now.result), texts.reason(game.reason)].filter(Boolean).join(" · "), "result"];
  }
  if (said && performance.now() - said.at < (said.severity === "info" ? infoMs : rulingMs)) {
    return [texts.of(said), said.severity];
  }
  if (physical.link !== "online") return [texts.say("searching"), "trouble"];
  if (!physical.in_sync) return [texts.say("checking"), "trouble"];
  if (!last) return [texts.say("start"), "quiet"];
  const move = texts.lang === "en" ? `${last.wxf}  ${last.zh}` : `${last.zh}  ${last.wxf}`;
  return [`${texts.side(other(now.turn))}  ${move}`, "quiet"];
}

function drawNotice() {
  const [text, kind] = notice();
  const line = $("#notice");
  write(line, text);
  line.dataset.kind = kind;
}

function drawClocks() {
  for (const side of sides) {
    const time = $(`#${side} .time`);
    const left = clock.left(side);
    write(time, clockText(left));
    time.classList.toggle("short", left !== null && left < shortOfTime && clock.running === side);
    time.classList.toggle("runs", clock.running === side);
  }
}

function drawBoard() {
  const { now, last } = game;
  board.show(now.fen, {
    last: now.last,
    provisional: last?.status === "provisional",
    check: now.check ? now.turn : null,
  });
  board.root.setAttribute("aria-label", `${texts.say("board")}: ${Board.describe(now.fen)}`);
}

function hear(message) {
  if (message.type === "state" || message.type === "retract") said = null;
  if (message.type === "ruling") {
    if (message.status === "confirmed") said = { ...message, at: performance.now() };
    if (message.status === "dismissed" && said?.id === message.id) said = null;
  }
  game.take(message);
  if (message.type !== "hello") {
    clock.take(message);
    drawBoard();
    if (["state", "move", "retract"].includes(message.type)) drawMoves();
  }
  drawAll();
}

function drawAll() {
  sides.forEach(drawPlayer);
  drawMeta();
  drawNotice();
  drawClocks();
}

drawAll();
setInterval(() => {
  drawClocks();
  drawNotice();
}, tickMs);
new Feed("events", {
  message: hear,
  stale(silent) {
    stale = silent;
    if (silent) clock.freeze();
    drawAll();
  },
});
