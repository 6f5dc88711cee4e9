// Looks at pages in a real browser, at a desk, on a phone, in the dark and on paper, and tells what is wrong with them.
// Usage: node look.mjs CHROMIUM FOLDER PAGE.html...   (modules are found through VERNIER_BROWSER_MODULES)
// Prints one JSON object: for each page and form the console's messages, the requests, what is cut off or too wide, and
// what axe finds. FOLDER gets a picture of each, PAGE-FORM.png, and PAGE-print.pdf.
import { createRequire } from "node:module";
import path from "node:path";
import { pathToFileURL } from "node:url";

const modules = createRequire(path.join(process.env.VERNIER_BROWSER_MODULES, "node_modules", "any.js"));
const { chromium } = modules("playwright-core");
const axe = modules.resolve("axe-core/axe.min.js");

const FORMS = {
  desktop: { viewport: { width: 1280, height: 900 } },
  phone: { viewport: { width: 360, height: 740 }, isMobile: true, hasTouch: true },
  dark: { viewport: { width: 1280, height: 900 }, colorScheme: "dark" },
  print: { viewport: { width: 794, height: 1123 } },
};

const MARGINS = { top: "15mm", bottom: "15mm", left: "15mm", right: "15mm" };

// What a reader would miss: a page that is wider than the screen, and words of charts that leave their picture.
function measure() {
  const wide = document.documentElement.scrollWidth - document.documentElement.clientWidth;
  const outside = [];
  for (const svg of document.querySelectorAll("svg.chart")) {
    const frame = svg.getBoundingClientRect();
    if (frame.width === 0) continue;
    for (const words of svg.querySelectorAll("text")) {
      const box = words.getBoundingClientRect();
      const past = Math.max(frame.left - box.left, box.right - frame.right, frame.top - box.top, box.bottom - frame.bottom);
      if (past > 1) outside.push(`${words.textContent} by ${past.toFixed(1)}`);
    }
  }
  const charts = [...document.querySelectorAll("svg.chart")].filter((svg) => svg.getBoundingClientRect().width > 0).length;
  const injected = document.querySelectorAll("script, img, iframe, object, embed, link, base, form").length;
  return { wide, outside, charts, injected, background: getComputedStyle(document.body).backgroundColor };
}

async function look(browser, page, form, folder) {
  const context = await browser.newContext({ ...FORMS[form], bypassCSP: true });  // axe is a script, and the page allows none
  const tab = await context.newPage();
  const found = { messages: [], requests: [] };
  tab.on("console", (message) => found.messages.push(`${message.type()}: ${message.text()}`));
  tab.on("pageerror", (error) => found.messages.push(String(error)));
  tab.on("dialog", (dialog) => { found.messages.push(`dialog: ${dialog.message()}`); dialog.dismiss(); });
  tab.on("request", (request) => found.requests.push(request.url()));
  const address = pathToFileURL(page).href;
  await tab.goto(address);
  if (form === "print") await tab.emulateMedia({ media: "print" });
  Object.assign(found, await tab.evaluate(measure));
  const name = `${path.basename(page, ".html")}-${form}`;
  await tab.screenshot({ path: path.join(folder, `${name}.png`), fullPage: true });
  if (form === "print") await tab.pdf({ path: path.join(folder, `${name}.pdf`), format: "A4", margin: MARGINS });
  await tab.addScriptTag({ path: axe });
  const result = await tab.evaluate(() => globalThis.axe.run());
  found.violations = result.violations.map((one) => `${one.id}: ${one.help} (${one.nodes.length}): ${one.nodes[0].html.slice(0, 160)}`);
  found.passes = result.passes.length;
  found.requests = found.requests.filter((url) => url !== address);
  await context.close();
  return found;
}

const [executablePath, folder, ...pages] = process.argv.slice(2);
const browser = await chromium.launch({ executablePath, args: ["--no-sandbox", "--disable-gpu"] });
const answer = {};
for (const page of pages) {
  answer[path.basename(page)] = {};
  for (const form of Object.keys(FORMS)) answer[path.basename(page)][form] = await look(browser, page, form, folder);
}
await browser.close();
console.log(JSON.stringify(answer));
