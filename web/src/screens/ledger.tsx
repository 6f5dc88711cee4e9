import { useSignal } from "@preact/signals";
import { useEffect } from "preact/hooks";
import { bytes, get, post, Problem, Refused, save } from "../api";
import { Field } from "../parts/field";
import { Sentence } from "../parts/wrong";
import { catalog, may, me, said } from "../state";

type Cost = { epsilon: number; delta: number };
type Show = {
  entries: number;
  analysts: { analyst: string; spent: Cost; of: Cost; left: Cost }[];
  counts: { within: number; more: { analyst: string | null; counts: number }[] }[];
};
type Entry = { index: number; kind: string; utc: string; analyst: string; study: string; epsilon: string; delta: string; answered: boolean | null };

export function LedgerScreen() {
  const show = useSignal<Show | null>(null), entries = useSignal<Entry[]>([]);
  const wrong = useSignal<Problem | null>(null), within = useSignal(""), mine = useSignal(false), verified = useSignal("");
  const attempt = async (work: () => Promise<void>) => {
    try {
      await work();
    } catch (error) {
      if (!(error instanceof Refused)) throw error;
      wrong.value = error.problem;
    }
  };
  const place = `ledgers/${encodeURIComponent(catalog.value)}`;
  useEffect(() => {
    wrong.value = null;
    void attempt(async () => {
      show.value = await get<Show>(place + (within.value ? `?within=${encodeURIComponent(within.value)}` : ""));
      entries.value = (await get<{ entries: Entry[] }>(`${place}/history`)).entries.reverse();
    });
  }, [catalog.value, within.value]);
  const verify = () => attempt(async () => {
    said.value = "";
    await post(`${place}/verify`, {});
    verified.value = said.value = "the ledger holds: every entry, hash and stored answer was looked at";
  });
  const export_ = () => attempt(async () => save(`${catalog.value.replaceAll("/", "-")}.jsonl`, await bytes(`${place}/export`)));
  const shown = mine.value ? entries.value.filter((one) => one.analyst === me.value?.analyst) : entries.value;
  const unanswered = entries.value.filter((one) => one.answered === false).length;
  return (
    <>
      <div class="head"><h1>Ledger of {catalog.value}</h1>{may("steward") && <><button type="button" onClick={() => void verify()}>Verify now</button><button type="button" onClick={() => void export_()}>Export</button></>}</div>
      {verified.value && <p class="good">{verified.value}</p>}
      {wrong.value && <Sentence problem={wrong.value} />}
      {show.value && <Balance of={show.value} within={within.value} ask={(text) => (within.value = text)} />}
      <div class="row"><label><input type="checkbox" checked={mine.value} onChange={(event) => (mine.value = event.currentTarget.checked)} /> only mine</label><span class="note">unanswered: {unanswered}</span></div>
      {shown.length === 0 ? <p class="note">Nothing was spent yet.</p> : (
        <div class="scroll" tabIndex={0}><table><thead><tr><th class="right">entry</th><th>when (UTC)</th><th>what</th><th>who</th><th>study</th><th class="right">ε</th><th class="right">δ</th><th>answer</th></tr></thead>
          <tbody>{shown.map((one) => <tr key={one.index}><td class="right">{one.index}</td><td>{one.utc}</td><td>{one.kind}</td><td>{one.analyst || "–"}</td><td>{one.study || "–"}</td><td class="right">{one.kind === "reserve" ? one.epsilon : ""}</td><td class="right">{one.kind === "reserve" ? one.delta : ""}</td><td>{one.answered === null ? "" : one.answered ? "answered" : "none"}</td></tr>)}</tbody></table></div>
      )}
    </>
  );
}

// What was spent is rounded up by the server and what is left down; both are printed as they came.
function Balance(props: { of: Show; within: string; ask: (text: string) => void }) {
  const { analysts, counts } = props.of;
  return (
    <section class="card">
      <h2>Spent and left</h2>
      {analysts.map((one) => <div class="amount" key={one.analyst}><span class="what">{one.analyst || "ε"}</span><div class="bar" role="img" aria-label={`${one.analyst || "everybody"}: ${one.left.epsilon} of ${one.of.epsilon} left`}><i class="spent" style={{ width: `${Math.min(100, (100 * one.spent.epsilon) / (one.of.epsilon || 1))}%` }} /></div></div>)}
      <div class="scroll" tabIndex={0}><table><thead><tr><th>who</th><th class="right">ε spent</th><th class="right">of</th><th class="right">ε left</th><th class="right">δ left</th></tr></thead>
        <tbody>{analysts.map((one) => <tr key={one.analyst}><td>{one.analyst || "everybody"}</td><td class="right">{one.spent.epsilon}</td><td class="right">{one.of.epsilon}</td><td class="right">{one.left.epsilon}</td><td class="right">{one.left.delta}</td></tr>)}</tbody></table></div>
      {counts.length > 0 && <p>That is so many more counts, each within ± at 95 %: <label>another ± <Field id="within" label="counts within plus or minus" value={props.within} send={props.ask} /></label></p>}
      {counts.length > 0 && <div class="scroll" tabIndex={0}><table><thead><tr><th>who</th>{counts.map((one) => <th key={one.within} class="right">± {one.within.toLocaleString("en")}</th>)}</tr></thead>
        <tbody>{counts[0].more.map((line, i) => <tr key={line.analyst ?? ""}><td>{line.analyst ?? "everybody"}</td>{counts.map((one) => <td key={one.within} class="right">{one.more[i]?.counts.toLocaleString("en")}</td>)}</tr>)}</tbody></table></div>}
    </section>
  );
}
