// Renews docs/pictures from what the tests of the pages have photographed last:
// `node pictures.mjs BUILD_DIRECTORY`, the one that run.mjs was given. The browser scales them down;
// with a palette they weigh a tenth.
import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { fileURLToPath } from "node:url";
import { deflateSync } from "node:zlib";

process.env.XQ_WEB_BUILD = resolve(process.argv[2]);
process.env.XQ_CHROMIUM ??= "/usr/bin/chromium";
const { launch } = await import("./support.mjs");

/// The name in the docs, the screenshot, and what is cut out of it (x, y, width, height).
const pictures = {
  "overlay": ["overlay-plain-1920x1080"],
  "overlay-lower": ["overlay-layout-lower-transparent--1920x1080", [0, 860, 1920, 220]],
  "overlay-stale": ["overlay-stale", [960, 0, 960, 310]],
  "start": ["start-1920x1080", [210, 52, 1500, 790]],
  "wall": ["wall-1920x1080"],
  "desk-illegal-move": ["arbiter-illegal-move"],
  "desk-difference": ["arbiter-difference", [0, 60, 850, 840]],
  "games": ["games-1920x1080", [390, 52, 1140, 370]],
  "score-sheet": ["score-sheet", [40, 20, 820, 660]],
};
const widest = 1000;
/// Colours are told apart in steps of this, which is hardly seen.
const step = 4;

function crc32(bytes) {
  let crc = ~0;
  for (const byte of bytes) {
    crc ^= byte;
    for (let bit = 0; bit < 8; ++bit) crc = (crc >>> 1) ^ (crc & 1 ? 0xedb88320 : 0);
  }
  return ~crc >>> 0;
}

function chunk(type, bytes) {
  const body = Buffer.concat([Buffer.from(type), bytes]);
  const out = Buffer.alloc(body.length + 8);
  out.writeUInt32BE(bytes.length);
  body.copy(out, 4);
  out.writeUInt32BE(crc32(body), body.length + 4);
  return out;
}

/// A PNG of the 256 commonest colours; the others become the nearest of them. `rgba`: four bytes a
/// pixel, without transparency.
function palettePng(width, height, rgba) {
  const round = (value) => Math.min(255, Math.round(value / step) * step);
  const colours = new Uint32Array(width * height);
  const counts = new Map();
  for (let i = 0; i < colours.length; ++i) {
    const colour = (round(rgba[4 * i]) << 16) | (round(rgba[4 * i + 1]) << 8) | round(rgba[4 * i + 2]);
    colours[i] = colour;
    counts.set(colour, (counts.get(colour) ?? 0) + 1);
  }
  const palette = [...counts].sort((a, b) => b[1] - a[1]).slice(0, 256).map(([colour]) => colour);
  const parts = (colour) => [colour >> 16, (colour >> 8) & 255, colour & 255];
  const distance = (a, b) => parts(a).reduce((sum, v, i) => sum + (v - parts(b)[i]) ** 2, 0);
  const nearest = new Map([...counts.keys()].map((colour) => [colour, palette.reduce((best, _, i) =>
    (distance(colour, palette[i]) < distance(colour, palette[best]) ? i : best), 0)]));
  const rows = Buffer.alloc(height * (width + 1));
  colours.forEach((colour, i) => { rows[i + Math.floor(i / width) + 1] = nearest.get(colour); });
  const head = Buffer.alloc(13);
  head.writeUInt32BE(width);
  head.writeUInt32BE(height, 4);
  head.set([8, 3], 8); // a byte a pixel, an index into the palette
  return Buffer.concat([Buffer.from("\x89PNG\r\n\x1a\n", "latin1"), chunk("IHDR", head),
    chunk("PLTE", Buffer.from(palette.flatMap(parts))), chunk("IDAT", deflateSync(rows, { level: 9 })),
    chunk("IEND", Buffer.alloc(0))]);
}

const folder = fileURLToPath(new URL("../../docs/pictures", import.meta.url));
mkdirSync(folder, { recursive: true });
const browser = await launch();
const page = await browser.newPage();
for (const [name, [shot, cut]] of Object.entries(pictures)) {
  const png = readFileSync(join(process.env.XQ_WEB_BUILD, "screenshots", `${shot}.png`)).toString("base64");
  const { width, height, rgba } = await page.evaluate(async ({ png, cut, widest }) => {
    const image = Object.assign(new Image(), { src: `data:image/png;base64,${png}` });
    await image.decode();
    const [x, y, w, h] = cut ?? [0, 0, image.width, image.height];
    const scale = Math.min(1, widest / w);
    const [width, height] = [Math.round(w * scale), Math.round(h * scale)];
    const context = Object.assign(document.createElement("canvas"), { width, height }).getContext("2d");
    context.imageSmoothingQuality = "high";
    context.drawImage(image, x, y, w, h, 0, 0, width, height);
    const { data } = context.getImageData(0, 0, width, height);
    let text = "";
    for (const value of data) text += String.fromCharCode(value);
    return { width, height, rgba: btoa(text) };
  }, { png, cut, widest });
  const bytes = palettePng(width, height, Buffer.from(rgba, "base64"));
  writeFileSync(join(folder, `${name}.png`), bytes);
  console.log(`docs/pictures/${name}.png: ${Math.round(bytes.length / 1000)} kB`);
}
await browser.close();
