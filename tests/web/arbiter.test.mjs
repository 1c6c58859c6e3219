// The arbiter's desk: the page in a browser, the calls through to the running daemon, over the
// daemon's own WebSocket; on the way there it can be cut between a call and its answer.
import assert from "node:assert/strict";
import { createServer } from "node:http";
import { after, before, test } from "node:test";
import { cutLine, Daemon, illegalLog, launch, nameless, open, overflowing, screenshot, sleep, until } from "./support.mjs";

let browser;
before(async () => { browser = await launch(); });
after(() => browser.close());

/// A page of the desk. `line.sent`: the calls that reached the daemon; `line.swallow(method)`: the
/// next call of that name reaches it, but the line breaks before the answer.
async function desk(t, daemon, size = {}) {
  const line = { sent: [], swallow: (method) => { line.swallowed = method; } };
  const context = await browser.newContext({ viewport: { width: size.width ?? 1600, height: size.height ?? 1100 } });
  t.after(() => context.close());
  const page = await open(context, "about:blank", { width: size.width ?? 1600, height: size.height ?? 1100 });
  await page.addInitScript(() => {
    window.tones = 0;
    const start = OscillatorNode.prototype.start;
    OscillatorNode.prototype.start = function (...when) {
      window.tones += 1;
      return start.apply(this, when);
    };
  });
  await page.routeWebSocket(/\/arbiter$/, (ws) => {
    const server = ws.connectToServer();
    let losing = false;
    server.onMessage((answer) => { if (!losing) ws.send(answer); });
    ws.onMessage((message) => {
      const { method } = JSON.parse(message);
      line.sent.push(method);
      server.send(message);
      if (method !== line.swallowed) return;
      losing = true;
      line.swallowed = null;
      setTimeout(() => { server.close(); ws.close(); }, 200);
    });
  });
  await page.goto(`${daemon.base}/arbiter`);
  await page.waitForSelector("#line.open");
  return { page, line };
}

test("an illegal move is alarmed, shown with its evidence and ruled", { timeout: 60_000 }, async (t) => {
  const daemon = await Daemon.start(t, { log: illegalLog, speed: 1 });
  const { page } = await desk(t, daemon);
  await page.click("#sound");
  await page.waitForSelector("#sound.armed");
  await page.waitForSelector(".proposal", { timeout: 20_000 });
  assert.ok(await page.isVisible("#alarm"));
  await until(() => page.evaluate(() => window.tones >= 2), "a tone");
  assert.match(await page.textContent(".proposal"), /4\.1\.8/);
  assert.equal(await page.$$eval(".proposal .small-board .piece", (all) => all.length), 32);
  assert.deepEqual(await nameless(page), []);
  assert.deepEqual(await overflowing(page), []);
  await screenshot(page, "arbiter-illegal-move");

  await page.keyboard.press("m");
  await page.waitForSelector("#alarm", { state: "hidden" });
  const silent = await page.evaluate(() => window.tones);
  await sleep(3_000);
  assert.equal(await page.evaluate(() => window.tones), silent, "quieted, it is quiet");

  const witness = await daemon.follow();
  await page.click(".proposal .confirm");
  await until(() => witness.messages.some((m) => m.type === "result" && m.result === "0-1"), "the result");
  await page.waitForSelector("#history .confirmed");
  assert.match(await page.textContent("#duty"), /0-1/);
  assert.equal(await page.$$eval(".proposal", (all) => all.length), 0);
  await screenshot(page, "arbiter-ruled");
  assert.deepEqual(page.complaints, []);
});

test("what the board differs in is marked on both boards", { timeout: 60_000 }, async (t) => {
  const log = illegalLog.replace(/6000[^]*7200 press red\n/, "3000 lift a3\n3400 lift i6\n3900 drop i5 p\n");
  const daemon = await Daemon.start(t, { log, speed: 1 });
  const { page } = await desk(t, daemon);
  await page.waitForSelector("#difference.bad", { timeout: 20_000 });
  await until(async () => await page.$$eval("#physical .mark.missing, #physical .mark.extra", (all) => all.length) === 3, "three marks");
  assert.equal(await page.$$eval("#official .mark.missing, #official .mark.extra", (all) => all.length), 3);
  assert.match(await page.textContent("#difference"), /a3 P→—/);
  await screenshot(page, "arbiter-difference");
  assert.deepEqual(page.complaints, []);
});

test("a call whose answer was lost is not sent again", { timeout: 60_000 }, async (t) => {
  const daemon = await Daemon.start(t, { speed: 1 });
  const { page, line } = await desk(t, daemon);
  const count = (method) => line.sent.filter((m) => m === method).length;
  line.swallow("game.pause");
  await page.keyboard.press("p");
  await page.waitForSelector("#ask[open]");
  await page.keyboard.press("Enter");
  await page.waitForSelector("#unsure:not([hidden])");
  await page.waitForSelector("#line.open", { timeout: 10_000 });
  await until(async () => /已暂停/.test(await page.textContent("#duty")), "the state after the reconnect");
  await sleep(1_000);
  assert.equal(count("game.pause"), 1);
  assert.equal(count("watch"), 2);
  await screenshot(page, "arbiter-unsure");
  await page.click("#unsure button:last-child");
  await page.waitForSelector("#unsure", { state: "hidden" });
  assert.equal(count("game.pause"), 1);

  // A double click is one call.
  await page.click("[data-call='game.resume']");
  await page.dblclick("#ask-do");
  await until(async () => !/已暂停/.test(await page.textContent("#duty")), "the clocks to run on");
  assert.equal(count("game.resume"), 1);
  assert.deepEqual(page.complaints, []);
});

test("every call of the contract is two clicks away, and refusals are told", { timeout: 60_000 }, async (t) => {
  const daemon = await Daemon.start(t, { speed: 0.01 });
  const { page, line } = await desk(t, daemon);
  const offered = await page.$$eval("[data-call]", (all) => [...new Set(all.map((b) => b.dataset.call))]);
  for (const method of ["game.new", "game.pause", "game.resume", "game.result", "game.takeback", "game.stand",
    "game.move", "position.set", "board.accept", "board.designate", "touch.adjust", "clock.set", "foul.add",
    "draw.offer", "draw.accept", "draw.decline", "resign", "claim.natural_limit", "claim.repetition"]) {
    assert.ok(offered.includes(method), method);
  }
  await page.click("[data-call='clock.set']");
  await page.fill("[name=red_ms]", "0:10:00");
  await page.fill("[name=black_ms]", "12:30.5");
  await page.click("#ask-do");
  await page.waitForSelector("#ask:not([open])", { state: "attached" });
  await until(async () => await page.textContent("#red .time") === "10:00", "Red's clock");
  assert.equal(await page.textContent("#black .time"), "12:31");

  await page.click(".black [data-call='foul.add']");
  await page.click("#ask-do");
  await until(async () => /fouls 1/.test(await page.textContent("#black .facts")), "Black's foul");

  await page.click("[data-call='game.takeback']");
  await page.fill("[name=to_ply]", "99");
  await page.click("#ask-do");
  await until(async () => (await page.textContent("#ask-error")).length > 5, "the refusal");
  await screenshot(page, "arbiter-refused");
  await page.click("#ask-leave");

  await page.click(".red [data-call='resign']");
  await page.click("#ask-do");
  await until(async () => /0-1/.test(await page.textContent("#duty")), "the result");
  assert.equal(line.sent.filter((m) => m === "resign").length, 1);
  assert.deepEqual(page.complaints, []);
});

test("by HTTPS the desk wants a token, and wants it again when it is taken back", { timeout: 90_000 }, async (t) => {
  const daemon = await Daemon.start(t, { speed: 1, https: true });
  const token = daemon.token("add", "anna");
  await daemon.reload();
  const context = await browser.newContext({ ignoreHTTPSErrors: true, viewport: { width: 1024, height: 768 } });
  t.after(() => context.close());
  const page = await open(context, `${daemon.secure}/`, { width: 1024, height: 768, expected: cutLine });
  assert.equal(page.url(), `${daemon.secure}/arbiter`);
  await page.waitForSelector("#login[open]");
  assert.deepEqual(await nameless(page), []);
  await screenshot(page, "arbiter-login");
  assert.ok(await page.isDisabled("[data-call='game.pause']"));

  // By keyboard alone.
  await page.keyboard.press("Escape");
  await page.waitForSelector("#login[open]");
  await page.keyboard.type("anna.guess");
  await page.keyboard.press("Enter");
  await until(async () => /not known/.test(await page.textContent("#login-error")), "the refusal");
  await page.keyboard.type(token);
  await page.keyboard.press("Enter");
  await page.waitForSelector("#line.open");
  await page.waitForSelector("#login:not([open])", { state: "attached" });
  await page.keyboard.press("p");
  await page.keyboard.press("Enter");
  await until(async () => /已暂停/.test(await page.textContent("#duty")), "the pause");
  assert.match(daemon.journal(), /"method":"game.pause".*"by":"token:anna"/);

  // A daemon that comes back is found, and the token need not be typed again.
  await daemon.kill();
  await page.waitForSelector("#line.closed");
  await daemon.run();
  await page.waitForSelector("#line.open");
  assert.ok(await page.isHidden("#login"));

  daemon.token("remove", "anna");
  const other = daemon.token("add", "anna");
  await daemon.reload();
  await page.waitForSelector("#login[open]");
  await until(async () => /not known/.test(await page.textContent("#login-error")), "the refusal");
  await page.fill("#token", ` ${other} `);
  await page.click("#login .do");
  await page.waitForSelector("#line.open");
  for (const secret of [token, other]) {
    assert.ok(!daemon.said.includes(secret) && !daemon.journal().includes(secret), "a token was written down");
  }
  assert.deepEqual(page.complaints, []);
});

test("a page of another site can neither call nor frame this machine's desk", { timeout: 30_000 }, async (t) => {
  const daemon = await Daemon.start(t, { speed: 1 });
  const site = createServer((request, response) => response.setHeader("Content-Type", "text/html").end("<p>evil</p>"));
  await new Promise((listening) => { site.listen(0, "127.0.0.1", listening); });
  t.after(() => site.close());
  const page = await browser.newPage();
  t.after(() => page.close());
  const calls = (url) => page.evaluate((to) => new Promise((result) => {
    const socket = new WebSocket(to);
    socket.onopen = () => socket.send(JSON.stringify({ jsonrpc: "2.0", id: 1, method: "status" }));
    socket.onmessage = () => result("answered");
    socket.onerror = () => result("refused");
  }), url);
  const desk = `ws://127.0.0.1:${daemon.port}/arbiter`;
  await page.goto(`http://127.0.0.1:${site.address().port}/`);
  assert.equal(await calls(desk), "refused");
  const framed = page.waitForEvent("console", (message) => /frame/i.test(message.text()));
  await page.evaluate((src) => document.body.append(Object.assign(document.createElement("iframe"), { src })), `${daemon.base}/arbiter`);
  await framed;
  assert.ok(!page.frames().some((frame) => frame.url().endsWith("/arbiter")), "the desk was framed");
  await page.goto(`${daemon.base}/overlay`);
  assert.equal(await calls(desk), "answered", "the desk's own site can");
});

for (const [name, width, height] of [["tablet", 1024, 768], ["tablet-upright", 768, 1024], ["phone", 360, 640]]) {
  test(`the desk fits a ${name}`, { timeout: 30_000 }, async (t) => {
    const daemon = await Daemon.start(t, { speed: 8 });
    const { page } = await desk(t, daemon, { width, height });
    await page.waitForSelector("#physical .piece");
    assert.deepEqual(await overflowing(page), []);
    const small = await page.$$eval("button", (all) => all.filter((b) => {
      const box = b.getBoundingClientRect();
      return box.height > 0 && box.height < 32;
    }).length);
    assert.equal(small, 0, "every button can be hit with a finger");
    await screenshot(page, `arbiter-${name}`);
    assert.deepEqual(page.complaints, []);
  });
}
