import { useSignal } from "@preact/signals";
import { useEffect } from "preact/hooks";
import { post, Problem, Refused, save } from "../api";
import { copyText } from "../parts/commands";
import { Field } from "../parts/field";
import { calendarOf, Forecast, Tables } from "../parts/rows";
import { Rehearsal } from "../parts/rehearsal";
import { Sql } from "../parts/sql";
import { WhatIf } from "../parts/what_if";
import { Sentence, Wrong } from "../parts/wrong";
import { busy, canRedo, canUndo, catalog, catalogs, change, Choices, Column, declared, Edit, name, openCatalog, openStudy, Plan, plan, previewed, problem, redo, replaceText, ShownSeries, ShownStatistic, ShownTables, studies, undo } from "../state";
import { Review } from "./review";

function Opened() {
  return (
    <div class="row choices">
      <label>Catalog <select value={catalog.value} onChange={(event) => openCatalog(event.currentTarget.value)}>
        {catalogs.value.map((one) => <option key={one.name} value={one.name}>{one.name}{one.holds ? "" : " (has problems)"}</option>)}
      </select></label>
      {studies.value.length > 0 && <label>Study <select value={name.value} onChange={(event) => {
        const found = studies.value.find((one) => one.name === event.currentTarget.value);
        if (found) void openStudy(found);
      }}>{studies.value.map((one) => <option key={one.name} value={one.name}>{one.name}</option>)}</select></label>}
    </div>
  );
}

// Widths are for the eye; the figures are the texts beside the bar.
function Bar(props: { of: { name: string; allowed: number; left: number; price: number }; shown: Plan["shown"]["ledger"][number]; affordable: boolean }) {
  const { allowed, left, price } = props.of;
  const part = (value: number) => `${Math.max(0, Math.min(100, (100 * value) / allowed))}%`;
  return (
    <div class="amount">
      <span class="what">{props.of.name}</span>
      <div class="bar" role="img" aria-label={`${props.of.name}: ${props.shown.left} of ${props.shown.allowed} left, this study takes ${props.shown.price}`}>
        <i class="spent" style={{ width: part(allowed - left) }} />
        <i class={props.affordable ? "price" : "price over"} style={{ width: part(Math.min(price, left)) }} />
      </div>
      <span class="figures">{props.affordable ? <>takes {props.shown.price} of {props.shown.left} left, leaves {props.shown.after}</> : <strong>takes {props.shown.price}, but {props.shown.left} is left</strong>}</span>
    </div>
  );
}

// What is left after it, as people can picture it.
function Afterwards(props: { plan: Plan }) {
  const counts = useSignal<{ within: number; counts: number }[] | null>(null);
  useEffect(() => {
    let isOld = false;
    const later = setTimeout(async () => {
      try {
        const told = await post<{ counts: { within: number; counts: number }[] }>("counts", { catalog: catalog.value, study: props.plan.text, name: name.value });
        if (!isOld) counts.value = told.counts;
      } catch (error) {
        if (!(error instanceof Refused)) throw error;
        if (!isOld) counts.value = null;
      }
    }, 1000);  // behind what is waited for more
    return () => { isOld = true; clearTimeout(later); };
  }, [props.plan.plan_hash, props.plan.shown.ledger[0]?.left]);
  if (!counts.value || !props.plan.ledger.affordable) return null;
  const text = counts.value.map((one) => `${one.counts.toLocaleString("en")} within ± ${one.within.toLocaleString("en")}`).join(", or ");
  return <p class="note afterwards">After it, more counts at 95 %: {text === "" ? "none" : text}.</p>;
}

function Budget(props: { plan: Plan }) {
  const { shown, ledger } = props.plan;
  return (
    <section class="card" aria-labelledby="budget-title">
      <h2 id="budget-title">Budget of this study</h2>
      <div class="row">
        <label>ε <Field id="epsilon" label="epsilon of this study" value={shown.budget.epsilon} send={(text) => void change("budget", { kind: "budget", epsilon: text })} /></label>
        <label>δ <Field id="delta" label="delta of this study" value={shown.budget.delta} send={(text) => void change("budget", { kind: "budget", delta: text })} /></label>
        <label>confidence <select value={shown.confidence} onChange={(event) => void change("budget", { kind: "alpha", alpha: event.currentTarget.selectedOptions[0].dataset.alpha ?? "0.05" })}>
          {[["90 %", "0.1"], ["95 %", "0.05"], ["99 %", "0.01"], ["99.9 %", "0.001"]].map(([text, alpha]) => <option key={alpha} data-alpha={alpha} value={text}>{text}</option>)}
          {!["90 %", "95 %", "99 %", "99.9 %"].includes(shown.confidence) && <option value={shown.confidence}>{shown.confidence}</option>}
        </select></label>
      </div>
      {shown.budget.unspent && <p class="note">ε {shown.budget.unspent} of it is not needed: every accuracy is met with {shown.epsilon}. <button type="button" class="small" onClick={() => void change("budget", { kind: "budget", epsilon: shown.epsilon })}>Spend less</button></p>}
      {!shown.budget.epsilon && <p class="note">No budget is stated: {shown.epsilon} is the least ε that meets every accuracy.</p>}
      {!shown.series && !shown.budget.unspent && <button type="button" class="small" onClick={() => void change("budget", { kind: "least" })}>Hold everything, and take the least ε for it</button>}
      <Wrong at="budget" />
      {props.plan.reserved && <p class="note">All steps of these series are paid for; {shown.next ? `the next one begins on ${shown.next}` : "all of them are published"}.</p>}
      {!props.plan.reserved && ledger.amounts.map((amount, i) => <Bar key={amount.name} of={amount} shown={shown.ledger[i]} affordable={ledger.affordable} />)}
      <Afterwards plan={props.plan} />
    </section>
  );
}

// One accuracy: typed it is held, and let go it shares again.
function Accuracy(props: { statistic: string; column: string; words?: string; lock: string; locked: boolean; unit?: string; about?: boolean; place: string }) {
  const { statistic, column, lock, locked, place } = props;
  const toggle = () => change(place, locked ? { kind: "unlock", statistic, column } : { kind: "accuracy", statistic, column, accuracy: lock });
  return (
    <div class="column">
      <span class="name">{props.words ?? column}</span>
      <span class="accuracy">{props.about ? "about " : ""}± <Field id={place} label={`accuracy of ${column} in ${statistic}`} value={lock} send={(text) => void change(place, { kind: "accuracy", statistic, column, accuracy: text })} />{props.unit ?? ""}</span>
      <button type="button" class={locked ? "lock is-locked" : "lock"} aria-pressed={locked} aria-label={`hold the accuracy of ${column} in ${statistic}`} onClick={() => void toggle()}>hold</button>
      <Wrong at={place} />
    </div>
  );
}

const ColumnRow = (props: { of: Column; statistic: string; place: string }) => (
  <Accuracy statistic={props.statistic} column={props.of.column} lock={props.of.lock} locked={props.of.locked} about={props.of.about} unit={props.of.accuracy.endsWith(" ranks") ? " ranks" : ""} place={props.place} />
);

function Head(props: { name: string; share: string; place: string; last: boolean }) {
  const { name, place } = props;
  return (
    <>
      <header>
        <h3>{name}</h3>
        <span class="share"><Field id={place} label={`share of ${name} in percent`} size={4} value={props.share.replace(/ %$/, "").replace("under ", "")} send={(text) => void change(place, { kind: "share", statistic: name, percent: text })} /> % of the budget</span>
        {!props.last && <button type="button" class="small quiet" aria-label={`remove ${name}`} onClick={() => void change(place, { kind: "remove", statistic: name })}>remove</button>}
      </header>
      <Wrong at={place} />
    </>
  );
}

const CHOICES: { key: keyof Choices; words: string; of?: [string, string][]; usual?: string }[] = [
  { key: "covers", words: "intervals are about", of: [["", "the rows that are there"], ["population", "the population that they were drawn from"]] },
  { key: "simultaneous", words: "all intervals of it hold", of: [["", "each by itself"], ["true", "all at once"]] },
  { key: "denoise", words: "numbers are", of: [["", "as they were drawn"], ["least-risk", "denoised, at least risk"], ["james-stein", "denoised by James and Stein"], ["soft-threshold", "denoised by a soft threshold"], ["consistent", "made consistent"]] },
  { key: "max_groups", words: "groups that a unit may touch", usual: "as the catalog says" },
  { key: "max_rows", words: "rows of a unit that count in a group", usual: "as the catalog says" },
  { key: "typical_rows", words: "rows of a group for which a mean's ± is stated", usual: "1000" },
];

// What else a statistic says. What a choice does to the accuracies is told before it is taken.
function More(props: { of: ShownStatistic; place: string }) {
  const { of, place } = props;
  const asked = useSignal<{ edit: Edit; told: string[] } | null>(null), wrong = useSignal<Problem | null>(null);
  const ask = async (key: string, value: string) => {
    const edit = { kind: "choose", statistic: of.name, key, value };
    wrong.value = asked.value = null;
    try {
      const next = await previewed(edit), before = plan.value!.shown.statistics;
      const told = next.shown.statistics.flatMap((one, i) => one.columns.flatMap((column, j) => before[i]?.columns[j]?.accuracy === column.accuracy ? [] : [`${column.column} of ${one.name}: ${before[i]?.columns[j]?.accuracy} becomes ${column.accuracy}`]));
      asked.value = { edit, told };
    } catch (error) {
      if (!(error instanceof Refused)) throw error;
      wrong.value = error.problem;
    }
  };
  const take = async () => { if (asked.value && (await change(place, asked.value.edit))) asked.value = null; };
  return (
    <details class="more"><summary>more</summary>
      {CHOICES.map((one) => (
        <label key={one.key}>{one.words} {one.of
          ? <select aria-label={`${one.words}, ${of.name}`} value={asked.value?.edit.key === one.key ? asked.value.edit.value : of.choices[one.key]} onChange={(event) => void ask(one.key, event.currentTarget.value)}>{one.of.map(([value, text]) => <option key={value} value={value}>{text}</option>)}</select>
          : <Field id={`${place}-${one.key}`} label={`${one.words}, ${of.name}`} size={6} hint={one.usual} empty value={of.choices[one.key]} send={(text) => void ask(one.key, text)} />}</label>
      ))}
      {wrong.value && <Sentence problem={wrong.value} />}
      {asked.value && <div role="status"><p class="note">{asked.value.told.length > 0 ? `${asked.value.told.join("; ")}.` : "It changes no accuracy."}</p>
        <div class="row"><button type="button" class="small" onClick={() => void take()}>Take it</button><button type="button" class="small" onClick={() => (asked.value = null)}>Leave it as it was</button></div></div>}
    </details>
  );
}

function Statement(props: { of: ShownStatistic; sql: string; place: string }) {
  const text = useSignal(props.sql), { place } = props;
  useEffect(() => { text.value = props.sql; }, [props.sql]);
  return (
    <details><summary>SQL</summary>
      <Sql label={`SQL of ${props.of.name}`} text={text.value} change={(now) => (text.value = now)} problem={problem.value?.at === place ? problem.value.problem : null} />
      <button type="button" class="small" disabled={text.value === props.sql} onClick={() => void change(place, { kind: "sql", statistic: props.of.name, sql: text.value })}>Change it</button>
      <Wrong at={place} />
    </details>
  );
}

function Statistic(props: { of: ShownStatistic; sql: string; groups: Plan["statistics"][number]["groups"]; number: number; last: boolean }) {
  const { of, groups, number } = props;
  return (
    <article class="statistic">
      <Head name={of.name} share={of.share} place={`share-${number}`} last={props.last} />
      {of.columns.map((column, i) => <ColumnRow key={column.column} of={column} statistic={of.name} place={`accuracy-${number}-${i}`} />)}
      <p class="note">{groups.public ? `${groups.count} ${groups.count === 1 ? "number" : "groups, which are public"}` : "groups are private"}{of.limits && `; ${of.limits}`}</p>
      {!groups.public && groups.forecast && <Forecast of={groups.forecast} />}
      <Statement of={of} sql={props.sql} place={`sql-${number}`} />
      <More of={of} place={`more-${number}`} />
    </article>
  );
}

function TableRow(props: { of: ShownTables; number: number; last: boolean }) {
  const { of, number } = props;
  return (
    <Tables of={of} head={<>
      <Head name={of.name} share={of.share} place={`table-share-${number}`} last={props.last} />
      <Accuracy statistic={of.name} column="cells" words="every cell of every table" lock={of.lock} locked={of.locked} place={`table-${number}`} />
    </>} />
  );
}

function SeriesRow(props: { of: ShownSeries; number: number; last: boolean }) {
  const { of, number } = props, place = `series-${number}`;
  return (
    <article class="statistic">
      <header><h3>{of.name}</h3><span class="share">{of.share} of the cost, of all steps together</span>
        {!props.last && <button type="button" class="small quiet" aria-label={`remove ${of.name}`} onClick={() => void change(place, { kind: "remove", statistic: of.name })}>remove</button>}</header>
      <Wrong at={place} />
      {of.columns.map((one, i) => <Accuracy key={one.column} statistic={of.name} column={one.column} words={`${one.words}, at every step`} lock={one.lock} locked={one.locked} place={`series-${number}-${i}`} />)}
      <p class="note">{calendarOf(of)}</p>
    </article>
  );
}

const bare = (text: string) => (/^[A-Za-z_]\w*$/.test(text) ? text : `"${text.replaceAll('"', '""')}"`);

// Statements to begin with, over what the catalog declares.
function beginnings(): { name: string; sql: string }[] {
  const table = declared.value[0];
  if (!table) return [];
  const key = table.columns.find((one) => one.keys.length > 0), number = table.columns.find((one) => one.lower !== null && ["integer", "real"].includes(one.type));
  const of = (what: string) => `SELECT ${key ? `${bare(key.name)}, ` : ""}${what} FROM ${bare(table.name)}${key ? ` GROUP BY ${bare(key.name)}` : ""}`;
  const by = key ? ` by ${key.name}` : "";
  return [{ name: `count${by}`, sql: of("COUNT(*) AS number") }, ...(number ? [{ name: `mean ${number.name}${by}`, sql: of(`AVG(${bare(number.name)}) AS mean`) }, { name: `median ${number.name}${by}`, sql: of(`MEDIAN(${bare(number.name)}) AS median`) }] : [])];
}

function Add() {
  const title = useSignal(""), sql = useSignal("");
  const send = async (event: Event) => {
    event.preventDefault();
    if (await change("add", { kind: "add", statistic: title.value, sql: sql.value })) title.value = sql.value = "";
  };
  return (
    <details class="add">
      <summary>Add a statistic</summary>
      <div class="row">{beginnings().map((one, i) => <button type="button" class="small" key={one.name} onClick={() => { title.value = one.name; sql.value = one.sql; }}>{["a count", "a mean", "a median"][i]}</button>)}</div>
      <form onSubmit={(event) => void send(event)}>
        <label>Name <input value={title.value} onInput={(event) => (title.value = event.currentTarget.value)} required /></label>
        <div><span aria-hidden="true">SQL</span> <Sql label="SQL" text={sql.value} change={(text) => (sql.value = text)} problem={problem.value?.at === "add" ? problem.value.problem : null} /></div>
        <button type="submit" disabled={sql.value.trim() === ""}>Add</button>
        <Wrong at="add" />
      </form>
    </details>
  );
}

function Risk(props: { plan: Plan }) {
  const { study, catalog: all } = props.plan.risk;
  return (
    <section class="card" aria-labelledby="risk-title">
      <h2 id="risk-title">What ε {study.epsilon}, δ {study.delta} means</h2>
      <div class="people" role="img" aria-label={`${study.guess} of 100 guesses right at most`}>{Array.from({ length: 100 }, (_, i) => <i key={i} class={i < 50 ? "coin" : i < study.guess ? "more" : ""} />)}</div>
      <p>A coin decides whether a person is in the data. Somebody who knows all others guesses right 50 of 100 times without this release, and with it <strong>at most {study.guess} of 100</strong>.</p>
      <p>Who wrongly points at 5 of 100 outsiders can point at no more than {study.found} of 100 who are in it.</p>
      <p>After everything that this catalog may ever publish (ε {all.epsilon}, δ {all.delta}): at most {all.guess} of 100.</p>
    </section>
  );
}

function TextOfStudy(props: { plan: Plan }) {
  const text = useSignal(props.plan.text);
  useEffect(() => { text.value = props.plan.text; }, [props.plan.text]);
  return (
    <details class="card">
      <summary>The study as text</summary>
      <label>study.toml <textarea rows={14} spellcheck={false} value={text.value} onInput={(event) => (text.value = event.currentTarget.value)} /></label>
      <button type="button" disabled={text.value === props.plan.text} onClick={() => void replaceText(text.value)}>Plan this text</button>
      <Wrong at="text" />
    </details>
  );
}

const python = (text: string) => `import vernier as vn\n\nstudy = """\n${text.replaceAll("\\", "\\\\").replaceAll('"""', '\\"""')}"""\nwith open("${name.value}.toml", "w") as file:\n    file.write(study)\nplan = vn.plan("${name.value}.toml", catalog="${catalog.value}")\nprint(plan)\n# release = vn.release("${name.value}.toml", catalog="${catalog.value}")   # spends\n`;

function Actions(props: { plan: Plan }) {
  return (
    <div class="row actions">
      <button type="button" disabled={!canUndo.value} onClick={() => void undo()}>Undo</button>
      <button type="button" disabled={!canRedo.value} onClick={() => void redo()}>Redo</button>
      <button type="button" onClick={() => save(`${name.value}.toml`, new Blob([props.plan.text], { type: "text/plain" }))}>Save as {name.value}.toml</button>
      <label class="file">Open <input type="file" accept=".toml" onChange={(event) => { const file = event.currentTarget.files?.[0]; if (file) void file.text().then(replaceText); }} /></label>
      <button type="button" onClick={() => void copyText(python(props.plan.text), "the Python")}>Copy as Python</button>
      <button type="button" onClick={() => void copyText(`vernier release ${name.value}.toml --catalog ${catalog.value}`, "the command")}>Copy as a command</button>
    </div>
  );
}

// Within a text that is being written the keys take back what was written there; a field that shows what the study says
// has nothing to take back.
function isWriting(event: KeyboardEvent): boolean {
  const target = event.composedPath()[0];
  if (target instanceof HTMLInputElement) return target.dataset.shown !== target.value;
  return target instanceof HTMLTextAreaElement || (target instanceof HTMLElement && target.isContentEditable);
}

export function StudyScreen() {
  const reviewing = useSignal(false);
  const now = plan.value;
  useEffect(() => {
    const press = (event: KeyboardEvent) => {
      if (!(event.ctrlKey || event.metaKey) || event.key.toLowerCase() !== "z" || isWriting(event)) return;
      event.preventDefault();
      void (event.shiftKey ? redo() : undo());
    };
    addEventListener("keydown", press);
    return () => removeEventListener("keydown", press);
  }, []);
  const series = now?.shown.series ?? [];
  const rows = now ? now.shown.statistics.length + now.shown.tables.length + series.length : 0;
  if (reviewing.value && now) return <Review plan={now} back={() => (reviewing.value = false)} />;
  return (
    <>
      <div class="head"><h1>Study</h1><Opened />{now && <button type="button" class="primary" disabled={busy.value || !(now.ledger.affordable || now.reserved)} onClick={() => (reviewing.value = true)}>Review and release</button>}</div>
      <Wrong at="study" />
      {now && (
        <div class="columns" aria-busy={busy.value}>
          <div>
            <Actions plan={now} />
            <Budget plan={now} />
            <section class="card" aria-labelledby="statistics-title">
              <h2 id="statistics-title">Accuracy of each number, at {now.shown.confidence}</h2>
              <p class="note">Type the ± that you need: it is held, and the others share the rest of the budget.</p>
              {now.shown.statistics.map((one, i) => <Statistic key={one.name} of={one} sql={now.statistics[i].sql} groups={now.statistics[i].groups} number={i} last={rows === 1} />)}
              {now.shown.tables.map((one, i) => <TableRow key={one.name} of={one} number={i} last={rows === 1} />)}
              {series.map((one, i) => <SeriesRow key={one.name} of={one} number={i} last={rows === 1} />)}
              {series.length === 0 && <Add />}
            </section>
            <TextOfStudy plan={now} />
          </div>
          <div>{series.length === 0 && <><Rehearsal plan={now} /><WhatIf plan={now} /></>}<Risk plan={now} /></div>
        </div>
      )}
    </>
  );
}
