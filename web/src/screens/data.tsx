import { useSignal } from "@preact/signals";
import { useEffect, useRef } from "preact/hooks";
import { get, post, Problem, put, Refused } from "../api";
import { Sentence } from "../parts/wrong";
import { catalog, catalogs, openCatalog, said } from "../state";

// A catalog: what is protected and what may be spent. A new one is filled in by fields, each of which is a line of the
// text, so that what is wrong with a line stands at its field; one that is there is changed as text.
type Found = { line: number; column: number; sentence: string };
type ColumnForm = { name: string; type: string; lower: string; upper: string; granularity: string; keys: string };
type Form = { table: string; source: string; delimiter: string; unit: string; neighbours: string; epsilon: string; delta: string; shares: string; columns: ColumnForm[] };
type Line = { text: string; at: string };

const TYPES = ["integer", "real", "string", "boolean", "date"];
const quoted = (text: string) => JSON.stringify(text);
const bare = (text: string) => (/^[A-Za-z0-9_-]+$/.test(text) ? text : quoted(text));
const listed = (text: string) => text.split(",").map((one) => one.trim()).filter((one) => one !== "");

function columnText(one: ColumnForm): string {
  const keys = listed(one.keys).map((key) => (one.type === "string" || one.type === "date" ? quoted(key) : key));
  const parts = [one.type && `type = ${quoted(one.type)}`, one.lower && `lower = ${one.lower}`, one.upper && `upper = ${one.upper}`, one.granularity && `granularity = ${one.granularity}`, keys.length > 0 && `keys = [${keys.join(", ")}]`];
  return `${bare(one.name)} = { ${parts.filter(Boolean).join(", ")} }`;
}

// The catalog as text, and to which field each line belongs.
function linesOf(form: Form): Line[] {
  const lines: Line[] = [];
  const add = (text: string, at: string) => lines.push({ text, at });
  add("[budget]", "budget");
  if (form.epsilon) add(`epsilon = ${form.epsilon}`, "epsilon");
  if (form.delta) add(`delta = ${form.delta}`, "delta");
  if (listed(form.shares).length) add(`shares = { ${listed(form.shares).join(", ")} }`, "shares");
  add("", "budget");
  add(`[tables.${bare(form.table)}]`, "table");
  add(`source = ${quoted(form.source)}`, "source");
  if (form.delimiter !== ",") add(`delimiter = ${quoted(form.delimiter)}`, "source");
  if (form.unit) add(`unit = ${quoted(form.unit)}`, "unit");
  if (form.neighbours) add(`neighbours = ${quoted(form.neighbours)}`, "unit");
  add("", "table");
  add(`[tables.${bare(form.table)}.columns]`, "table");
  form.columns.forEach((one, i) => add(columnText(one), `column-${i}`));
  return lines;
}

const textOf = (lines: Line[]) => lines.map((one) => one.text).join("\n") + "\n";

function At(props: { at: string; problems: { at: string; sentence: string }[] }) {
  const mine = props.problems.filter((one) => one.at === props.at);
  return <>{mine.map((one) => <p class="wrong" role="alert" key={one.sentence}>{one.sentence}</p>)}</>;
}

function Columns(props: { form: Form; problems: { at: string; sentence: string }[]; edit: (columns: ColumnForm[]) => void; change: (columns: ColumnForm[]) => void }) {
  const { form, problems } = props;
  const changed = (i: number, part: Partial<ColumnForm>) => form.columns.map((one, j) => (i === j ? { ...one, ...part } : one));
  const set = (i: number, part: Partial<ColumnForm>) => props.change(changed(i, part));
  const field = (i: number, key: "lower" | "upper" | "granularity" | "keys", size: number) => (
    <input aria-label={`${key} of ${form.columns[i].name}`} size={size} value={form.columns[i][key]} onInput={(event) => props.edit(changed(i, { [key]: event.currentTarget.value }))} onChange={(event) => set(i, { [key]: event.currentTarget.value.trim() })} />
  );
  return (
    <div class="scroll" tabIndex={0}><table class="fields"><thead><tr><th>column</th><th>type</th><th>lower</th><th>upper</th><th>step</th><th>public values, with commas between</th></tr></thead>
      <tbody>{form.columns.map((one, i) => (
        <>
          <tr key={one.name}>
            <td><code>{one.name}</code></td>
            <td><select aria-label={`type of ${one.name}`} value={one.type} onChange={(event) => set(i, { type: event.currentTarget.value })}><option value="">?</option>{TYPES.map((type) => <option key={type}>{type}</option>)}</select></td>
            <td>{field(i, "lower", 6)}</td><td>{field(i, "upper", 6)}</td><td>{field(i, "granularity", 4)}</td><td>{field(i, "keys", 24)}</td>
          </tr>
          {problems.some((problem) => problem.at === `column-${i}`) && <tr key={`${one.name}!`}><td colSpan={6}><At at={`column-${i}`} problems={problems} /></td></tr>}
        </>
      ))}</tbody></table></div>
  );
}

function NewCatalog(props: { done: (name: string) => void }) {
  const files = useSignal<string[]>([]), form = useSignal<Form | null>(null);
  const problems = useSignal<{ at: string; sentence: string }[]>([]), wrong = useSignal<Problem | null>(null);
  const target = useSignal("catalog.toml"), shows = useSignal(false);
  const attempt = async (work: () => Promise<void>) => {
    try {
      wrong.value = null;
      await work();
    } catch (error) {
      if (!(error instanceof Refused)) throw error;
      wrong.value = error.problem;
    }
  };
  useEffect(() => { void attempt(async () => { files.value = (await get<{ files: string[] }>("files")).files; }); }, []);
  const place = () => `catalogs/${encodeURIComponent(target.value)}`;
  // What is typed is kept at once, and checked when its field is left; of two answers the later question counts.
  const edit = (part: Partial<Form>) => { form.value = { ...form.value!, ...part }; };
  const asked = useRef(0);
  const check = (next: Form) => attempt(async () => {
    form.value = next;
    const lines = linesOf(next), number = ++asked.current;
    const told = await post<{ problems: Found[] }>(`${place()}/check`, { text: textOf(lines) });
    if (number !== asked.current) return;
    problems.value = told.problems.map((one) => ({ at: lines[one.line - 1]?.at ?? "table", sentence: one.sentence }));
  });
  const choose = (file: string) => attempt(async () => {
    const told = await post<{ table: string; source: string; delimiter: string; columns: string[] }>("catalogs/new", { file });
    const folder = file.slice(0, file.lastIndexOf("/") + 1), usual = `${folder}catalog.toml`;
    target.value = catalogs.value.some((one) => one.name === usual) ? `${folder}${told.table}.toml` : usual;
    await check({ table: told.table, source: told.source, delimiter: told.delimiter, unit: "", neighbours: "", epsilon: "", delta: "", shares: "",
      columns: told.columns.map((name) => ({ name, type: "", lower: "", upper: "", granularity: "", keys: "" })) });
  });
  const write = () => attempt(async () => {
    await put(place(), { text: textOf(linesOf(form.value!)), before: "" });
    said.value = `${target.value} is written`;
    props.done(target.value);
  });
  const set = (part: Partial<Form>) => void check({ ...form.value!, ...part });
  const now = form.value;
  return (
    <section class="card">
      <h2>A new catalog</h2>
      <label>Data file <select value="" onChange={(event) => void choose(event.currentTarget.value)}><option value="">choose one below the root</option>{files.value.map((one) => <option key={one}>{one}</option>)}</select></label>
      {files.value.length === 0 && <p class="note">There is no CSV or Parquet file below the root of this server.</p>}
      {wrong.value && <Sentence problem={wrong.value} />}
      {now && (
        <>
          <p class="note">Of {now.source} only the names of its columns were read. Take bounds and values from the codebook or common sense, never from a look at the data: what is written here is public.</p>
          <h3>Protected</h3>
          <div class="row">
            <label>whose rows they are <select value={now.unit} onChange={(event) => set({ unit: event.currentTarget.value })}><option value="">?</option><option value="row">each row by itself</option>{now.columns.map((one) => <option key={one.name} value={one.name}>the person named by {one.name}</option>)}</select></label>
            <label>what about them <select value={now.neighbours} onChange={(event) => set({ neighbours: event.currentTarget.value })}><option value="">whether they are in the data</option><option value="replace">also what their rows say</option></select></label>
          </div>
          <At at="unit" problems={problems.value} /><At at="table" problems={problems.value} /><At at="source" problems={problems.value} />
          <h3>Columns</h3>
          <Columns form={now} problems={problems.value} edit={(columns) => edit({ columns })} change={(columns) => set({ columns })} />
          <h3>Budget of everything that is ever published</h3>
          <div class="row">
            <label>ε <input size={7} inputMode="decimal" aria-label="epsilon of the catalog" value={now.epsilon} onInput={(event) => edit({ epsilon: event.currentTarget.value })} onChange={(event) => set({ epsilon: event.currentTarget.value.trim() })} /></label>
            <label>δ <input size={7} inputMode="decimal" aria-label="delta of the catalog" value={now.delta} onInput={(event) => edit({ delta: event.currentTarget.value })} onChange={(event) => set({ delta: event.currentTarget.value.trim() })} /></label>
            <label>shares <input size={24} placeholder="anna = 0.5, ben = 0.3" aria-label="shares of analysts" value={now.shares} onInput={(event) => edit({ shares: event.currentTarget.value })} onChange={(event) => set({ shares: event.currentTarget.value })} /></label>
          </div>
          {["budget", "epsilon", "delta", "shares"].map((at) => <At key={at} at={at} problems={problems.value} />)}
          <p class="note">Once spent from, ε and δ can no longer be changed.</p>
          <div class="row">
            <label>as <input size={20} aria-label="name of the catalog" value={target.value} onInput={(event) => (target.value = event.currentTarget.value)} onChange={(event) => { target.value = event.currentTarget.value.trim(); set({}); }} /></label>
            <button type="button" class="primary" disabled={problems.value.length > 0} onClick={() => void write()}>Save</button>
            <button type="button" onClick={() => (shows.value = !shows.value)} aria-expanded={shows.value}>Show as TOML</button>
            <span class="note">{problems.value.length === 0 ? "nothing is missing" : `${problems.value.length} still to do`}</span>
          </div>
          {shows.value && <pre class="sql" tabIndex={0}>{textOf(linesOf(now))}</pre>}
        </>
      )}
    </section>
  );
}

function Existing() {
  const text = useSignal(""), hash = useSignal(""), problems = useSignal<Found[]>([]), wrong = useSignal<Problem | null>(null);
  const place = `catalogs/${encodeURIComponent(catalog.value)}`;
  const attempt = async (work: () => Promise<void>) => {
    try {
      wrong.value = null;
      await work();
    } catch (error) {
      if (!(error instanceof Refused)) throw error;
      wrong.value = error.problem;
    }
  };
  const check = () => attempt(async () => { problems.value = (await post<{ problems: Found[] }>(`${place}/check`, { text: text.value })).problems; });
  useEffect(() => {
    if (!catalog.value) return;
    void attempt(async () => {
      const told = await get<{ text: string; hash: string }>(place);
      text.value = told.text;
      hash.value = told.hash;
      await check();
    });
  }, [catalog.value]);
  const write = () => attempt(async () => {
    hash.value = (await put<{ hash: string }>(place, { text: text.value, before: hash.value })).hash;
    said.value = `${catalog.value} is written`;
    await openCatalog(catalog.value);
  });
  if (!catalog.value) return null;
  return (
    <section class="card">
      <h2>{catalog.value}{problems.value.length > 0 ? `: ${problems.value.length} problems` : ""}</h2>
      <label>as it is written <textarea rows={18} spellcheck={false} value={text.value} onInput={(event) => (text.value = event.currentTarget.value)} onBlur={() => void check()} /></label>
      {problems.value.map((one) => <p class="wrong" role="alert" key={`${one.line} ${one.sentence}`}>line {one.line}: {one.sentence}</p>)}
      {wrong.value && <Sentence problem={wrong.value} />}
      <div class="row"><button type="button" onClick={() => void check()}>Check</button><button type="button" class="primary" disabled={problems.value.length > 0} onClick={() => void write()}>Save</button></div>
    </section>
  );
}

export function DataScreen() {
  return (
    <>
      <div class="head"><h1>Data</h1>
        {catalogs.value.length > 0 && <label>Catalog <select value={catalog.value} onChange={(event) => void openCatalog(event.currentTarget.value)}>{catalogs.value.map((one) => <option key={one.name}>{one.name}</option>)}</select></label>}
      </div>
      <Existing />
      <NewCatalog done={(name) => void get<{ catalogs: { name: string; holds: boolean }[] }>("catalogs").then((told) => { catalogs.value = told.catalogs; return openCatalog(name); })} />
    </>
  );
}
