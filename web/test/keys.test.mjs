// A release whose server was killed is asked for again with its key, and never called unpaid before.
import assert from "node:assert/strict";
import test from "node:test";

const stored = new Map(), asked = [];
const storage = { getItem: (key) => stored.get(key) ?? null, setItem: (key, text) => stored.set(key, text), removeItem: (key) => stored.delete(key) };
Object.assign(globalThis, { localStorage: storage, sessionStorage: { ...storage, getItem: () => null } });
let answer = { status: 404, body: { error: { sentence: "there is no such thing here, or it is not yours" } } };
globalThis.fetch = async (path, init) => {
  asked.push({ path, ...init });
  return new Response(JSON.stringify(answer.body), { status: answer.status, headers: { "Content-Type": "application/json" } });
};

const { askAgain, begun, lookAgain, pending } = await import(`${process.env.VERNIER_PARTS}/keys.mjs`);
const wanted = { catalog: "c.toml", study: "text", plan_hash: "abc", name: "study" };
const kept = () => JSON.parse(stored.get("vernier.begun"));

test("what the server does not know is kept, and is not called unpaid", async () => {
  begun({ key: "k".repeat(32), catalog: "c.toml", study: "study", state: "running", wanted });
  await lookAgain();
  assert.equal(pending.value[0].state, "unknown");
  assert.deepEqual(kept()[0].wanted, wanted);
});

test("it is asked for again with the same key and the same plan", async () => {
  answer = { status: 202, body: { state: "running" } };
  await askAgain(pending.value[0]);
  const last = asked.at(-1);
  assert.deepEqual([last.method, last.path, last.headers["Idempotency-Key"], JSON.parse(last.body)], ["POST", "/api/v1/releases", "k".repeat(32), wanted]);
  assert.equal(kept()[0].state, "running");
});

test("what has ended is kept no longer", async () => {
  answer = { status: 200, body: { state: "ready", answer: { entry: 7 } } };
  await lookAgain();
  assert.deepEqual([pending.value[0].state, pending.value[0].entry, kept()], ["ready", 7, []]);
});
