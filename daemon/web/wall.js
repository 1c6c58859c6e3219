// Many boards on one screen, each followed over its own line: ?boards=host:port,host:port. Without
// that, the form asks for them; `lang=en` for English.
import { Board } from "./board.js";
import { Clock, clockText } from "./clock.js";
import { Feed } from "./feed.js";
import { Game } from "./game.js";
import { language } from "./texts.js";

const options = new URLSearchParams(location.search);
const texts = language(options.get("lang"));
const wall = document.getElementById("wall");
const sides = ["black", "red"];
/// Height of a table by its width, as in wall.css.
const proportion = 1.36;
/// Narrower boards cannot be read: then the wall scrolls.
const narrowest = 130;

function element(tag, properties = {}, ...children) {
  const made = Object.assign(document.createElement(tag), properties);
  made.append(...children);
  return made;
}

class Table {
  #game = new Game();
  #clock = new Clock();
  #stale = null;

  constructor(address) {
    const base = new URL(`${location.protocol}//${address}/`);
    this.name = element("span", { textContent: address });
    this.note = element("span", { className: "note" });
    this.players = Object.fromEntries(sides.map((side) => [side, {
      row: element("div", { className: `player ${side}` }),
      name: element("span", { textContent: texts.side(side) }),
      time: element("span", { className: "time", textContent: clockText(null) }),
    }]));
    for (const { row, name, time } of Object.values(this.players)) row.append(name, time);
    const svg = document.createElementNS("http://www.w3.org/2000/svg", "svg");
    this.root = element("a", { className: "table", href: new URL("overlay", base).href },
      element("header", {}, this.name, this.note), this.players.black.row,
      element("div", { className: "picture" }, svg), this.players.red.row);
    this.board = new Board(svg, { compact: true, label: `${texts.say("board")} ${address}` });
    this.#draw();
    new Feed(new URL("events", base).href, {
      message: (message) => this.#hear(message),
      stale: (silent) => {
        this.#stale = silent;
        if (silent) this.#clock.freeze();
        this.#draw();
      },
    });
  }

  #hear(message) {
    this.#game.take(message);
    if (message.type !== "hello") {
      this.#clock.take(message);
      const { fen, last, check, turn } = message;
      this.board.show(fen, { last, check: check ? turn : null,
        provisional: this.#game.last?.status === "provisional" });
    }
    this.#draw();
  }

  #draw() {
    const { hello, now } = this.#game;
    if (hello) this.name.textContent = hello.board;
    const over = now?.result;
    const bad = this.#stale !== false;
    let note = now ? texts.round(Math.max(1, (now.ply + 1) >> 1)) : "";
    if (over) note = texts.say(over);
    if (bad) note = texts.say(this.#stale === null ? "connecting" : "stale");
    this.note.textContent = note;
    this.note.className = `note${bad ? " bad" : over ? " over" : ""}`;
    this.root.classList.toggle("stale", this.#stale === true);
    for (const side of sides) {
      const { row, name } = this.players[side];
      name.textContent = hello?.[side] || texts.side(side);
      row.classList.toggle("turn", !!now && !over && now.turn === side);
    }
    this.tick();
  }

  tick() {
    for (const side of sides) {
      const text = clockText(this.#clock.left(side));
      const { time } = this.players[side];
      if (time.textContent !== text) time.textContent = text;
    }
  }
}

/// The number of columns that makes the boards as large as the window allows.
function fit(count) {
  const gap = 0.006 * Math.min(innerWidth, innerHeight);
  let best = 0;
  let columns = 1;
  for (let n = 1; n <= count; ++n) {
    const rows = Math.ceil(count / n);
    const wide = (innerWidth - gap * (n + 1)) / n;
    const high = (innerHeight - gap * (rows + 1)) / rows / proportion;
    if (Math.min(wide, high) > best) [best, columns] = [Math.min(wide, high), n];
  }
  const scrolls = best < narrowest;
  if (scrolls) {
    columns = Math.max(1, Math.floor((innerWidth - gap) / (narrowest + gap)));
    best = (innerWidth - gap * (columns + 1)) / columns;
  }
  document.body.classList.toggle("scrolling", scrolls);
  wall.style.setProperty("--w", `${Math.floor(best)}px`);
  wall.style.gridTemplateColumns = `repeat(${columns}, max-content)`;
}

document.documentElement.lang = texts.lang;
const addresses = (options.get("boards") ?? "").split(",").map((a) => a.trim())
  .filter((a) => /^[\w.:[\]-]+$/.test(a));
if (addresses.length === 0) {
  const form = document.getElementById("ask");
  form.hidden = false;
  form.elements.boards.value = location.host;
} else {
  const tables = addresses.map((address) => new Table(address));
  wall.append(...tables.map((table) => table.root));
  fit(tables.length);
  addEventListener("resize", () => fit(tables.length));
  setInterval(() => tables.forEach((table) => table.tick()), 100);
}
