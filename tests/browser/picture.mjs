// The picture of the guide: the top of a report, as a reader sees it.
// Usage: node picture.mjs CHROMIUM REPORT.html PICTURE.png   (modules are found through VERNIER_BROWSER_MODULES)
// Example: vernier demo --out census && node picture.mjs /usr/bin/chromium census/release/report.html report.png
import { createRequire } from "node:module";
import path from "node:path";
import { pathToFileURL } from "node:url";

const modules = createRequire(path.join(process.env.VERNIER_BROWSER_MODULES, "node_modules", "any.js"));
const { chromium } = modules("playwright-core");

const [executablePath, page, picture] = process.argv.slice(2);
const browser = await chromium.launch({ executablePath, args: ["--no-sandbox", "--disable-gpu"] });
const tab = await browser.newPage({ viewport: { width: 900, height: 1010 } });
await tab.goto(pathToFileURL(page).href);
await tab.screenshot({ path: picture });
await browser.close();
