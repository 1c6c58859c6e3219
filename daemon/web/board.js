// The board, live: each message says the whole position, so each is drawn by itself.
"use strict";

const names = {
  K: "帅", A: "仕", B: "相", N: "马", R: "车", C: "炮", P: "兵",
  k: "将", a: "士", b: "象", n: "马", r: "车", c: "炮", p: "卒",
};
const svgNs = "http://www.w3.org/2000/svg";
const board = document.getElementById("board");
let clock = null;
let heard = 0;

function add(parent, name, attributes, text) {
  const element = document.createElementNS(svgNs, name);
  for (const [key, value] of Object.entries(attributes)) element.setAttribute(key, value);
  if (text) element.textContent = text;
  parent.append(element);
  return element;
}

const x = (file) => file * 100;
const y = (rank) => (9 - rank) * 100;

function drawLines() {
  const lines = add(board, "g", { stroke: "#6b4a2b", "stroke-width": 3, fill: "none" });
  for (let rank = 0; rank < 10; ++rank) add(lines, "path", { d: `M0 ${y(rank)}H800` });
  for (let file = 0; file < 9; ++file) {
    const river = file === 0 || file === 8 ? "V900" : "V400M" + x(file) + " 500V900";
    add(lines, "path", { d: `M${x(file)} 0${river}` });
  }
  add(lines, "path", { d: "M300 0L500 200M500 0L300 200M300 900L500 700M500 900L300 700" });
}

function drawPieces(message) {
  board.querySelector("#pieces")?.remove();
  const pieces = add(board, "g", { id: "pieces", "text-anchor": "middle", "font-size": 52 });
  for (const point of message.last ? [message.last.slice(0, 2), message.last.slice(2)] : []) {
    add(pieces, "rect", {
      x: x(point.charCodeAt(0) - 97) - 48, y: y(Number(point[1])) - 48, width: 96, height: 96,
      fill: "#e8b84a", opacity: 0.6, rx: 12,
    });
  }
  message.fen.split(" ")[0].split("/").forEach((row, i) => {
    let file = 0;
    for (const letter of row) {
      if (letter >= "1" && letter <= "9") { file += Number(letter); continue; }
      const colour = letter < "a" ? "#b3261e" : "#1c1c1c";
      add(pieces, "circle", {
        cx: x(file), cy: i * 100, r: 43, fill: "#fdf6e3", stroke: colour, "stroke-width": 4,
      });
      add(pieces, "text", { x: x(file), y: i * 100 + 19, fill: colour }, names[letter]);
      ++file;
    }
  });
}

function show(id, text, clockText, runs) {
  const row = document.getElementById(id);
  if (text !== null) row.querySelector(".name").textContent = text;
  row.querySelector(".clock").textContent = clockText;
  row.classList.toggle("runs", runs);
}

function minutes(ms) {
  const s = Math.max(0, Math.floor(ms / 1000));
  return Math.floor(s / 60) + ":" + String(s % 60).padStart(2, "0");
}

function drawClocks() {
  if (!clock) return;
  for (const side of ["red", "black"]) {
    const spent = clock.running === side ? performance.now() - heard : 0;
    show(side, null, clock.valid ? minutes(clock[side + "_ms"] - spent) : "", clock.running === side);
  }
}

function take(message) {
  if (message.type === "hello") {
    show("red", message.red || "红", "", false);
    show("black", message.black || "黑", "", false);
    document.title = [message.board, message.event].filter(Boolean).join(" · ");
    return;
  }
  clock = message.clock;
  heard = performance.now();
  drawClocks();
  drawPieces(message);
  const line = document.getElementById("line");
  if (message.type === "state") line.textContent = "";
  if (message.type === "move") line.textContent = `${message.ply}. ${message.zh}`;
  if (message.result) line.textContent += "  " + message.result;
  if (message.type === "ruling") document.getElementById("notice").textContent = message.zh;
  if (message.type === "state" || message.type === "move") document.getElementById("notice").textContent = "";
}

drawLines();
setInterval(drawClocks, 200);
new EventSource("events").onmessage = (event) => take(JSON.parse(event.data));
