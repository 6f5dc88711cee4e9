import { signal } from "@preact/signals";
import { get, post, Refused } from "./api";

// Keys of releases that were begun here, kept until their end was seen: who opens the page again is told how far they
// are, and asks with the same key. A server that was killed may have left a run that pays only later: so what it does not
// know is "unknown", and never called unpaid, until it was asked for with the same key, which is charged once at most.
export type Wanted = { catalog: string; study: string; plan_hash: string; name: string; step?: string };  // what was asked for
export type Begun = { key: string; catalog: string; study: string; state: string; entry?: number; wanted?: Wanted };
type Told = { state: string; entry?: number; answer?: { entry?: number } };

const PLACE = "vernier.begun";

function read(): Begun[] {
  try {
    return JSON.parse(localStorage.getItem(PLACE) ?? "[]");
  } catch {
    return [];
  }
}

export const pending = signal<Begun[]>(read());

const isOver = (one: Begun) => one.state === "ready" || one.state === "refused";

function keep(all: Begun[]): void {
  pending.value = all;
  localStorage.setItem(PLACE, JSON.stringify(all.filter((one) => !isOver(one))));
}

export function begun(one: Begun): void {
  keep([...pending.value.filter((other) => other.key !== one.key), one]);
}

export function seen(key: string, state: string, entry?: number): void {
  keep(pending.value.map((one) => (one.key === key ? { ...one, state, entry: entry ?? one.entry } : one)));
}

export function forget(key: string): void {
  keep(pending.value.filter((one) => one.key !== key));
}

export const release = (key: string, wanted: Wanted) => post<Told>("releases", wanted, { "Idempotency-Key": key });

// Where they are now, of each that is still waited for.
export async function lookAgain(): Promise<void> {
  for (const one of pending.value) {
    try {
      const told = await get<Told>(`releases/${one.key}?catalog=${encodeURIComponent(one.catalog)}`);
      seen(one.key, told.state, told.entry ?? told.answer?.entry);
    } catch (error) {
      if (!(error instanceof Refused)) throw error;
      if (error.status === 404) seen(one.key, "unknown");
    }
  }
}

// Once more with the same key: it runs now where it was never paid for.
export async function askAgain(one: Begun): Promise<void> {
  if (!one.wanted) return;
  const told = await release(one.key, one.wanted);
  seen(one.key, told.state, told.entry ?? told.answer?.entry);
}
