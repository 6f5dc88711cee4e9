// Walks through the page of `vernier serve` as people do, with its Content-Security-Policy on, and tells what was seen.
// Usage: node walk.mjs CHROMIUM FOLDER FORM   (the link on standard input; modules through VERNIER_BROWSER_MODULES)
// Prints one JSON object: steps that were seen, messages of the console, requests to other hosts, what axe finds on each
// screen, and how much each is wider than the window. FOLDER gets a picture of each screen.
import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import path from "node:path";

const modules = createRequire(path.join(process.env.VERNIER_BROWSER_MODULES, "node_modules", "any.js"));
const { chromium } = modules("playwright-core");
const axe = readFileSync(modules.resolve("axe-core/axe.min.js"), "utf8");

const FORMS = {
  desktop: { viewport: { width: 1280, height: 900 } },
  phone: { viewport: { width: 360, height: 740 }, isMobile: true, hasTouch: true },
  dark: { viewport: { width: 1280, height: 900 }, colorScheme: "dark" },
  forced: { viewport: { width: 1280, height: 900 }, forcedColors: "active" },
  still: { viewport: { width: 1280, height: 900 }, reducedMotion: "reduce" },
};

const [executablePath, folder, form] = process.argv.slice(2);
const link = readFileSync(0, "utf8").trim();
const QUIET = ["--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run", "--disable-background-networking", "--disable-component-update", "--disable-sync"];
const browser = await chromium.launch({ executablePath, args: QUIET });
const context = await browser.newContext(FORMS[form]);
await context.addInitScript({ content: axe });
const tab = await context.newPage();
tab.setDefaultTimeout(90_000);  // on a machine that has other work
const seen = { messages: [], foreign: [], violations: {}, wide: {}, printed: {}, narrow: {}, passes: 0 };
tab.on("console", (message) => seen.messages.push(`${message.type()}: ${message.text()}`));
tab.on("pageerror", (error) => seen.messages.push(String(error)));
tab.on("request", (request) => {
  const url = new URL(request.url());
  if (url.host !== new URL(link).host && url.protocol !== "blob:" && url.protocol !== "data:") seen.foreign.push(request.url());
});

// Screens that are others with a little more on them, which are judged in the other forms alone: it takes seconds.
const SAME = ["refused", "lecture"];

async function judge(screen) {
  const result = await tab.evaluate(() => globalThis.axe.run({ resultTypes: ["violations"] }));
  seen.violations[screen] = result.violations.map((one) => `${one.id}: ${one.help} (${one.nodes.length}): ${one.nodes[0].html.slice(0, 160)}`);
  seen.passes += result.passes.length;
}

async function look(screen) {
  seen.wide[screen] = await tab.evaluate(() => document.documentElement.scrollWidth - document.documentElement.clientWidth);
  if (form !== "desktop" || !SAME.includes(screen)) await judge(screen);
  await tab.screenshot({ path: path.join(folder, `page-${screen}-${form}.png`), fullPage: true });
  if (form !== "desktop") return;
  await tab.setViewportSize({ width: 360, height: 740 });
  seen.narrow[screen] = await tab.evaluate(() => document.documentElement.scrollWidth - document.documentElement.clientWidth);
  await tab.setViewportSize(FORMS.desktop.viewport);
  await tab.emulateMedia({ media: "print" });
  seen.printed[screen] = await tab.evaluate(() => [...document.querySelectorAll("button")].filter((one) => one.checkVisibility()).length);
  await tab.emulateMedia({ media: "screen" });
}

// The first journey by the keyboard alone: from the link to a release that was verified. Tells what had the focus.
async function byKeyboard() {
  const context = await browser.newContext(FORMS.desktop), page = await context.newPage(), reached = [];
  const focus = () => page.evaluate(() => document.activeElement?.getAttribute("aria-label") ?? document.activeElement?.innerText ?? "");
  const reach = async (name, key = "Tab") => {
    for (let i = 0; i < 120; ++i) {
      await page.keyboard.press(key);
      const now = await focus();
      if (name.test(now)) return void reached.push(now);
    }
    throw new Error(`the keyboard does not reach ${name}`);
  };
  await page.goto(link);
  await page.getByRole("heading", { name: "people by age" }).waitFor();
  await reach(/^accuracy of visits in visits by clinic$/);
  await page.keyboard.press("Control+A");
  await page.keyboard.type("150");
  await page.keyboard.press("Enter");
  await page.waitForFunction(() => document.querySelector('[aria-label="hold the accuracy of visits in visits by clinic"]')?.getAttribute("aria-pressed") === "true");
  await reach(/^hold the accuracy of patients in visits by department$/, "Shift+Tab");
  await page.keyboard.press("Space");
  await page.waitForFunction(() => document.querySelector('[aria-label="hold the accuracy of patients in visits by department"]')?.getAttribute("aria-pressed") === "true");
  await reach(/^Review and release$/, "Shift+Tab");
  await page.keyboard.press("Enter");
  await page.getByRole("heading", { name: "Review" }).waitFor();
  await reach(/^Spend ε/);
  await page.keyboard.press("Enter");
  await page.getByRole("button", { name: "Open the report" }).waitFor({ timeout: 90_000 });
  await reach(/^Verify$/);
  await reach(/^Open the report$/);
  await reach(/^Verify$/);
  await page.keyboard.press("Enter");
  await page.getByText("kinds of checks hold").waitFor({ timeout: 60_000 });
  await context.close();
  return reached;
}

// A reader: opens what was published, and has it verified.
async function asReader() {
  const { origin, hash } = new URL(link);
  const asked = { method: "POST", headers: { Authorization: `Bearer ${hash.slice(3)}`, "Content-Type": "application/json" }, body: JSON.stringify({ name: "rita", role: "reader", days: 1 }) };
  const { token } = await (await fetch(`${origin}/api/v1/tokens`, asked)).json();
  const context = await browser.newContext(FORMS[form]);
  await context.addInitScript({ content: axe });
  const page = await context.newPage();
  page.on("pageerror", (error) => seen.messages.push(String(error)));
  await page.goto(`${origin}/#t=${token}`);
  const tabs = page.getByRole("navigation").getByRole("button");
  await tabs.first().waitFor();
  const read = { tabs: await tabs.allInnerTexts() };
  await page.getByRole("navigation").getByRole("button", { name: "Published", exact: true }).click();
  await page.locator("main table button").first().click();
  await page.getByRole("heading", { name: /^Release / }).waitFor();
  await page.locator("article.statistic").first().waitFor();
  read.statistics = await page.locator("article.statistic").count();
  await page.locator(".card").getByRole("button", { name: "Verify", exact: true }).click();
  await page.getByText("kinds of checks hold").waitFor({ timeout: 60_000 });
  const result = await page.evaluate(() => globalThis.axe.run({ resultTypes: ["violations"] }));
  seen.violations.published = result.violations.map((one) => `${one.id}: ${one.help}: ${one.nodes[0].html.slice(0, 160)}`);
  await page.screenshot({ path: path.join(folder, `page-published-${form}.png`), fullPage: true });
  await context.close();
  return read;
}

const field = (name) => tab.getByLabel(name, { exact: true });
// The curve is asked for anew after every edit.
const curved = () => tab.waitForFunction(() => document.querySelector('[aria-labelledby="what-if-title"]')?.getAttribute("aria-busy") === "false");
const settled = () => tab.waitForFunction(() => document.querySelector(".columns")?.getAttribute("aria-busy") === "false");
const screen = (name) => tab.getByRole("navigation").getByRole("button", { name, exact: true }).click();

const began = Date.now();
await tab.goto(link);
await tab.getByRole("heading", { name: "Study", exact: true }).waitFor();
await tab.getByRole("heading", { name: "people by age" }).waitFor();
seen.first_plan = Date.now() - began;
seen.address = tab.url();
await tab.locator(".curves .line").first().waitFor({ timeout: 60_000 });
await tab.locator(".dots circle").first().waitFor({ timeout: 60_000 });
await tab.locator(".afterwards").waitFor({ timeout: 60_000 });
seen.afterwards = await tab.locator(".afterwards").innerText();
seen.dots = await tab.locator(".dots circle").count();
seen.within = await tab.getByText("lie within").first().innerText();
await tab.getByRole("button", { name: "Next outcomes" }).click();
await tab.getByText("outcome 2 of 30").waitFor();
await tab.getByRole("slider").waitFor({ timeout: 60_000 });
await look("study");

// Another accuracy by the keyboard alone: what is held stays, what is free moves.
const visits = field("accuracy of visits in visits by clinic"), age = field("accuracy of people in people by age");
seen.before = [await visits.inputValue(), await age.inputValue()];
await visits.focus();
await tab.keyboard.press("Control+A");
await tab.keyboard.type("150");
await tab.keyboard.press("Enter");
await tab.waitForFunction(() => document.querySelector('[aria-label="hold the accuracy of visits in visits by clinic"]')?.getAttribute("aria-pressed") === "true");
seen.after = [await visits.inputValue(), await age.inputValue()];

// Too tight: a sentence at its place, and nothing has moved.
await age.fill("1");
await age.press("Enter");
await tab.locator(".wrong").waitFor();
seen.refused = await tab.locator(".wrong p").first().innerText();
seen.kept = await tab.getByLabel("hold the accuracy of visits in visits by clinic").getAttribute("aria-pressed");
await look("refused");
seen.ways = await tab.locator(".ways button").allInnerTexts();
await tab.getByRole("button", { name: "Leave it as it was" }).click();
await tab.locator(".wrong").waitFor({ state: "detached" });
await tab.waitForFunction(() => document.querySelector('[aria-label="accuracy of people in people by age"]')?.value !== "1");
seen.left = await age.inputValue();
await age.fill("1");
await age.press("Enter");
await tab.getByRole("button", { name: /the best here$/ }).click();
await tab.locator(".wrong").waitFor({ state: "detached" });
await settled();
seen.best = await age.inputValue();
await tab.getByRole("button", { name: "Undo", exact: true }).click();
await tab.waitForFunction((before) => document.querySelector('[aria-label="accuracy of people in people by age"]')?.value === before, seen.left);

await visits.focus();  // a field that shows what the study says has nothing of its own to take back
await tab.keyboard.press("Control+Z");
await tab.waitForFunction(() => document.querySelector('[aria-label="hold the accuracy of visits in visits by clinic"]')?.getAttribute("aria-pressed") === "false");
await tab.waitForFunction((before) => document.querySelector('[aria-label="accuracy of visits in visits by clinic"]')?.value === before, seen.before[0]);
seen.undone = await visits.inputValue();

// Another budget by the point on the curve: keys move it, Enter takes it.
const budget = field("epsilon of this study"), usual = await budget.inputValue();
await curved();
await tab.getByRole("slider").focus();
await tab.keyboard.press("PageUp");
await tab.keyboard.press("Enter");
await tab.waitForFunction((before) => document.querySelector("#epsilon")?.value !== before, usual);
seen.budgets = [usual, await budget.inputValue()];
await tab.getByRole("button", { name: "Undo", exact: true }).click();
await tab.waitForFunction((before) => document.querySelector("#epsilon")?.value === before, usual);

// What else a statistic says is told before it is taken.
const ages = tab.locator("article.statistic").filter({ has: tab.getByRole("heading", { name: "people by age", exact: true }) });
await ages.locator("summary").filter({ hasText: /^more$/ }).click();
await ages.getByLabel("all intervals of it hold, people by age").selectOption({ label: "all at once" });
await ages.getByRole("button", { name: "Take it" }).waitFor();
seen.told = await ages.locator("[role=status] p").innerText();
seen.untaken = await tab.getByLabel("study.toml", { exact: true }).inputValue();
await ages.getByRole("button", { name: "Take it" }).click();
await tab.waitForFunction(() => document.querySelector(".columns")?.getAttribute("aria-busy") === "false" && [...document.querySelectorAll("textarea")].some((one) => one.value.includes("simultaneous = true")));
await tab.getByRole("button", { name: "Undo", exact: true }).click();
await settled();

// Markup in a name is text.
await tab.getByText("Add a statistic").click();
await tab.getByLabel("Name", { exact: true }).fill("<img src=x onerror=alert(1)>");
await tab.getByLabel("SQL", { exact: true }).fill("SELECT COUNT(*) AS people FROM people");
await tab.getByRole("button", { name: "Add", exact: true }).click();
await tab.getByRole("heading", { name: "<img src=x onerror=alert(1)>" }).waitFor();
seen.injected = await tab.locator("main img, main script, main iframe").count();
await tab.getByRole("button", { name: "Undo", exact: true }).click();
await tab.getByRole("heading", { name: "<img src=x onerror=alert(1)>" }).waitFor({ state: "detached" });
await settled();

await tab.getByRole("button", { name: "Review and release" }).click();
seen.reviewed = await tab.locator(".review").innerText();
await look("review");
await tab.getByRole("button", { name: /^Spend ε/ }).click();
await tab.getByRole("button", { name: "Open the report" }).waitFor({ timeout: 90_000 });
await look("releases");
await tab.getByRole("button", { name: "Publish", exact: true }).click();
await tab.getByText("readers find it").waitFor();
const [download] = await Promise.all([tab.waitForEvent("download"), tab.getByRole("button", { name: "release.json" }).click()]);
const record = path.join(folder, `release-${form}.json`);
await download.saveAs(record);
const [report] = await Promise.all([context.waitForEvent("page"), tab.getByRole("button", { name: "Open the report" }).click()]);
await report.waitForLoadState();
seen.report = await report.title();
await report.close();

// A study of tables alone: they are in the review, and in the release.
if (form === "desktop") {
  await screen("Study");
  await tab.getByText("The study as text").click();
  await tab.getByLabel("study.toml", { exact: true }).fill('budget = { epsilon = 0.3, delta = 1e-8 }\n\n[[table]]\nname = "homes"\nfrom = "people"\ncolumns = ["region", "sex"]\nup_to = 2\n');
  await tab.getByRole("button", { name: "Plan this text" }).click();
  await tab.getByRole("heading", { name: "homes" }).waitFor();
  await settled();
  // Their cells have an accuracy, as a column has.
  await field("accuracy of cells in homes").fill("300");
  await field("accuracy of cells in homes").press("Enter");
  await tab.waitForFunction(() => document.querySelector('[aria-label="hold the accuracy of cells in homes"]')?.getAttribute("aria-pressed") === "true");
  seen.cells = await field("accuracy of cells in homes").inputValue();
  await tab.getByRole("button", { name: "Undo", exact: true }).click();
  await tab.waitForFunction(() => document.querySelector('[aria-label="hold the accuracy of cells in homes"]')?.getAttribute("aria-pressed") === "false");
  await settled();
  await tab.getByRole("button", { name: "Review and release" }).click();
  seen.reviewed_tables = await tab.locator(".review table").allInnerTexts();
  await tab.getByRole("button", { name: /^Spend ε/ }).click();
  await tab.getByRole("heading", { name: "homes.order-2.csv" }).waitFor({ timeout: 90_000 });
  seen.released_tables = await tab.locator("article.statistic table").allInnerTexts();
}

await screen("Verify");
await tab.setInputFiles("#record", record);
await tab.getByText("holds", { exact: false }).first().waitFor();
seen.verdict = await tab.locator("h2.good").innerText();
await look("verify");

await screen("Ledger");
await tab.getByRole("heading", { name: "Spent and left" }).waitFor();
await tab.getByRole("button", { name: "Verify now" }).click();
await tab.getByText("the ledger holds").first().waitFor();
await look("ledger");

await screen("Calibrator");
await tab.locator(".curves .line").nth(4).waitFor({ timeout: 60_000 });
await field("accuracy ±").fill("50");
await field("accuracy ±").press("Enter");
await tab.waitForFunction(() => Number(document.querySelector("#calibrate-epsilon")?.value) < 0.0999);
seen.found = await field("ε").inputValue();
await look("calibrate");

await tab.getByRole("button", { name: "two neighbours" }).click();
await tab.getByText("the less a released number tells").waitFor();
await tab.waitForFunction(() => document.querySelector("figure tbody tr")?.cells.length === 3);  // both of them, and no more than these
seen.neighbours = await tab.locator("figure").first().locator("tbody tr").evaluateAll((rows) => rows.map((row) => [...row.cells].map((cell) => cell.textContent)));
await tab.getByRole("button", { name: "Draw 100 intervals" }).click();
await tab.locator(".intervals").nth(1).waitFor({ timeout: 90_000 });
seen.lecture = await tab.locator("#lecture-title ~ .columns p.good, #lecture-title ~ .columns p.bad").allInnerTexts();
await look("lecture");

await screen("Data");
await tab.getByLabel("Data file").selectOption({ index: 1 });
await tab.getByRole("heading", { name: "Columns" }).waitFor();
await tab.getByText("still to do").first().waitFor();
seen.lacking = await tab.locator(".fields .wrong").count();
await look("data");

await screen("Access");
await tab.getByLabel("name", { exact: true }).fill("anna");
await tab.getByRole("button", { name: "Make a token" }).click();
await tab.getByText("Shown once").first().waitFor();
seen.token = await tab.locator("p[role=status] code").first().innerText();
await look("access");

await context.close();
seen.reader = await asReader();
if (form === "desktop") seen.keyboard = await byKeyboard();

await browser.close();
console.log(JSON.stringify(seen));
