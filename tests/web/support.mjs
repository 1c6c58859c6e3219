// What the tests of the pages share: a daemon of their own, its stream, a browser, a line that can
// be cut.
import { execFileSync, spawn } from "node:child_process";
import { once } from "node:events";
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { createRequire } from "node:module";
import net from "node:net";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { apply, readFen, sideOf } from "../../daemon/web/position.js";

const build = process.env.XQ_WEB_BUILD;
const { chromium } = createRequire(join(build, "package.json"))("playwright-core");
export { sleep };

async function freePort() {
  const server = net.createServer().listen(0, "127.0.0.1");
  await once(server, "listening");
  const { port } = server.address();
  server.close();
  await once(server, "close");
  return port;
}

export const startArray = "rnbakabnr/9/1c5c1/p1p1p1p1p/9/9/P1P1P1P1P/1C5C1/9/RNBAKABNR";
/// Red pushes a pawn two points, which no pawn can, and presses.
export const illegalLog = `# xiangqi sensor log 1
0 hello identity press
0 board ${startArray}
1000 press black
6000 lift e3
6600 drop e5 P
7200 press red
600000 end
`;

/// A sensor log of hands that play these moves (ICCS) from the start array, a move in two seconds,
/// and then leave the board alone.
export function gameLog(moves) {
  const pieces = readFen(startArray);
  const lines = ["# xiangqi sensor log 1", "0 hello identity press", `0 board ${startArray}`, "1000 press black"];
  let t = 2000;
  for (const iccs of moves) {
    const [from, to, piece] = [iccs.slice(0, 2), iccs.slice(2), pieces.get(iccs.slice(0, 2))];
    if (pieces.has(to)) lines.push(`${t} lift ${to}`);
    lines.push(`${t + 400} lift ${from}`, `${t + 900} drop ${to} ${piece}`, `${t + 1300} press ${sideOf(piece)}`);
    apply(pieces, iccs);
    t += 2000;
  }
  return [...lines, `${t + 600_000} end`, ""].join("\n");
}

/// Waits until `probe` gives something true.
export async function until(probe, what, patience = 20_000) {
  const deadline = Date.now() + patience;
  for (;;) {
    const found = await probe();
    if (found) return found;
    if (Date.now() > deadline) throw new Error(`waited in vain for ${what}`);
    await sleep(50);
  }
}

/// A daemon with a simulated board, stopped when the test `t` is over. `games`: lines of moves in ICCS to play, else the built-in one.
export class Daemon {
  #ends = [];

  static async start(t, settings = {}) {
    const daemon = new Daemon();
    t.after(() => daemon.stop());
    daemon.directory = mkdtempSync(join(tmpdir(), "xq-web-"));
    daemon.port = await freePort();
    daemon.base = `http://127.0.0.1:${daemon.port}`;
    daemon.socket = join(daemon.directory, "arbiter.sock");
    if (settings.https) daemon.#certify(await freePort());
    daemon.#configure(settings);
    await daemon.run();
    return daemon;
  }

  /// A certificate and an empty token file: the desk is at `secure` then.
  #certify(port) {
    const [key, certificate, tokens] = ["key", "pem", "tokens"].map((name) => join(this.directory, name));
    execFileSync("openssl", ["req", "-x509", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:P-256", "-nodes", "-days", "2",
      "-subj", "/CN=localhost", "-keyout", key, "-out", certificate], { stdio: "ignore" });
    writeFileSync(tokens, "", { mode: 0o600 });
    this.secure = `https://localhost:${port}`;
    this.keys = `https = "127.0.0.1:${port}"\ncertificate = "${certificate}"\nkey = "${key}"\ntoken_file = "${tokens}"`;
  }

  /// `xiangqictl token`: what it prints.
  token(...command) {
    return execFileSync(join(dirname(process.env.XQ_DAEMON), "xiangqictl"),
      ["--config", join(this.directory, "xiangqid.toml"), "token", ...command],
      { encoding: "utf8", stdio: ["ignore", "pipe", "ignore"] }).trim();
  }

  async reload() {
    const times = () => this.said.split("was read again").length;
    const before = times();
    this.signal("SIGHUP");
    await until(() => times() > before, "the reload");
  }

  /// All that the journals hold.
  journal() {
    const folder = join(this.directory, "journal");
    return readdirSync(folder).filter((name) => name.endsWith(".xsl"))
      .map((name) => readFileSync(join(folder, name), "utf8")).join("");
  }

  #configure({ speed = 20, games = null, control = "60m+30s", delay = "0s", rulings = "propose", level = "national", log = null, board = "第7台" }) {
    const file = join(this.directory, "game.jsonl");
    if (games) writeFileSync(file, games.map((moves) => JSON.stringify({ moves_iccs: moves })).join("\n"));
    const played = log ? join(this.directory, "board.xsl") : games ? file : "";
    if (log) writeFileSync(played, log);
    writeFileSync(join(this.directory, "xiangqid.toml"), `
board = "${board}"
[event]
name = "2026 全国象棋锦标赛"
red = "王红英"
black = "郑墨林"
[sensor]
driver = "${log ? "log" : "sim"}"
log = "${played}"
speed = ${speed}
[game]
rulings = "${rulings}"
level = "${level}"
[clock]
control = "${control}"
[broadcast]
listen = ""
http = "127.0.0.1:${this.port}"
delay = "${delay}"
[arbiter]
socket = "${this.socket}"
${this.keys ?? ""}
[journal]
directory = "${join(this.directory, "journal")}"
`);
  }

  /// Starts it, also again after `kill`.
  async run() {
    this.process = spawn(process.env.XQ_DAEMON, ["--config", join(this.directory, "xiangqid.toml")],
      { stdio: ["ignore", "pipe", "pipe"] });
    this.said = "";
    for (const stream of [this.process.stdout, this.process.stderr]) {
      stream.on("data", (bytes) => { this.said += bytes; });
    }
    await until(async () => {
      if (this.process.exitCode !== null || this.process.signalCode !== null) {
        throw new Error(`the daemon has ended:\n${this.said}`);
      }
      return fetch(`${this.base}/healthz`).then((r) => r.ok, () => false);
    }, "the daemon");
  }

  signal(name) {
    this.process.kill(name);
  }

  async kill() {
    if (this.process.exitCode !== null || this.process.signalCode !== null) return;
    const ended = once(this.process, "exit");
    this.process.kill("SIGCONT");
    this.process.kill("SIGKILL");
    await ended;
  }

  async stop() {
    for (const end of this.#ends) end();
    if (this.process) await this.kill();
    rmSync(this.directory, { recursive: true, force: true });
  }

  /// Follows the broadcast without a browser: the witness of what pages should show.
  async follow() {
    const abort = new AbortController();
    this.#ends.push(() => abort.abort());
    const heard = { messages: [], arrived: [] };
    const response = await fetch(`${this.base}/events`, { signal: abort.signal });
    (async () => {
      let text = "";
      for await (const chunk of response.body.pipeThrough(new TextDecoderStream())) {
        text += chunk;
        const blocks = text.split("\n\n");
        text = blocks.pop();
        for (const block of blocks) {
          const data = block.split("\n").find((line) => line.startsWith("data: "));
          if (!data) continue;
          heard.messages.push(JSON.parse(data.slice("data: ".length)));
          heard.arrived.push(Date.now());
        }
      }
    })().catch(() => {});
    return heard;
  }

  /// JSON-RPC over the Unix socket: `call(method, params)`, and `notes` after `watch`.
  async arbiter() {
    const socket = net.connect(this.socket);
    await once(socket, "connect");
    const waiting = new Map();
    this.#ends.push(() => socket.destroy());
    const channel = { notes: [] };
    let text = "";
    socket.setEncoding("utf8").on("data", (chunk) => {
      const lines = (text += chunk).split("\n");
      text = lines.pop();
      for (const line of lines) {
        const message = JSON.parse(line);
        if (message.method) channel.notes.push({ ...message.params, arrived: Date.now() });
        else waiting.get(message.id)?.(message);
      }
    });
    let id = 0;
    channel.call = (method, params) => new Promise((resolve) => {
      waiting.set(++id, resolve);
      socket.write(`${JSON.stringify({ jsonrpc: "2.0", id, method, ...(params && { params }) })}\n`);
    });
    return channel;
  }
}

/// A line between page and daemon that can be cut; it notes the heads of the requests.
export async function cable(t, port) {
  const sockets = new Set();
  const line = { requests: [], open: true };
  const server = net.createServer((near) => {
    if (!line.open) return near.destroy();
    const far = net.connect(port, "127.0.0.1");
    near.once("data", (bytes) => line.requests.push(bytes.toString()));
    for (const [a, b] of [[near, far], [far, near]]) {
      sockets.add(a);
      a.pipe(b);
      a.on("error", () => b.destroy());
      a.on("close", () => { sockets.delete(a); b.destroy(); });
    }
  }).listen(0, "127.0.0.1");
  await once(server, "listening");
  line.base = `http://127.0.0.1:${server.address().port}`;
  line.cut = () => { line.open = false; for (const s of sockets) s.destroy(); };
  line.mend = () => { line.open = true; };
  t.after(() => { line.cut(); server.close(); });
  return line;
}

export function launch() {
  return chromium.launch({
    executablePath: process.env.XQ_CHROMIUM,
    args: ["--no-sandbox", "--disable-gpu", "--disable-background-networking",
      "--disable-component-update", "--disable-sync", "--no-first-run"],
  });
}

/// A page that remembers what went wrong on it; `expected` are patterns of a cut line's complaints.
export async function open(browser, url, { width = 1920, height = 1080, expected = [] } = {}) {
  const page = await browser.newPage(browser.newContext ? { viewport: { width, height } } : {});
  page.complaints = [];
  const complain = (text) => {
    if (!expected.some((pattern) => pattern.test(text))) page.complaints.push(text);
  };
  page.on("pageerror", (error) => complain(String(error)));
  page.on("console", (message) => {
    if (["error", "warning"].includes(message.type())) complain(`${message.text()} ${message.location().url}`);
  });
  await page.goto(url);
  return page;
}

/// A cut line is complained about by the browser itself.
export const cutLine = [/net::ERR_/];

/// The page hears of its new size with the next frame, and has drawn itself anew in the one after.
export async function resize(page, width, height) {
  await page.setViewportSize({ width, height });
  await page.evaluate(() => new Promise((drawn) => requestAnimationFrame(() => requestAnimationFrame(drawn))));
}

/// What moves is shown where it will come to rest.
export function screenshot(page, name) {
  mkdirSync(join(build, "screenshots"), { recursive: true });
  return page.screenshot({ path: join(build, "screenshots", `${name}.png`), animations: "disabled" });
}

/// What sticks out: of the window, or text out of its box. Empty when all is well.
export function overflowing(page) {
  return page.evaluate(() => {
    const out = [];
    const root = document.scrollingElement;
    if (root.scrollWidth > innerWidth) out.push(`page is ${root.scrollWidth} wide`);
    for (const element of document.body.querySelectorAll("*")) {
      const box = element.getBoundingClientRect();
      const name = `${element.tagName}#${element.id}.${element.getAttribute("class") ?? ""}`;
      if (!box.width || !box.height || element.closest("svg *, .sr, .scrolls *, dialog:not([open])")) continue;
      if (box.left < -0.5 || box.right > innerWidth + 0.5) out.push(`${name} ${box.left}..${box.right}`);
      const cut = getComputedStyle(element).textOverflow === "ellipsis";
      if (cut && element.scrollWidth > element.clientWidth + 1) out.push(`${name} cuts "${element.textContent}"`);
    }
    return out;
  });
}

/// The fonts that really drew an element's text, by the browser's own account. A list that is
/// drawn anew meanwhile is asked again.
export async function fontsOf(page, selector) {
  const cdp = await page.context().newCDPSession(page);
  await cdp.send("DOM.enable");
  await cdp.send("CSS.enable");
  const fonts = await until(async () => {
    const { root } = await cdp.send("DOM.getDocument");
    const { nodeId } = await cdp.send("DOM.querySelector", { nodeId: root.nodeId, selector });
    return cdp.send("CSS.getPlatformFontsForNode", { nodeId }).then((answer) => answer.fonts, () => null);
  }, `the fonts of ${selector}`);
  await cdp.detach();
  return fonts;
}
/// Families that have Chinese; a missing glyph would be drawn by another.
export const chineseFamily = /CJK|WenQuanYi|Kai|Song|Hei|Ming/i;

/// Roles that need a name, and have none, in the accessibility tree.
export async function nameless(page) {
  const cdp = await page.context().newCDPSession(page);
  const { nodes } = await cdp.send("Accessibility.getFullAXTree");
  await cdp.detach();
  const needy = ["button", "link", "textbox", "combobox", "checkbox", "spinbutton", "image", "region",
    "dialog", "list", "Iframe", "heading", "navigation", "form"];
  return nodes
    .filter((n) => !n.ignored && needy.includes(n.role?.value) && !n.name?.value?.trim())
    .map((n) => n.role.value);
}

/// What the page's list of moves says.
export const listed = (page) => page.$$eval("#moves .half:not(:empty)", (cells) =>
  cells.map((cell) => ({ zh: cell.querySelector("b").textContent, wxf: cell.querySelector("i").textContent })));

/// The pieces drawn, as a sorted text of "glyph x y".
export const drawn = (page) => page.$$eval("#board .piece:not(.gone)", (pieces) => pieces
  .map((p) => `${p.textContent} ${p.style.transform.match(/-?\d+/g).join(" ")}`).sort().join("|"));
const glyphs = { K: "帥", A: "仕", B: "相", N: "馬", R: "車", C: "炮", P: "兵", k: "將", a: "士", b: "象", n: "馬", r: "車", c: "砲", p: "卒" };
/// What should be drawn for a FEN, Red at the bottom.
export function picture(fen) {
  const out = [];
  fen.split(" ")[0].split("/").forEach((row, i) => {
    let file = 0;
    for (const c of row) {
      if (/\d/.test(c)) file += Number(c);
      else out.push(`${glyphs[c]} ${file++ * 100} ${i * 100}`);
    }
  });
  return out.sort().join("|");
}

/// The final moves of the witness's current game, in words.
export function finals(messages) {
  const moves = [];
  for (const m of messages) {
    if (m.type === "move" && m.status === "final") moves[m.ply - 1] = { zh: m.zh, wxf: m.wxf };
  }
  return moves;
}
