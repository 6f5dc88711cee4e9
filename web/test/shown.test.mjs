// What the page prints of a release covers what was released: ends are never rounded inwards.
import assert from "node:assert/strict";
import test from "node:test";

const { cellsOf, isTableFile, shown } = await import(`${process.env.VERNIER_PARTS}/parts/results.mjs`);
const { rowsOf } = await import(`${process.env.VERNIER_PARTS}/parts/curves.mjs`);

const number = (text) => Number(text.replaceAll(",", ""));

test("an interval that is shown covers the one that was released", () => {
  let widest = 0;
  for (let i = 0; i < 20_000; ++i) {
    const size = 10 ** (12 * Math.random() - 4), middle = (Math.random() - 0.5) * 10 ** (9 * Math.random()), accuracy = size * Math.random();
    const cell = { value: middle, accuracy, interval: [middle - accuracy, middle + accuracy], confidence: 0.95 };
    const { from, to } = shown(cell);
    assert.ok(number(from) <= cell.interval[0], `${from} ${cell.interval[0]}`);
    assert.ok(number(to) >= cell.interval[1], `${to} ${cell.interval[1]}`);
    if (accuracy > 1e-6 * Math.abs(middle)) widest = Math.max(widest, (number(to) - number(from)) / (2 * accuracy));
  }
  assert.ok(widest < 1.3, `an interval is shown ${widest} times as wide`);
});

test("a value that is missing and a margin of none are shown", () => {
  assert.equal(shown({ value: null, accuracy: null, interval: [0, 1], confidence: 0.95 }).value, "–");
  assert.deepEqual(shown({ value: 3, accuracy: 0, interval: [3, 3], confidence: 0.95 }), { value: "3", from: "3", to: "3" });
  const { from, to } = shown({ value: 1e300, accuracy: 1e-9, interval: [-Infinity, 1e300], confidence: 0.95 });
  assert.deepEqual([from, number(to) >= 1e300], ["−∞", true]);
});

test("cells of a file are what was written, also in quotation marks", () => {
  assert.deepEqual(cellsOf('a,b\n"x, ""y""",\n"two\nlines",2\n'), [["a", "b"], ['x, "y"', ""], ["two\nlines", "2"]]);
  assert.deepEqual([isTableFile("towns.order-2.csv"), isTableFile("towns.contrasts.txt"), isTableFile("north.csv")], [true, false, false]);
});

test("a table of curves has each of them at its own places", () => {
  const rows = rowsOf([{ name: "a", points: [{ x: 0, y: 1 }, { x: 1, y: 2 }] }, { name: "b", points: [{ x: 1, y: 3 }, { x: 2, y: 4 }] }]);
  assert.deepEqual(rows, [{ x: 0, ys: [1, undefined] }, { x: 1, ys: [2, 3] }, { x: 2, ys: [undefined, 4] }]);
});
