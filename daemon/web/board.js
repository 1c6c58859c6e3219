// The board as SVG: wood, lines, pieces with their Chinese characters. `show` moves what moved and
// leaves the rest alone; its size never depends on what it shows.
import { fileOf, pointAt, rankOf, readFen, sideOf } from "./position.js";

const svgNs = "http://www.w3.org/2000/svg";
const characters = {
  K: "帥", A: "仕", B: "相", N: "馬", R: "車", C: "炮", P: "兵",
  k: "將", a: "士", b: "象", n: "馬", r: "車", c: "砲", p: "卒",
  x: "?", X: "?", o: "?",
};
const english = { k: "general", a: "advisor", b: "elephant", n: "horse", r: "chariot", c: "cannon", p: "pawn" };
const numerals = "一二三四五六七八九";
/// Pieces leave the picture as they fade; a little longer than the transitions of board.css.
const fadeMs = 200;

export function svg(parent, name, attributes = {}, text = "") {
  const element = document.createElementNS(svgNs, name);
  for (const [key, value] of Object.entries(attributes)) element.setAttribute(key, value);
  if (text) element.textContent = text;
  parent.append(element);
  return element;
}

let boards = 0;

export class Board {
  #flipped;
  #marks;
  #layer;
  #pieces = new Map();
  #id = ++boards;

  /// `root` is an <svg>; `compact` leaves out the figures at the edge.
  constructor(root, { flipped = false, compact = false, label = "" } = {}) {
    this.root = root;
    this.#flipped = flipped;
    const edge = compact ? 64 : 98;
    root.setAttribute("viewBox", `${-edge} ${-edge} ${800 + 2 * edge} ${900 + 2 * edge}`);
    root.setAttribute("role", "img");
    root.setAttribute("aria-label", label);
    root.classList.add("board");
    this.#drawWood(edge);
    this.#drawLines();
    if (!compact) this.#drawNumbers();
    this.#marks = svg(root, "g", { class: "marks" });
    this.#layer = svg(root, "g", { class: "pieces" });
  }

  x(point) {
    return 100 * (this.#flipped ? 8 - fileOf(point) : fileOf(point));
  }
  y(point) {
    return 100 * (this.#flipped ? rankOf(point) : 9 - rankOf(point));
  }

  #drawWood(edge) {
    const defs = svg(this.root, "defs");
    const shine = svg(defs, "linearGradient", { id: `shine${this.#id}`, x2: 1, y2: 1 });
    svg(shine, "stop", { offset: 0, "stop-color": "#fff", "stop-opacity": 0.34 });
    svg(shine, "stop", { offset: 0.55, "stop-color": "#fff", "stop-opacity": 0 });
    svg(shine, "stop", { offset: 1, "stop-color": "#3a1d00", "stop-opacity": 0.2 });
    const face = svg(defs, "radialGradient", { id: `face${this.#id}`, cx: 0.38, cy: 0.3, r: 0.85 });
    svg(face, "stop", { offset: 0, "stop-color": "#fffaf0" });
    svg(face, "stop", { offset: 0.6, "stop-color": "#f8e7c4" });
    svg(face, "stop", { offset: 1, "stop-color": "#e3c48f" });
    const whole = { x: -edge, y: -edge, width: 800 + 2 * edge, height: 900 + 2 * edge };
    svg(this.root, "rect", { ...whole, rx: 20, class: "wood" });
    svg(this.root, "rect", { ...whole, rx: 20, class: "frame" });
    const rim = 14;
    const field = {
      x: rim - edge, y: rim - edge, rx: 10,
      width: 800 + 2 * (edge - rim), height: 900 + 2 * (edge - rim),
    };
    svg(this.root, "rect", { ...field, class: "wood" });
    svg(this.root, "rect", { ...field, fill: `url(#shine${this.#id})` });
  }

  #drawLines() {
    const lines = svg(this.root, "g", { class: "lines" });
    svg(lines, "rect", { x: -9, y: -9, width: 818, height: 918, class: "border" });
    let d = "";
    for (let rank = 0; rank < 10; ++rank) d += `M0 ${rank * 100}H800`;
    for (let file = 0; file < 9; ++file) {
      d += `M${file * 100} 0` + (file % 8 ? `V400M${file * 100} 500V900` : "V900");
    }
    d += "M300 0L500 200M500 0L300 200M300 900L500 700M500 900L300 700";
    for (const point of ["b2", "h2", "b7", "h7", "a3", "c3", "e3", "g3", "i3", "a6", "c6", "e6", "g6", "i6"]) {
      const [x, y] = [this.x(point), this.y(point)];
      for (const [sx, sy] of [[1, 1], [1, -1], [-1, 1], [-1, -1]]) {
        const outside = x + sx * 10 < 0 || x + sx * 10 > 800;
        if (!outside) d += `M${x + sx * 9} ${y + sy * 28}V${y + sy * 9}H${x + sx * 28}`;
      }
    }
    svg(lines, "path", { d });
    const river = svg(this.root, "g", { class: "river" });
    // Each side reads its own name: the characters lie towards the players' right hands.
    svg(river, "text", { x: 200, y: 468 }, "楚\u2003河");
    svg(river, "text", { x: 600, y: 468 }, "漢\u2003界");
  }

  #drawNumbers() {
    const numbers = svg(this.root, "g", { class: "numbers" });
    for (let file = 0; file < 9; ++file) {
      const x = this.x(pointAt(file, 0));
      const [red, black] = this.#flipped ? [-56, 976] : [976, -56];
      svg(numbers, "text", { x, y: red }, numerals[8 - file]);
      svg(numbers, "text", { x, y: black }, String(file + 1));
    }
  }

  #at(element, point) {
    element.style.transform = `translate(${this.x(point)}px, ${this.y(point)}px)`;
  }

  #make(letter, point) {
    const group = svg(this.#layer, "g", { class: `piece ${this.#sideClass(letter)} fresh` });
    this.#at(group, point);
    svg(group, "circle", { cx: 2, cy: 7, r: 45, class: "shadow" });
    svg(group, "circle", { cy: 3, r: 44.5, class: "rim" });
    svg(group, "circle", { r: 43.5, fill: `url(#face${this.#id})` });
    svg(group, "circle", { r: 37, class: "ring" });
    svg(group, "text", { y: 19.5 }, characters[letter]);
    // It fades in from the next picture on.
    requestAnimationFrame(() => requestAnimationFrame(() => group.classList.remove("fresh")));
    return { letter, group };
  }

  #sideClass(letter) {
    return { x: "untold", X: "red", o: "black" }[letter] ?? sideOf(letter);
  }

  #remove({ group }) {
    group.classList.add("gone");
    setTimeout(() => group.remove(), fadeMs);
  }

  /// `position` is a FEN or a Map; options: `last` ("h2e2"), `provisional`, `check` (a side).
  show(position, { last = null, provisional = false, check = null } = {}) {
    const wanted = typeof position === "string" ? readFen(position) : position;
    this.#arrange(wanted, last);
    this.#mark(last, provisional);
    for (const [, { letter, group }] of this.#pieces) {
      const king = check === "red" ? "K" : check === "black" ? "k" : "";
      group.classList.toggle("checked", letter === king);
    }
  }

  #arrange(wanted, last) {
    const arrivals = [];
    for (const [point, letter] of wanted) {
      if (this.#pieces.get(point)?.letter !== letter) arrivals.push([point, letter]);
    }
    const free = [];
    for (const [point, piece] of this.#pieces) {
      if (wanted.get(point) === piece.letter) continue;
      free.push([point, piece]);
      this.#pieces.delete(point);
    }
    for (const [point, letter] of arrivals) {
      // The one that the last move names, else any that has left its point.
      let i = free.findIndex(([from, p]) => p.letter === letter && last === from + point);
      if (i < 0) i = free.findIndex(([, p]) => p.letter === letter);
      if (i < 0) {
        this.#pieces.set(point, this.#make(letter, point));
        continue;
      }
      const [[, piece]] = free.splice(i, 1);
      this.#layer.append(piece.group);
      // Putting it on top starts its transition anew: let it begin from where it stands.
      piece.group.getBoundingClientRect();
      this.#at(piece.group, point);
      this.#pieces.set(point, piece);
    }
    for (const [, piece] of free) this.#remove(piece);
  }

  #mark(last, provisional) {
    this.#marks.replaceChildren();
    if (!last) return;
    for (const [point, kind] of [[last.slice(0, 2), "from"], [last.slice(2, 4), "to"]]) {
      this.mark(point, `last ${kind}${provisional ? " provisional" : ""}`);
    }
  }

  /// Corners around a point, in the style of board.css's class.
  mark(point, kind) {
    const d = "M-47 -24V-47H-24M24 -47H47V-24M47 24V47H24M-24 47H-47V24";
    const mark = svg(this.#marks, "g", { class: `mark ${kind}` });
    svg(mark, "path", { d });
    svg(mark, "circle", { r: 13 });
    mark.style.transform = `translate(${this.x(point)}px, ${this.y(point)}px)`;
    return mark;
  }

  /// "red general e0, …" for whoever does not see the picture.
  static describe(position) {
    const pieces = typeof position === "string" ? readFen(position) : position;
    return [...pieces]
      .map(([point, letter]) => `${sideOf(letter)} ${english[letter.toLowerCase()] ?? "piece"} ${point}`)
      .join(", ");
  }
}
