// The page of the finished games.
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { after, before, test } from "node:test";
import {
  Daemon, chineseFamily, fontsOf, gameLog, launch, nameless, open, overflowing, resize, screenshot, until,
} from "./support.mjs";

let browser;
before(async () => { browser = await launch(); });
after(() => browser.close());

/// After this Black gives up.
const opening = ["h2e2", "h9g7", "h0g2", "i9h9", "i0h0", "b9c7"];
const links = (page, selector) => page.$$eval(`${selector} .files a`, (all) => all.map((a) => a.getAttribute("href")));

test("a finished game is listed and can be fetched, beside the one being played", { timeout: 60_000 }, async (t) => {
  const daemon = await Daemon.start(t, { log: gameLog(opening), speed: 20 });
  const arbiter = await daemon.arbiter();
  const page = await open(browser, `${daemon.base}/games/`);
  assert.match(await page.textContent("main"), /None yet/);

  await until(async () => (await arbiter.call("status")).result.ply === opening.length, "the moves");
  assert.equal((await arbiter.call("resign", { side: "black" })).result.result, "1-0");
  await arbiter.call("game.new", { red: "李来群", black: "胡荣华" });
  await until(async () => {
    await page.reload();
    return (await page.$$("section:last-of-type li")).length === 1 && (await page.$$("section")).length === 2;
  }, "the finished game and the next");
  assert.equal(await page.textContent("section:last-of-type .marks"), "1 : 0");
  assert.equal(await page.textContent("section:last-of-type .who"), "王红英 – 郑墨林");
  assert.match(await page.textContent("section:last-of-type .small"), /认负/);
  assert.equal(await page.textContent("section:first-of-type .who"), "李来群 – 胡荣华");
  const fonts = await fontsOf(page, "section:last-of-type .who b");
  assert.ok(fonts.some((f) => chineseFamily.test(f.familyName) && f.glyphCount > 0), JSON.stringify(fonts));

  for (const href of await links(page, "section")) {
    const response = await page.request.get(new URL(href, page.url()).href);
    assert.equal(response.status(), 200, href);
  }
  const pgn = (await links(page, "section:last-of-type")).find((href) => href.endsWith(".pgn"));
  const waiting = page.waitForEvent("download");
  await page.click(`a[href="${pgn}"]`);
  const download = await waiting;
  const text = readFileSync(await download.path(), "utf8");
  assert.match(text, /\[Red "王红英"\]/);
  assert.match(text, /1\. 炮二平五 [^]*马8进7/);
  assert.match(text, /1-0\s*$/);
  assert.match(download.suggestedFilename(), /\.pgn$/);

  for (const [size, width, height] of [["1920x1080", 1920, 1080], ["360x640", 360, 640]]) {
    await resize(page, width, height);
    assert.deepEqual(await overflowing(page), []);
    assert.deepEqual(await nameless(page), []);
    await screenshot(page, `games-${size}`);
  }
  await arbiter.call("game.new", { black: "<i>胡荣华" });
  await until(async () => {
    await page.reload();
    return /<i>/.test(await page.textContent("section:first-of-type .who"));
  }, "a name that is no markup");
  await page.setViewportSize({ width: 900, height: 1200 });
  await page.click("section:last-of-type a[href$='.html?lang=en']");
  assert.match(await page.textContent("body"), /resigned/);
  assert.deepEqual(await overflowing(page), []);
  await screenshot(page, "score-sheet");
  assert.deepEqual(page.complaints, []);
});
