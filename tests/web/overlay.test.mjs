// The overlay against the running daemon, as a spectator sees it.
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { after, before, test } from "node:test";
import {
  Daemon, cable, chineseFamily, cutLine, drawn, finals, fontsOf, launch, listed, nameless, open,
  overflowing, picture, screenshot, sleep, until,
} from "./support.mjs";

const games = (name) => readFileSync(new URL(`../games/${name}.jsonl`, import.meta.url), "utf8")
  .trim().split("\n").map((line) => JSON.parse(line));
const startArray = "rnbakabnr/9/1c5c1/p1p1p1p1p/9/9/P1P1P1P1P/1C5C1/9/RNBAKABNR w - - 0 1";
/// The shortest recorded mate from the start array, and games where pawns and others stand in file.
const mate = games("ended_on_the_board")
  .filter((g) => g.end === "mate" && g.start_fen === startArray)
  .sort((a, b) => a.moves_iccs.length - b.moves_iccs.length)[0];

let browser;
before(async () => { browser = await launch(); });
after(() => browser.close());

const sizes = [["1920x1080", 1920, 1080], ["360x640", 360, 640]];
const current = (witness) => witness.messages.at(-1);

test("a whole game is shown move by move, and the end", { timeout: 120_000 }, async (t) => {
  const daemon = await Daemon.start(t, { games: [mate.moves_iccs], speed: 20, rulings: "automatic" });
  const witness = await daemon.follow();
  const page = await open(browser, `${daemon.base}/overlay`);
  await page.evaluate(() => {
    window.shifts = [];
    new PerformanceObserver((list) => {
      for (const entry of list.getEntries()) window.shifts.push(entry.value);
    }).observe({ type: "layout-shift" });
  });
  const boxes = () => page.$$eval("#stage > *, #board, .name, .time", (all) =>
    all.map((e) => { const b = e.getBoundingClientRect(); return [e.id, b.top, b.height, b.right].join(" "); }));
  await until(async () => (await listed(page)).length > 3, "some moves");
  const stood = await boxes();
  await screenshot(page, "overlay-playing");
  await until(async () => witness.messages.some((m) => m.type === "result"), "the result", 90_000);
  await until(async () => (await page.textContent("#notice")).includes("将死"), "the notice");
  assert.deepEqual(await boxes(), stood, "nothing moves its place in a whole game");
  assert.deepEqual(await page.evaluate(() => window.shifts), []);

  const told = finals(witness.messages);
  assert.equal(told.length, mate.moves_iccs.split(" ").length);
  assert.deepEqual(await listed(page), told);
  assert.equal(await drawn(page), picture(current(witness).fen));
  const winner = mate.result === "1-0" ? "red" : "black";
  assert.match(await page.textContent(`#${winner} .note`), /胜/);
  await screenshot(page, "overlay-result");

  const late = await open(browser, `${daemon.base}/overlay`);
  await until(async () => (await listed(late)).length === told.length, "the state");
  assert.deepEqual(await listed(late), told, "a newcomer writes the words that the daemon wrote");
  assert.deepEqual([page.complaints, late.complaints], [[], []]);
});

test("a running clock runs smoothly between messages", { timeout: 60_000 }, async (t) => {
  const daemon = await Daemon.start(t, { speed: 1, control: "9s+9s" });
  const page = await open(browser, `${daemon.base}/overlay`);
  await page.waitForSelector("#red .time.runs", { timeout: 30_000 });
  const seen = await page.evaluate(async () => {
    const readings = [];
    const time = document.querySelector("#red .time");
    const began = performance.now();
    while (time.classList.contains("runs") && performance.now() - began < 1500) {
      readings.push(Number(time.textContent.split(":")[1]));
      await new Promise(requestAnimationFrame);
    }
    return { readings, ms: performance.now() - began };
  });
  const { readings } = seen;
  const steps = readings.slice(1).map((reading, i) => readings[i] - reading);
  assert.ok(seen.ms > 300, `the clock ran only ${seen.ms} ms`);
  assert.ok(steps.every((step) => step >= 0 && step < 0.6), `it never jumps: ${readings}`);
  assert.ok(new Set(readings).size >= seen.ms / 200, `tenths are shown: ${readings}`);
  const ran = (readings[0] - readings.at(-1)) * 1000;
  assert.ok(Math.abs(ran - seen.ms) < 250, `${ran} ms ran off in ${seen.ms} ms`);
  assert.deepEqual(page.complaints, []);
});

test("after a cut line the page goes on where the game is", { timeout: 90_000 }, async (t) => {
  const daemon = await Daemon.start(t, { speed: 8 });
  const witness = await daemon.follow();
  const line = await cable(t, daemon.port);
  const page = await open(browser, `${line.base}/overlay`, { expected: cutLine });
  await until(async () => (await listed(page)).length > 1, "some moves");
  const before = (await listed(page)).length;
  line.cut();
  await until(() => finals(witness.messages).length > before + 1, "moves that the page misses");
  assert.equal((await listed(page)).length, before);
  line.mend();
  await until(async () => (await listed(page)).length > before + 1, "the missed moves");
  const resumed = line.requests.filter((head) => /last-event-id: \d+:\d+/i.test(head));
  assert.ok(resumed.length > 0, "the browser said what it had heard last");
  await until(async () => await drawn(page) === picture(current(witness).fen), "the same picture");

  // Another start of the daemon: another epoch, the same game from its journal.
  await daemon.kill();
  await sleep(300);
  await daemon.run();
  const again = await daemon.follow();
  await until(() => again.messages.length > 2, "the stream");
  await until(async () => await drawn(page) === picture(current(again).fen), "the picture after a restart");
  assert.deepEqual(page.complaints, []);
});

test("a silent daemon is said to be silent, and heard again", { timeout: 60_000 }, async (t) => {
  const daemon = await Daemon.start(t, { speed: 1 });
  const page = await open(browser, `${daemon.base}/overlay`, { expected: cutLine });
  await page.waitForSelector("#signal.live");
  daemon.signal("SIGSTOP");
  await sleep(6_000);
  assert.equal(await page.getAttribute("#signal", "class"), "live", "one heartbeat missing is no silence");
  await page.waitForSelector("#signal.stale", { timeout: 10_000 });
  const still = await page.$$eval(".time", (all) => all.map((e) => e.textContent));
  await sleep(1_500);
  assert.deepEqual(await page.$$eval(".time", (all) => all.map((e) => e.textContent)), still);
  await screenshot(page, "overlay-stale");
  daemon.signal("SIGCONT");
  await page.waitForSelector("#signal.live", { timeout: 15_000 });
  assert.deepEqual(page.complaints, []);
});

test("a delayed overlay shows nothing early", { timeout: 60_000 }, async (t) => {
  const delay = 3_000;
  const daemon = await Daemon.start(t, { speed: 8, delay: "3s" });
  const arbiter = await daemon.arbiter();
  await arbiter.call("watch");
  const page = await open(browser, `${daemon.base}/overlay`);
  const plies = 4;
  const shown = await page.evaluate((wanted) => new Promise((resolve) => {
    const first = [];
    const look = () => {
      const n = document.querySelectorAll("#moves .half:not(:empty)").length;
      for (let ply = 1; ply <= n; ++ply) first[ply] ??= Date.now();
      if (n >= wanted) resolve(first);
    };
    new MutationObserver(look).observe(document.querySelector("#moves"), { childList: true });
    look();
  }), plies);
  let compared = 0;
  for (let ply = 1; ply <= plies; ++ply) {
    const told = arbiter.notes.find((m) => m.type === "move" && m.ply === ply);
    if (!told) continue;
    ++compared;
    assert.ok(shown[ply] >= told.arrived + delay - 20, `ply ${ply} after ${shown[ply] - told.arrived} ms`);
  }
  assert.ok(compared >= 2);
  assert.match(await page.textContent("#signal"), /3/);
  assert.deepEqual(page.complaints, []);
});

test("a move is painted as soon as it is announced", { timeout: 60_000 }, async (t) => {
  const daemon = await Daemon.start(t, { speed: 30 });
  const page = await open(browser, `${daemon.base}/overlay`);
  await page.waitForSelector("#board .piece", { state: "attached" });
  await page.evaluate(() => {
    window.painted = {};
    new MutationObserver(() => requestAnimationFrame(() => {
      // The task behind the frame: what the frame drew is on its way to the screen.
      const plies = document.querySelectorAll("#moves .half:not(:empty)").length;
      setTimeout(() => { window.painted[plies] ??= Date.now(); });
    })).observe(document.querySelector("#moves"), { childList: true });
  });
  const witness = await daemon.follow();
  await until(() => finals(witness.messages).length > 30, "thirty plies");
  const painted = await page.evaluate(() => window.painted);
  const waits = [];
  const seen = new Set();
  witness.messages.forEach((message, i) => {
    if (message.type !== "move" || seen.has(message.ply)) return;
    seen.add(message.ply);
    if (painted[message.ply]) waits.push(painted[message.ply] - witness.arrived[i]);
  });
  waits.sort((a, b) => a - b);
  const median = waits[waits.length >> 1];
  t.diagnostic(`announced to painted: median ${median} ms, longest ${waits.at(-1)} ms, ${waits.length} moves`);
  assert.ok(waits.length >= 15);
  assert.ok(median < 100, `median ${median} ms`);
});

test("every layout fits both windows, in Chinese glyphs, and can be read aloud", { timeout: 120_000 }, async (t) => {
  const daemon = await Daemon.start(t, { speed: 20 });
  const queries = ["", "lang=en&theme=light", "theme=green&flip=1", "layout=board&transparent=1&board=%2393b58a",
    "layout=clocks", "layout=lower&transparent=1", "layout=lower&lang=en&theme=light"];
  const first = await open(browser, `${daemon.base}/overlay`);
  await until(async () => (await listed(first)).length > 20, "half a game", 60_000);
  for (const query of queries) {
    for (const [size, width, height] of sizes) {
      await t.test(`${query || "plain"} at ${size}`, async () => {
        const page = await open(browser, `${daemon.base}/overlay?${query}`, { width, height });
        await page.waitForSelector("#board .piece", { state: "attached" });
        await sleep(400);
        assert.deepEqual(await overflowing(page), []);
        assert.deepEqual(await nameless(page), []);
        assert.ok(await page.evaluate(() => document.scrollingElement.scrollHeight <= innerHeight));
        const texts = query.includes("board") ? [".piece text"] : [".name"];
        if (!query.includes("layout")) texts.push(".piece text", ".river text", "#moves");
        for (const selector of texts) {
          const fonts = await fontsOf(page, selector);
          assert.ok(fonts.some((f) => chineseFamily.test(f.familyName) && f.glyphCount > 0),
            `${selector} is drawn by ${JSON.stringify(fonts)}`);
        }
        await screenshot(page, `overlay-${query.replace(/[^a-z]+/g, "-") || "plain"}-${size}`);
        assert.deepEqual(page.complaints, []);
        await page.close();
      });
    }
  }
  assert.match(await first.getAttribute("#board", "aria-label"), /red general/);
});

test("nothing that a spectator can write in the address becomes markup", { timeout: 30_000 }, async (t) => {
  const daemon = await Daemon.start(t);
  const query = new URLSearchParams({ board: "red;}</style><script>window.bad=1</script>", lang: "<b>", layout: "x", size: "9e9" });
  const page = await open(browser, `${daemon.base}/overlay?${query}`);
  await page.waitForSelector("#board .piece", { state: "attached" });
  assert.equal(await page.evaluate(() => window.bad), undefined);
  assert.equal(await page.getAttribute("body", "data-layout"), "full");
  assert.deepEqual(page.complaints, []);
});
