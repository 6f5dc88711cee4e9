import { computed, signal, Signal } from "@preact/signals";
import { Beyond, get, post, Problem, Refused } from "./api";

export type Column = { column: string; accuracy: string; lock: string; about: boolean; locked: boolean; mechanism: string };
export type Choices = Record<"covers" | "denoise" | "simultaneous" | "max_groups" | "max_rows" | "typical_rows", string>;
export type ShownStatistic = { name: string; columns: Column[]; share: string; limits: string; choices: Choices };
export type ShownTables = { name: string; share: string; lock: string; locked: boolean; tables: { of: string; cells: number; accuracy: string }[] };
export type ShownSeries = { name: string; share: string; steps: number; step: string; start: string; end: string; groups: number; max_steps: number; columns: { column: string; words: string; accuracy: string; lock: string; locked: boolean }[] };
export type Amount = { name: string; allowed: string; left: string; price: string; once: string; after: string };
export type Guess = { epsilon: string; delta: string; guess: number; found: number };
export type Forecast = { units: number; lower: number; upper: number };
export type Plan = {
  study: string;
  unit: string;
  neighbours: string;
  reserved?: boolean;  // of series: whether they are paid for
  statistics: { name: string; sql: string; groups: { public: boolean; count?: number; threshold?: number; forecast?: Forecast[] } }[];
  ledger: { affordable: boolean; amounts: { name: string; allowed: number; left: number; price: number }[] };
  text: string;
  plan_hash: string;
  risk: { study: Guess; catalog: Guess };
  shown: {
    epsilon: string;
    delta: string;
    confidence: string;
    budget: { epsilon: string; delta: string; unspent: string };
    statistics: ShownStatistic[];
    tables: ShownTables[];
    series?: ShownSeries[];
    next?: string;  // of series: the first day of the step that comes next
    ledger: Amount[];
  };
  what_if?: { epsilon: number; accuracies: Record<string, number>[]; tables?: number[][] }[];
};
export type Me = { analyst: string; roles: string[]; local: boolean; version: string };
export type Edit = Record<string, string>;

export const me = signal<Me | null>(null);
export const tab = signal("study");
export const catalogs = signal<{ name: string; holds: boolean }[]>([]);
export const catalog = signal("");
// What statements can name: the columns of each table.
type DeclaredTable = { name: string; columns: { name: string; type: string; lower: number | null; keys: unknown[] }[] };
export const declared = signal<DeclaredTable[]>([]);
export const tables = computed(() => Object.fromEntries(declared.value.map((one) => [one.name, one.columns.map((column) => column.name)])));
export const studies = signal<{ name: string; text: string }[]>([]);
export const name = signal("study");
export const plan = signal<Plan | null>(null);
export const problem = signal<{ at: string; problem: Problem; beyond: Beyond } | null>(null);
export const busy = signal(false);
export const said = signal("");

const past = signal<string[]>([]);
const future = signal<string[]>([]);
export const canUndo = computed(() => past.value.length > 0);
export const canRedo = computed(() => future.value.length > 0);

export const may = (role: string) => me.value?.roles.includes(role) ?? false;

// One thing after the other: an edit that is made while another is on its way builds on its answer, and loses nothing.
let turn: Promise<unknown> = Promise.resolve();
function inTurn<T>(work: () => Promise<T>): Promise<T> {
  const done = turn.then(work);
  turn = done.catch(() => undefined);
  return done;
}

// One edit, one request, one new text; what is refused changes nothing. `at` is the place that the sentence belongs to.
async function ask(text: string, at: string, edit?: Edit): Promise<boolean> {
  busy.value = true;
  try {
    const answer = await post<Plan>("plan", { catalog: catalog.value, study: text, name: name.value, ...(edit ? { edit } : {}) });
    plan.value = answer;
    problem.value = null;
    return true;
  } catch (error) {
    if (!(error instanceof Refused)) throw error;
    problem.value = { at, problem: error.problem, beyond: error.beyond };
    return false;
  } finally {
    busy.value = false;
  }
}

export function change(at: string, edit: Edit): Promise<boolean> {
  return inTurn(async () => {
    const before = plan.value?.text ?? "";
    if (!(await ask(before, at, edit))) return false;
    past.value = [...past.value, before];
    future.value = [];
    return true;
  });
}

// What the study would be with this edit; nothing is changed.
export async function previewed(edit: Edit): Promise<Plan> {
  return post<Plan>("plan", { catalog: catalog.value, study: plan.value?.text ?? "", name: name.value, edit });
}

// What was refused at this place is forgotten, and the study stays as it was.
export function giveUp(): void {
  problem.value = null;
  given.value = given.value + 1;
}

// Counts how often fields are to show again what the study says.
export const given = signal(0);

export function replaceText(text: string): Promise<boolean> {
  return inTurn(async () => {
    const before = plan.value?.text;
    if (!(await ask(text, "text"))) return false;
    if (before !== undefined) past.value = [...past.value, before];
    future.value = [];
    return true;
  });
}

// One step from a stack of texts to the other.
function moved(from: Signal<string[]>, to: Signal<string[]>, words: string): Promise<void> {
  return inTurn(async () => {
    const text = from.value.at(-1), now = plan.value?.text;
    if (text === undefined || now === undefined || !(await ask(text, "study"))) return;
    from.value = from.value.slice(0, -1);
    to.value = [...to.value, now];
    said.value = words;
  });
}

export const undo = () => moved(past, future, "undone");
export const redo = () => moved(future, past, "done again");

export function again(): Promise<void> {
  return inTurn(async () => { if (plan.value) await ask(plan.value.text, "study"); });
}

export function openStudy(of: { name: string; text: string }): Promise<void> {
  return inTurn(async () => {
    name.value = of.name;
    past.value = [];
    future.value = [];
    plan.value = null;
    if (!(await ask(of.text, "study"))) plan.value = null;
  });
}

export const FIRST = (table: string) =>
  `budget = { epsilon = 1, delta = 1e-7 }\n\n[[statistic]]\nname = "rows"\nsql = "SELECT COUNT(*) AS rows FROM ${table}"\n`;

export async function openCatalog(of: string): Promise<void> {
  catalog.value = of;
  plan.value = null;
  problem.value = null;
  type Answer = { catalog: { tables?: DeclaredTable[] }; studies: { name: string; text: string }[] };
  const answer = await get<Answer>(`catalogs/${encodeURIComponent(of)}`);
  studies.value = answer.studies;
  declared.value = answer.catalog.tables ?? [];
  const table = answer.catalog.tables?.[0]?.name ?? "people";
  await openStudy(answer.studies[0] ?? { name: "study", text: FIRST(`"${table.replaceAll('"', '""')}"`.replace(/^"(\w+)"$/, "$1")) });
}
