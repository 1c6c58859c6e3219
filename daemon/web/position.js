// A position as a Map from point ("e0") to FEN letter, and its moves in Chinese and WXF. The daemon
// sends both with each move; a `state` has ICCS alone, and this writes what the daemon would.

export const startFen = "rnbakabnr/9/1c5c1/p1p1p1p1p/9/9/P1P1P1P1P/1C5C1/9/RNBAKABNR w - - 0 1";

export const sideOf = (letter) => (letter < "a" ? "red" : "black");
export const other = (side) => (side === "red" ? "black" : "red");
export const fileOf = (point) => point.charCodeAt(0) - 97;
export const rankOf = (point) => point.charCodeAt(1) - 48;
export const pointAt = (file, rank) => String.fromCharCode(97 + file) + rank;
export const fromOf = (iccs) => iccs.slice(0, 2);
export const toOf = (iccs) => iccs.slice(2, 4);
export const kindOf = (letter) => letter.toUpperCase();

export function readFen(fen) {
  const pieces = new Map();
  fen.split(" ")[0].split("/").forEach((row, i) => {
    let file = 0;
    for (const letter of row) {
      if (letter >= "1" && letter <= "9") file += Number(letter);
      else pieces.set(pointAt(file++, 9 - i), letter);
    }
  });
  return pieces;
}

/// The turn, the plies since a piece was taken and the number of the round.
export function fenFields(fen) {
  const fields = fen.split(" ");
  return {
    turn: fields[1] === "b" ? "black" : "red",
    quiet: Number(fields[4]) || 0,
    round: Number(fields[5]) || 1,
  };
}

export function apply(pieces, iccs) {
  const piece = pieces.get(fromOf(iccs));
  pieces.delete(fromOf(iccs));
  if (piece) pieces.set(toOf(iccs), piece);
}

const fileNumber = (side, point) => (side === "red" ? 9 - fileOf(point) : fileOf(point) + 1);
const height = (side, point) => (side === "red" ? rankOf(point) : 9 - rankOf(point));

/// "=5", "+2": the way and the steps or the file reached; null for what no notation can say.
function stroke(letter, iccs) {
  const side = sideOf(letter);
  const [from, to] = [fromOf(iccs), toOf(iccs)];
  const up = height(side, to) - height(side, from);
  const across = fileOf(to) !== fileOf(from);
  const slanted = "NBA".includes(kindOf(letter));
  if (up === 0) return slanted || !across ? null : ["=", fileNumber(side, to)];
  if (slanted !== across) return null;
  return [up > 0 ? "+" : "-", across ? fileNumber(side, to) : Math.abs(up)];
}

/// How a piece stands among its like; a stack is a file that holds two or more of them.
function standing(pieces, at) {
  const letter = pieces.get(at);
  const side = sideOf(letter);
  const files = new Map();
  for (const [point, found] of pieces) {
    if (found !== letter) continue;
    const file = fileNumber(side, point);
    files.set(file, [...(files.get(file) || []), point]);
  }
  for (const points of files.values()) {
    points.sort((a, b) => height(side, b) - height(side, a));
  }
  const own = files.get(fileNumber(side, at));
  const stacked = [...files].filter(([, points]) => points.length > 1).sort(([a], [b]) => a - b);
  return {
    order: own.indexOf(at) + 1,
    inFile: own.length,
    ordinal: stacked.flatMap(([, points]) => points).indexOf(at) + 1,
    stacks: stacked.length,
  };
}

const signs = {
  K: "帅", A: "仕", B: "相", N: "马", R: "车", C: "炮", P: "兵",
  k: "将", a: "士", b: "象", n: "马", r: "车", c: "炮", p: "卒",
};
const ways = { "+": "进", "-": "退", "=": "平" };
const numerals = "〇一二三四五六七八九";

function chinese(letter, place, file, [way, number]) {
  const say = (n) => (sideOf(letter) === "red" ? numerals[n] : String(n));
  const { order, inFile, ordinal, stacks } = place;
  let subject = signs[letter] + say(file);
  if (inFile > 1 && !"AB".includes(kindOf(letter))) {
    let which = numerals[ordinal];
    if (stacks === 1 && order === 1) which = "前";
    else if (stacks === 1 && inFile <= 3) which = order === inFile ? "后" : "中";
    subject = which + signs[letter];
  }
  return subject + ways[way] + say(number);
}

function wxf(letter, place, file, [way, number]) {
  const kind = { N: "H", B: "E" }[kindOf(letter)] || kindOf(letter);
  const { order, inFile, stacks } = place;
  let subject = kind + file;
  if (inFile > 1 && !"AB".includes(kindOf(letter))) {
    subject = stacks === 1 && inFile === 2 ? (order === 1 ? "+" : "-") + kind : `${order}${file}`;
  }
  return subject + way + number;
}

/// {zh, wxf} of a move in the position before it; piece and points where no notation can say it.
export function notation(pieces, iccs) {
  const letter = pieces.get(fromOf(iccs));
  if (!letter) return { zh: iccs, wxf: iccs };
  const said = stroke(letter, iccs);
  if (!said) {
    const points = `${fromOf(iccs)}-${toOf(iccs)}`;
    const kind = { N: "H", B: "E" }[kindOf(letter)] || kindOf(letter);
    return { zh: signs[letter] + points, wxf: kind + points };
  }
  const place = standing(pieces, fromOf(iccs));
  const file = fileNumber(sideOf(letter), fromOf(iccs));
  return { zh: chinese(letter, place, file, said), wxf: wxf(letter, place, file, said) };
}
