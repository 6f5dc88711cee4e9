// Every screen of the page of `vernier serve` over names that try to be markup. Usage: node names.mjs CHROMIUM   (the link on standard input)
// Prints one JSON object: how many elements each screen has that no text makes, messages, requests to other hosts.
import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import path from "node:path";

const modules = createRequire(path.join(process.env.VERNIER_BROWSER_MODULES, "node_modules", "any.js"));
const { chromium } = modules("playwright-core");
const [executablePath] = process.argv.slice(2);
const link = readFileSync(0, "utf8").trim();
const QUIET = ["--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run", "--disable-background-networking", "--disable-component-update", "--disable-sync"];
const browser = await chromium.launch({ executablePath, args: QUIET });
const tab = await (await browser.newContext({ viewport: { width: 1280, height: 900 } })).newPage();
tab.setDefaultTimeout(60_000);
const seen = { foreignElements: {}, wide: {}, shown: {}, messages: [], dialogs: 0, foreign: [] };
tab.on("console", (message) => seen.messages.push(`${message.type()}: ${message.text()}`));
tab.on("pageerror", (error) => seen.messages.push(String(error)));
tab.on("dialog", (dialog) => { ++seen.dialogs; void dialog.dismiss(); });
tab.on("request", (request) => { if (new URL(request.url()).origin !== new URL(link).origin && !/^(blob|data):/.test(request.url())) seen.foreign.push(request.url()); });

async function look(screen) {
  seen.foreignElements[screen] = await tab.locator("main :is(img, script, iframe, object, embed, svg[onload], b, i[onclick], [onerror])").count();
  seen.wide[screen] = await tab.evaluate(() => document.documentElement.scrollWidth - document.documentElement.clientWidth);
  seen.shown[screen] = await tab.locator("main").innerText();
}
const screen = (name) => tab.getByRole("navigation").getByRole("button", { name, exact: true }).click();

await tab.goto(link);
await tab.getByRole("heading", { name: "Study", exact: true }).waitFor();
await tab.locator("article.statistic").first().waitFor();
await tab.locator(".dots, .outcome").first().waitFor();
for (const summary of await tab.locator("main summary").all()) await summary.click();
await look("study");
await tab.getByRole("button", { name: "Review and release" }).click();
await tab.getByRole("heading", { name: "Review" }).waitFor();
await look("review");
await tab.getByRole("button", { name: /^Spend ε/ }).click();
await tab.getByRole("button", { name: "Open the report" }).waitFor({ timeout: 90_000 });
await tab.locator("article.statistic").first().waitFor();
await look("releases");
await tab.getByRole("button", { name: "Publish", exact: true }).click();
await tab.getByText("readers find it").waitFor();
await screen("Published");
await tab.locator("main table button").first().click();
await tab.locator("article.statistic").first().waitFor();
await look("published");
await screen("Ledger");
await tab.getByRole("heading", { name: "Spent and left" }).waitFor();
await look("ledger");
await screen("Access");
await tab.getByRole("button", { name: /^take away/ }).first().waitFor();
await look("access");
await screen("Data");
await tab.getByLabel("Data file").selectOption({ index: 1 });
await tab.getByRole("heading", { name: "Columns" }).waitFor();
await look("data");
await browser.close();
console.log(JSON.stringify(seen));
