// Opens pages of the site as files, by day, by night and on a phone; prints what keeps a reader out, and what is fetched from elsewhere.
// Usage: node site.mjs NODE_MODULES CHROMIUM SITE PICTURES
import { readFileSync } from 'node:fs';
import { pathToFileURL } from 'node:url';

const [modules, executablePath, site, pictures] = process.argv.slice(2);
const { chromium } = await import(pathToFileURL(`${modules}/playwright-core/index.mjs`));
const axe = readFileSync(`${modules}/axe-core/axe.min.js`, 'utf8');
const PAGES = ['index.html', 'analysts/index.html', 'docs/guide/r.html', 'docs/glossary.html', 'src/vernier/mechanism/gaussian.html'];
const VIEWS = [[1280, 900, 'light'], [1280, 900, 'dark'], [390, 844, 'light']];
const faults = [];

const browser = await chromium.launch({ executablePath, args: ['--no-sandbox', '--allow-file-access-from-files'] });
const open = async (name, width, height, colorScheme) => {
  const context = await browser.newContext({ viewport: { width, height }, colorScheme });
  const page = await context.newPage();
  page.on('request', (request) => request.url().startsWith('http') && faults.push(`${name}: fetches ${request.url()}`));
  page.on('pageerror', (error) => faults.push(`${name}: ${error.message}`));
  await page.goto(pathToFileURL(`${site}/${name}`).href);
  await page.waitForTimeout(300);
  return page;
};
for (const [width, height, scheme] of VIEWS) {
  for (const name of PAGES) {
    const page = await open(name, width, height, scheme);
    const where = `${name} (${width}, ${scheme})`;
    if (await page.evaluate(() => document.documentElement.scrollWidth > innerWidth)) faults.push(`${where}: scrolls sideways`);
    await page.evaluate(axe);
    const found = await page.evaluate(() => axe.run(document, { runOnly: ['wcag2a', 'wcag2aa'] }));
    for (const one of found.violations) faults.push(`${where}: ${one.id} at ${one.nodes[0].target}: ${one.nodes[0].failureSummary.replace(/\s+/g, ' ')}`);
    await page.screenshot({ path: `${pictures}/${name.replace(/\W/g, '-')}-${width}-${scheme}.png` });
    await page.context().close();
  }
}
const page = await open('index.html', 1280, 900, 'light');
await page.keyboard.press('/');
await page.keyboard.type('contribution bounding');
await page.waitForSelector('.md-search-result__item', { timeout: 30000 }).catch(() => faults.push('the search finds nothing'));
await browser.close();
console.log(JSON.stringify(faults));
