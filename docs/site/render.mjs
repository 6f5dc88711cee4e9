// Sets formulas: a JSON list of TeX comes in, a list of HTML goes out, null for what KaTeX does not understand.
// Usage: node render.mjs FOLDER_WITH_KATEX <formulas.json >formulas.html.json
import { readFileSync } from 'node:fs';
import { pathToFileURL } from 'node:url';

const { default: katex } = await import(pathToFileURL(`${process.argv[2]}/dist/katex.mjs`));
const formulas = JSON.parse(readFileSync(0, 'utf8'));
const set = (tex) => {
  try {
    return katex.renderToString(tex, { displayMode: true, throwOnError: true, strict: 'ignore', output: 'htmlAndMathml' });
  } catch {
    return null;
  }
};
process.stdout.write(JSON.stringify(formulas.map(set)));
