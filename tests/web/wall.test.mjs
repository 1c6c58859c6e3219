// The wall and the start page.
import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { Daemon, cutLine, launch, nameless, open, overflowing, picture, resize, screenshot, until } from "./support.mjs";

let browser;
before(async () => { browser = await launch(); });
after(() => browser.close());

const drawnOn = (table) => table.$$eval(".piece:not(.gone)", (pieces) => pieces
  .map((p) => `${p.textContent} ${p.style.transform.match(/-?\d+/g).join(" ")}`).sort().join("|"));

test("the wall shows the boards of several daemons, and which is silent", { timeout: 60_000 }, async (t) => {
  const daemons = [];
  for (const name of ["一台", "二台", "三台"]) daemons.push(await Daemon.start(t, { speed: 8, board: name }));
  const witnesses = await Promise.all(daemons.map((daemon) => daemon.follow()));
  const boards = daemons.map((daemon) => `127.0.0.1:${daemon.port}`).join(",");
  const page = await open(browser, `${daemons[0].base}/wall?boards=${boards}`, { expected: cutLine });
  const tables = await page.$$(".table");
  assert.equal(tables.length, 3);
  await until(async () => (await page.$$eval(".table header span:first-child", (all) =>
    all.map((e) => e.textContent))).join() === "一台,二台,三台", "the boards' names");
  for (const [i, table] of tables.entries()) {
    await until(async () => await drawnOn(table) === picture(witnesses[i].messages.at(-1).fen), `board ${i + 1}`);
  }
  assert.deepEqual(await overflowing(page), []);
  assert.deepEqual(await nameless(page), []);
  await screenshot(page, "wall-1920x1080");
  await daemons[2].kill();
  await page.waitForSelector(".table.stale", { timeout: 20_000 });
  assert.equal((await page.$$(".table.stale")).length, 1);
  await resize(page, 360, 640);
  assert.deepEqual(await overflowing(page), []);
  await screenshot(page, "wall-360x640");
  assert.deepEqual(page.complaints, []);
});

test("the start page puts an overlay's address together", { timeout: 60_000 }, async (t) => {
  const daemon = await Daemon.start(t, { speed: 8 });
  for (const [size, width, height] of [["1920x1080", 1920, 1080], ["360x640", 360, 640]]) {
    const page = await open(browser, `${daemon.base}/`, { width, height });
    await page.selectOption("[name=layout]", "lower");
    await page.check("[name=transparent]");
    assert.equal(await page.inputValue("#address"), `${daemon.base}/overlay?layout=lower&transparent=1`);
    await until(() => page.frames()[1]?.$("[data-layout=lower].transparent").catch(() => null), "the picture");
    await page.selectOption("[name=layout]", "");
    await until(() => page.frames()[1]?.$("[data-layout=full] #board .piece").catch(() => null), "the board");
    assert.deepEqual(await overflowing(page), []);
    assert.deepEqual(await nameless(page), []);
    await screenshot(page, `start-${size}`);
    assert.deepEqual(page.complaints, []);
    await page.close();
  }
});
