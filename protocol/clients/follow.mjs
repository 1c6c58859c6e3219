// Follows a board: node follow.mjs [HOST [PORT]]. Prints each position's moves; goes on where it
// left off after a lost connection. Needs nothing but Node.js.
import net from "node:net";
import readline from "node:readline";

const [host = "localhost", port = "9955"] = process.argv.slice(2);
const silence = 10_000; // the daemon speaks every 5 s; after twice that the line is dead

let moves = []; // the game as it stands, ICCS
let last = {}; // where we got to: {since, epoch}

// What one message changes.
function take(message) {
  const { type } = message;
  if (type === "state") moves = message.moves;
  else if (type === "move") moves = [...moves.slice(0, message.ply - 1), message.iccs];
  else if (type === "retract") moves = moves.slice(0, message.to_ply);

  if (["state", "move", "retract"].includes(type)) {
    const mark = message.status === "provisional" ? "?" : "";
    const zh = (message.zh ?? "") + mark;
    console.log(message.game, moves.length, zh, message.fen.split(" ")[0]);
  } else if (type === "ruling") {
    console.log(`ruling ${message.id} ${message.status}: ${message.en}`);
  } else if (type === "result") {
    console.log("result", message.result, message.reason);
  }
}

// One connection; the next follows when it breaks.
function follow() {
  const socket = net.connect(Number(port), host);
  socket.setTimeout(silence, () => socket.destroy(new Error("silence")));
  socket.on("connect", () => {
    if ("since" in last) socket.write(JSON.stringify(last) + "\n");
  });
  socket.on("error", (error) => console.error(`connection lost: ${error.message}`));
  socket.on("close", () => setTimeout(follow, 1000));
  readline.createInterface({ input: socket }).on("line", (line) => {
    let message;
    try {
      message = JSON.parse(line);
    } catch (error) {
      return socket.destroy(error); // cut off within a line
    }
    if (message.type !== "hello") {
      last.since = message.seq;
      take(message);
    } else if (last.epoch !== message.epoch) {
      last = { epoch: message.epoch }; // the daemon has started anew
    }
  });
}

follow();
