// Runs the tests of the pages: `node run.mjs DAEMON BUILD_DIRECTORY [FILE…]`. Playwright is
// installed into the build directory as the lock file has it; the browser is the system's. Without
// a browser the tests are skipped (77), which is not success.
import { spawnSync } from "node:child_process";
import { copyFileSync, existsSync, mkdirSync, readdirSync } from "node:fs";
import { dirname, join, resolve } from "node:path";
import { fileURLToPath } from "node:url";

const here = dirname(fileURLToPath(import.meta.url));
const [daemon, build, ...chosen] = process.argv.slice(2).map((path) => resolve(path));
const browser = process.env.XQ_CHROMIUM ?? "/usr/bin/chromium";
const skipped = 77;

if (!existsSync(browser)) {
  console.log(`skipped: there is no ${browser} (apt-get install chromium fonts-wqy-zenhei)`);
  process.exit(skipped);
}
mkdirSync(build, { recursive: true });
for (const name of ["package.json", "package-lock.json", ".npmrc"]) {
  copyFileSync(join(here, name), join(build, name));
}
if (!existsSync(join(build, "node_modules", "playwright-core"))) {
  const env = { ...process.env, PLAYWRIGHT_SKIP_BROWSER_DOWNLOAD: "1" };
  const installed = spawnSync("npm", ["ci", "--no-audit", "--no-fund"], { cwd: build, env, stdio: "inherit" });
  if (installed.status !== 0) process.exit(installed.status ?? 1);
}
const tests = chosen.length ? chosen
  : readdirSync(here).filter((name) => name.endsWith(".test.mjs")).map((name) => join(here, name));
const { status } = spawnSync(
  process.execPath, ["--test", "--test-concurrency=1", "--test-reporter=spec", ...tests],
  { stdio: "inherit", env: { ...process.env, XQ_DAEMON: daemon, XQ_WEB_BUILD: build, XQ_CHROMIUM: browser } });
process.exit(status ?? 1);
