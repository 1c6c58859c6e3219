// The arbiter's desk. It shows what the daemon says and asks the daemon for everything; nothing is
// decided here, and no call is ever sent twice without a person asking for it.
import { Alarm } from "./alarm.js";
import { Board } from "./board.js";
import { gameCalls, readFields, sideCalls, writeTime } from "./calls.js";
import { Clock, clockText } from "./clock.js";
import { evidenceView } from "./evidence.js";
import { Game } from "./game.js";
import { pointAt, sideOf } from "./position.js";
import { Rpc } from "./rpc.js";

const $ = (selector, root = document) => root.querySelector(selector);
const sides = ["red", "black"];
const sideNames = { red: "红方 Red", black: "黑方 Black" };
const formats = ["pgn", "dhtmlxq", "txt", "html", "log"];
/// `status` is asked after what happens, and this often besides.
const refreshMs = 2_000;
const forbidden = -32001;
/// What follows upon a call of this desk within so long is no news to its arbiter.
const ownMs = 1_500;

const official = new Board($("#official"), { label: "正式局面 official position" });
const physical = new Board($("#physical"), { label: "实际棋盘 physical board" });
const game = new Game();
const clock = new Clock();
const alarm = new Alarm(drawAlarm);
/// Every ruling heard, by game and id: a `state` forgets those that are done, the desk does not.
const history = new Map();
let status = null;
let board = null;
let asking = false;
let askAgain = false;
let token = null;
/// After a decision the next proposal moves up: a second click so soon was not meant for it.
const settleMs = 700;
let calledAt = -Infinity;
let decidedAt = -Infinity;
/// Rulings being answered: their buttons rest until the answer is there.
const pending = new Set();

function element(tag, properties = {}, ...children) {
  const made = Object.assign(document.createElement(tag), properties);
  made.append(...children);
  return made;
}
const both = ({ zh, en }) => [zh, " ", element("i", { textContent: en })];

// --- What comes in ---------------------------------------------------------------------------

const rpc = new Rpc(new URL("arbiter", location.href.replace(/^http/, "ws")).href, {
  async open() {
    if (token && !(await signIn())) return;
    await begin();
  },
  closed() {
    showLine("closed", "连接中断 line broken");
    $("#login-error").textContent = "连接中断 line broken";
    clock.freeze();
    alarm.raise("line", "与棋台的连接中断 The line to the board's daemon is broken");
    enable();
  },
  note(message) {
    take(message);
  },
});

async function begin() {
  try {
    await rpc.call("watch");
  } catch (error) {
    if (error.code === forbidden) return askToken();
    return complain(error);
  }
  $("#login").close();
  showLine("open", "已连接 connected");
  alarm.withdraw("line");
  enable();
  await refresh();
}

function take(message) {
  game.take(message);
  if (message.type === "hello") return;
  clock.take(message);
  if (message.type === "ruling") {
    history.set(`${message.game}:${message.id}`, message);
    ringFor(message);
  }
  if (message.type === "board") ringForBoard(message);
  if (message.type !== "clock" && message.type !== "heartbeat") refresh();
  draw();
}

function ringFor({ id, game: number, status: state, severity, zh, en }) {
  const key = `ruling ${number}:${id}`;
  const own = performance.now() - calledAt < ownMs;
  const news = state === "confirmed" && severity !== "info" && !own;
  if (state === "proposed" || news) alarm.raise(key, `${zh} ${en}`);
  else alarm.withdraw(key);
}

function ringForBoard({ link, in_sync, candidates }) {
  if (link !== "online") alarm.raise("board", "棋盘连接中断 The board is out of reach");
  else if (candidates.length) alarm.raise("board", `请指明着法 Which move was it: ${candidates.join(", ")}?`);
  else if (!in_sync) alarm.raise("board", "实盘与局面不符 The board differs from the position");
  else alarm.withdraw("board");
}

/// Asks for the status; what is wanted meanwhile is asked once more afterwards.
async function refresh() {
  if (asking) {
    askAgain = true;
    return;
  }
  asking = true;
  try {
    [status, board] = await Promise.all([rpc.call("status"), rpc.call("board.status")]);
    const fault = status.journal?.durable === false ? status.journal.fault || "journal" : null;
    if (fault) alarm.raise("journal", `记录未能保存 The journal is not safe: ${fault}`);
    else alarm.withdraw("journal");
    draw();
  } catch (error) {
    if (!error.lost && rpc.open) complain(error);
  }
  asking = false;
  if (askAgain) {
    askAgain = false;
    refresh();
  }
}

// --- What is shown ---------------------------------------------------------------------------

function showLine(kind, text) {
  $("#line").className = kind;
  $("#line").textContent = text;
}

/// Whether a reading can be the piece that should stand there: `x` is some piece, `X` and `o` some
/// red and some black one.
function agrees({ expected, reads }) {
  if (expected === reads) return true;
  if (expected === "." || reads === ".") return false;
  return reads === "x" || (reads === "X" && sideOf(expected) === "red") || (reads === "o" && sideOf(expected) === "black");
}

function drawBoards() {
  const { now, last } = game;
  if (!now) return;
  official.show(now.fen, {
    last: now.last, provisional: last?.status === "provisional", check: now.check ? now.turn : null,
  });
  const points = board?.points ?? [];
  physical.show(new Map(points.filter((p) => p.reads !== ".").map((p) => [p.point, p.reads])));
  const differing = points.filter((p) => !p.masked && !agrees(p));
  for (const { point, expected, masked } of points) {
    if (masked) physical.mark(point, "fault");
    if (!differing.some((p) => p.point === point)) continue;
    official.mark(point, expected === "." ? "extra" : "missing");
    physical.mark(point, expected === "." ? "extra" : "missing");
  }
  for (const { point } of board?.faults ?? []) if (point) physical.mark(point, "fault");
  $("#ply").textContent = `第 ${now.ply} 步 · ply ${now.ply}${last ? ` · ${last.zh}` : ""}`;
  const link = board?.link ?? game.board.link;
  $("#link").textContent = { online: "在线 online", searching: "搜索中 searching", offline: "离线 offline" }[link];
  $("#link").className = link === "online" ? "" : "bad";
  drawDifference(points, differing);
}

function drawDifference(points, differing) {
  const line = $("#difference");
  const words = differing.map((p) => `${p.point} ${p.expected === "." ? "—" : p.expected}→${p.reads === "." ? "—" : p.reads}`);
  for (const { point, fault } of board?.faults ?? []) words.push(`${point ?? "全盘 whole board"}: ${fault}`);
  line.replaceChildren();
  if (words.length) line.append(`不符 ${differing.length} 处 · differing points: ${words.join("  ")}`);
  else line.append(points.length ? "实盘与局面一致 The board agrees with the position" : "尚无读数 No reading yet");
  // A piece in a hand is no trouble: the daemon says when it is.
  line.classList.toggle("bad", words.length > 0 && !board.in_sync);
  for (const iccs of game.board.candidates ?? []) {
    line.append(" ", element("button", {
      type: "button", textContent: `是 ${iccs} it was`, onclick: () => send("game.move", { iccs }),
    }));
  }
}

function drawPlayers() {
  for (const side of sides) {
    const card = $(`#${side}`);
    $("h2", card).textContent = `${sideNames[side]} ${status?.[side] || game.hello?.[side] || ""}`;
    const { now } = game;
    card.classList.toggle("turn", !!now && !now.result && now.turn === side);
    const facts = [`犯规 fouls ${status?.fouls?.[side] ?? game.fouls[side]}`];
    if (now?.turn === side && !now.result) facts.push("走棋 to move");
    if (now?.check && now.turn === side) facts.push("被将军 in check");
    if (status?.offer === side) facts.push("提和 offers a draw");
    $(".facts", card).textContent = facts.join(" · ");
  }
  const words = [];
  if (status?.duty) words.push(`义务 duty: ${status.duty}`);
  if (status?.paused) words.push("已暂停 paused");
  if (status?.restoring) words.push("正在恢复局面 pieces are being set back");
  if (game.now?.result) words.push(`结果 result: ${game.now.result} ${game.reason ?? ""}`);
  $("#duty").textContent = words.join(" · ");
}

function drawClocks() {
  for (const side of sides) $(`#${side} .time`).textContent = clockText(clock.left(side));
}

const waitingRulings = () => [...game.rulings.values()].filter((r) => r.status === "proposed");

function drawProposals() {
  const area = $("#proposals");
  const waiting = waitingRulings();
  const wanted = waiting.map((r) => `${r.game}:${r.id}:${pending.has(r.id)}`).join();
  // Drawn anew only when something changed: a click must not miss a button that was replaced.
  if (area.dataset.shown === wanted) return;
  area.dataset.shown = wanted;
  area.replaceChildren(...waiting.map(proposal));
  if (!waiting.length) area.append(element("p", { className: "small", textContent: "没有待裁定事项 Nothing waits" }));
}

function proposal(ruling, i) {
  const { id, zh, en, article, side, severity } = ruling;
  const hint = (key) => (i === 0 ? element("kbd", { textContent: key }) : "");
  const rests = pending.has(id) || !rpc.open;
  return element("article", { className: `proposal${pending.has(id) ? " pending" : ""}`, id: `ruling-${id}` },
    element("h3", { textContent: zh }), element("p", { textContent: en }),
    element("p", { className: "article", textContent: [side && sideNames[side], severity, article && `§ ${article}`].filter(Boolean).join(" · ") }),
    evidenceView(ruling, game),
    element("div", { className: "buttons" },
      element("button", { type: "button", className: "confirm", disabled: rests, onclick: () => decide("ruling.confirm", id) }, "确认 ", element("i", { textContent: "Confirm" }), " ", hint("C")),
      element("button", { type: "button", disabled: rests, onclick: () => decide("ruling.dismiss", id) }, "驳回 ", element("i", { textContent: "Dismiss" }), " ", hint("X"))));
}

function drawHistory() {
  const shown = [...history.values()].reverse();
  $("#history").replaceChildren(...shown.map(({ game: number, id, ply, zh, en, article, status: state }) =>
    element("li", {}, element("span", { className: "small", textContent: `${number}-${id} · ${ply}` }),
      element("span", { title: en, textContent: `${zh}${article ? ` (§ ${article})` : ""}` }),
      element("span", { className: state, textContent: { proposed: "待裁定", confirmed: "已确认", dismissed: "已驳回" }[state] }))));
}

function drawAlarm() {
  $("#sound").classList.toggle("armed", alarm.armed);
  $("#sound").textContent = alarm.armed ? "声音已开 Sound is on" : "开启声音 Sound on";
  $("#alarm").hidden = alarm.reasons.length === 0;
  $("#alarms").replaceChildren(...alarm.reasons.map((text) => element("li", { textContent: text })));
}

function draw() {
  $("#title").textContent = [game.hello?.board, status?.event || game.hello?.event].filter(Boolean).join(" · ");
  drawBoards();
  drawPlayers();
  drawClocks();
  drawProposals();
  drawHistory();
}

// --- What goes out ---------------------------------------------------------------------------

function complain(error) {
  alarm.raise(`error ${error.message}`, `未执行 Not done: ${error.message}`);
}

/// The answer lost, the call may or may not have taken effect: a person looks and says.
function unsure(method, params) {
  const area = $("#unsure");
  const line = element("div", { className: "buttons" });
  const done = () => { line.remove(); area.hidden = !area.childElementCount; };
  line.append(
    element("span", { textContent: `连接中断，不知是否已执行。请先核对局面。 The line broke: nobody knows whether this was done; look first. ${method} ${JSON.stringify(params ?? {})}` }),
    element("button", { type: "button", textContent: "再执行一次 Do it again", onclick: () => { done(); send(method, params); } }),
    element("button", { type: "button", textContent: "不再执行 Leave it", onclick: done }));
  area.append(line);
  area.hidden = false;
}

/// Sends once. Gives the error's message, or null where it was carried out.
async function send(method, params) {
  calledAt = performance.now();
  try {
    await rpc.call(method, params);
    refresh();
    return null;
  } catch (error) {
    if (error.lost) {
      unsure(method, params);
      return null;
    }
    return error.message;
  }
}

async function decide(method, id) {
  if (pending.has(id) || performance.now() - decidedAt < settleMs) return;
  decidedAt = performance.now();
  pending.add(id);
  drawProposals();
  const failed = await send(method, { id });
  if (failed) complain({ message: failed });
  pending.delete(id);
  drawProposals();
}

const context = () => ({ ...status, ply: game.now?.ply ?? 0, fen: game.now?.fen ?? "", clock: {
  ...game.now?.clock, red_ms: Math.round(clock.left("red") ?? 0), black_ms: Math.round(clock.left("black") ?? 0) },
  candidate: game.board.candidates?.[0] });

function input({ name, kind, options, from }, given) {
  const value = from?.({ ...context(), ...given });
  if (kind === "choice") {
    const select = element("select", { name });
    for (const option of options) {
      select.append(element("option", { value: String(option), textContent: option ?? "无 none", selected: option === value }));
    }
    return select;
  }
  const text = kind === "time" ? writeTime(value) : value ?? "";
  return element("input", { name, type: kind === "number" ? "number" : "text", value: text, autocomplete: "off" });
}

/// Opens the question of a call: what it needs, filled in, and one button that does it.
function ask(call, given = {}) {
  const dialog = $("#ask");
  const form = $("form", dialog);
  $("#ask-title").replaceChildren(...both(call), given.side ? ` — ${sideNames[given.side]}` : "");
  $("#ask-error").textContent = "";
  $("#ask-fields").replaceChildren(...(call.fields ?? []).map((field) => (field.kind === "fixed"
    ? element("input", { type: "hidden", name: field.name, value: given[field.name] })
    : element("label", {}, ...both(field), input(field, given)))));
  let sent = false;
  form.onsubmit = async (event) => {
    event.preventDefault();
    if (sent) return;
    sent = true;
    $("#ask-do").disabled = true;
    const failed = await send(call.method, readFields(call, new FormData(form)));
    $("#ask-do").disabled = false;
    sent = false;
    if (failed) $("#ask-error").textContent = failed;
    else dialog.close();
  };
  dialog.showModal();
  $("#ask-do").focus();
}

async function exportRecord(format) {
  try {
    const { text } = await rpc.call("record.export", { format });
    const link = element("a", { download: `game-${game.now?.game ?? 0}.${format === "dhtmlxq" ? "txt" : format}`,
      href: URL.createObjectURL(new Blob([text])) });
    link.click();
    URL.revokeObjectURL(link.href);
  } catch (error) {
    complain(error);
  }
}

/// Shows the token on a fresh line; whether it is good.
async function signIn() {
  try {
    await rpc.call("auth", { token });
    return true;
  } catch (error) {
    if (error.lost) return false;
    token = null;
    askToken(error.message);
    return false;
  }
}

function askToken(why = "") {
  rpc.rest();
  enable();
  showLine("closed", "请输入口令 token wanted");
  $("#login-error").textContent = why;
  if (!$("#login").open) $("#login").showModal();
}

// --- Buttons and keys ------------------------------------------------------------------------

function callButton(call, given) {
  const button = element("button", { type: "button", onclick: () => ask(call, given) }, ...both(call));
  button.dataset.call = call.method;
  if (call.key) button.append(" ", element("kbd", { textContent: call.key.toUpperCase() }));
  return button;
}

/// Nothing can be asked of a daemon that is not there.
function enable() {
  for (const button of document.querySelectorAll("#calls button")) button.disabled = !rpc.open;
  delete $("#proposals").dataset.shown;
  drawProposals();
}

function pointClicked(drawnBoard, event) {
  const { a, d, e, f } = drawnBoard.root.getScreenCTM();
  const [file, row] = [Math.round((event.clientX - e) / a / 100), Math.round((event.clientY - f) / d / 100)];
  return file < 0 || file > 8 || row < 0 || row > 9 ? null : pointAt(file, 9 - row);
}

const find = (method) => gameCalls.find((call) => call.method === method);
let picked = null;

function build() {
  $("#game-calls").append(...gameCalls.map((call) => callButton(call)));
  for (const side of sides) {
    $("#side-calls").append(element("fieldset", { className: side },
      element("legend", { textContent: sideNames[side] }), ...sideCalls.map((call) => callButton(call, { side }))));
  }
  $("#exports").append(...formats.map((format) =>
    element("button", { type: "button", onclick: () => exportRecord(format), textContent: `导出 Export ${format}` })));
  $("#official").addEventListener("click", (event) => {
    const point = pointClicked(official, event);
    if (!point || !rpc.open) return;
    if (picked === null || picked === point) {
      official.mark(point, "option");
      picked = point;
      return;
    }
    ask(find("game.move"), { candidate: picked + point });
    picked = null;
  });
  $("#physical").addEventListener("click", (event) => {
    const point = pointClicked(physical, event);
    if (point && rpc.open) ask(find("board.designate"), { point });
  });
  $("#ask-leave").onclick = () => $("#ask").close();
  $("#quiet").onclick = () => alarm.quiet();
  $("#sound").onclick = () => alarm.arm();
  document.addEventListener("pointerdown", () => alarm.arm(), { once: true });
  $("#login form").onsubmit = (event) => {
    event.preventDefault();
    token = $("#token").value.trim();
    $("#token").value = "";
    $("#login-error").textContent = "";
    rpc.resume();
  };
  // There is nothing to do here without a token.
  $("#login").oncancel = (event) => event.preventDefault();
  $("#login").onclose = () => { if (!token && !rpc.open) askToken(); };
  document.addEventListener("keydown", (event) => {
    if (event.ctrlKey || event.altKey || event.metaKey || event.repeat) return;
    if ($("dialog[open]") || event.target.matches("input, select, textarea")) return;
    const key = event.key.toLowerCase();
    const first = waitingRulings()[0];
    if (key === "m") alarm.quiet();
    else if (key === "c" && first) decide("ruling.confirm", first.id);
    else if (key === "x" && first) decide("ruling.dismiss", first.id);
    else if (rpc.open) {
      const call = gameCalls.find((c) => c.key === key);
      if (!call) return;
      event.preventDefault();
      ask(call);
    }
  });
}

build();
enable();
drawAlarm();
draw();
setInterval(drawClocks, 100);
setInterval(() => { if (rpc.open) refresh(); }, refreshMs);
