// One game as the messages tell it: the record, the fouls, the rulings. Every message is complete,
// so what is kept here is only what a `state` would say again.
import { apply, fenFields, notation, readFen } from "./position.js";

export class Game {
  hello = null;
  /// The last message with a position.
  now = null;
  startFen = "";
  /// {iccs, zh, wxf, status}, from ply 1.
  moves = [];
  fouls = { red: 0, black: 0 };
  /// By id, each as last told.
  rulings = new Map();
  /// What the board looks like: the last `board`, or what the `state` said of it.
  board = { in_sync: true, link: "online", missing: [], extra: [], faults: [], candidates: [] };
  reason = null;

  take(message) {
    if (message.type === "hello") {
      this.hello = message;
      return;
    }
    this.now = message;
    this.#by[message.type]?.call(this, message);
    if (this.moves.length > message.ply) this.moves.length = message.ply;
    if (message.result === null) this.reason = null;
  }

  #by = {
    state(message) {
      const pieces = readFen(message.start_fen);
      this.startFen = message.start_fen;
      this.moves = message.moves.map((iccs) => {
        const said = notation(pieces, iccs);
        apply(pieces, iccs);
        return { iccs, ...said, status: "final" };
      });
      this.fouls = { ...message.fouls };
      this.rulings = new Map();
      this.reason = null;
      this.board = {
        in_sync: message.in_sync, link: message.link,
        missing: [], extra: [], faults: [], candidates: [],
      };
    },
    move({ ply, iccs, zh, wxf, status, spent_ms }) {
      this.moves.length = Math.min(this.moves.length, ply - 1);
      this.moves[ply - 1] = { iccs, zh, wxf, status, spent_ms };
    },
    board(message) {
      this.board = message;
    },
    ruling(message) {
      const before = this.rulings.get(message.id)?.status;
      this.rulings.set(message.id, message);
      if (message.severity !== "foul" || message.side === null) return;
      // One that was confirmed before this page came is known by the `state`'s figures alone.
      const counted = before === "confirmed" || (before === undefined && message.status === "dismissed");
      const counts = message.status === "confirmed";
      this.fouls[message.side] = Math.max(0, this.fouls[message.side] + counts - counted);
    },
    result(message) {
      this.reason = message.reason;
    },
  };

  get last() {
    return this.moves[(this.now?.ply ?? 0) - 1] ?? null;
  }

  /// The record in rounds: {number, red, black}, a side's half undefined where it has none.
  get rounds() {
    const { turn, round } = fenFields(this.startFen);
    const shift = turn === "black" ? 1 : 0;
    const rounds = [];
    this.moves.forEach((move, i) => {
      const at = (i + shift) >> 1;
      rounds[at] ??= { number: round + at };
      rounds[at][(i + shift) % 2 ? "black" : "red"] = move;
    });
    return rounds;
  }
}
