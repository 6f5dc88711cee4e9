import { useSignal } from "@preact/signals";
import { get, Problem, Refused, remove } from "../api";
import { begun, forget, release, seen } from "../keys";
import { Forecast, Series, Tables } from "../parts/rows";
import { Sentence } from "../parts/wrong";
import { again, catalog, me, name, Plan, tab } from "../state";
import { opened } from "./releases";

type Job = { state: string; request: string; entry?: number; ready_at?: number; stopping?: boolean; answer?: { release?: string; entry?: number; error?: Problem } };

// Before the button can be pressed, so that a page which dies can ask again and never pays twice.
function newKey(): string {
  const words = crypto.getRandomValues(new Uint8Array(16));
  return Array.from(words, (byte) => byte.toString(16).padStart(2, "0")).join("");
}

const isOpen = (job: Job | null) => job !== null && ["queued", "running", "paid"].includes(job.state);
const clock = (seconds: number) => new Date(1000 * seconds).toLocaleTimeString("en-GB");

const pause = (milliseconds: number) => new Promise((done) => setTimeout(done, milliseconds));

async function followed(key: string, first: Job, tell: (job: Job) => void): Promise<Job> {
  let job = first;
  while (isOpen(job)) {
    await pause(500);
    try {
      job = await get<Job>(`releases/${key}?catalog=${encodeURIComponent(catalog.value)}`);
    } catch (error) {
      if (!(error instanceof Refused) || error.status !== 0) throw error;
    }
    tell(job);
  }
  return job;
}

// Which groups there will be, and how often a private one is seen.
function Groups(props: { plan: Plan }) {
  return (
    <>
      {props.plan.statistics.map(({ name, groups }, i) => (
        <div key={name}>
          <p class="note">{name}: {groups.public ? `${groups.count} ${groups.count === 1 ? "number" : "groups, which are public"}` : "groups are private"}{props.plan.shown.statistics[i]?.limits && `; ${props.plan.shown.statistics[i].limits}`}.</p>
          {!groups.public && groups.forecast && <Forecast of={groups.forecast} />}
        </div>
      ))}
    </>
  );
}

export function Review(props: { plan: Plan; back: () => void }) {
  const { plan } = props;
  const key = useSignal(newKey());
  const job = useSignal<Job | null>(null);
  const wrong = useSignal<Problem | null>(null);
  const mayRun = useSignal(false);  // something was begun with this key, or it is not known
  const series = plan.shown.series ?? [], step = useSignal(plan.shown.next ?? "");
  const send = async () => {
    wrong.value = null;
    try {
      const wanted = { catalog: catalog.value, study: plan.text, name: name.value, plan_hash: plan.plan_hash, ...(series.length > 0 ? { step: step.value } : {}) };
      begun({ key: key.value, catalog: catalog.value, study: name.value, state: "unknown", wanted });  // before it is sent
      const first = (await release(key.value, wanted)) as Job;
      job.value = first;
      mayRun.value = true;
      seen(key.value, first.state, first.entry);
      const last = await followed(key.value, first, (now) => { job.value = now; seen(key.value, now.state, now.entry); });
      await again();
      if (last.state !== "ready" || !last.answer?.release) return;
      opened.value = last.answer.release;
      tab.value = "releases";
    } catch (error) {
      if (!(error instanceof Refused)) throw error;
      if (!mayRun.value && error.status >= 400 && error.status < 500) forget(key.value);
      else mayRun.value = true;
      wrong.value = error.problem;
      job.value = null;
    }
  };
  const payer = me.value?.analyst ? `${me.value.analyst}'s share` : "the budget of the catalog";
  const isRunning = isOpen(job.value), isPaid = job.value?.state === "paid";
  const stop = async () => {
    try {
      job.value = await remove<Job>(`releases/${key.value}${job.value?.state === "queued" ? "" : "?spent=yes"}`);
    } catch (error) {
      if (!(error instanceof Refused)) throw error;
      wrong.value = error.problem;
    }
  };
  return (
    <section class="review">
      <h1>Review</h1>
      <p class="note">This is the plan that will run: {plan.plan_hash.slice(0, 12)}…</p>
      {plan.shown.statistics.length > 0 && <div class="scroll" tabIndex={0}><table>
        <thead><tr><th>statistic</th><th>column</th><th>accuracy at {plan.shown.confidence}</th><th>noise</th></tr></thead>
        <tbody>{plan.shown.statistics.flatMap((one) => one.columns.map((column, i) => <tr key={`${one.name} ${column.column}`}><td>{i === 0 ? one.name : ""}</td><td>{column.column}</td><td>{column.accuracy}</td><td>{column.mechanism}</td></tr>))}</tbody>
      </table></div>}
      {plan.shown.tables.map((one) => <Tables key={one.name} of={one} />)}
      {series.map((one) => <Series key={one.name} of={one} />)}
      {series.length > 0 && <p><label>The step of this day <input type="date" min={series[0].start} max={series[0].end} value={step.value} onInput={(event) => { step.value = event.currentTarget.value; key.value = newKey(); }} /></label> <span class="note">{plan.shown.next ? `Those before ${plan.shown.next} are published; one that is left out is made up for by the next.` : "All steps are published; one that is asked again is the same."}</span></p>}
      <Groups plan={plan} />
      <p class="note">Not in these margins: people who are not in the data, or did not answer; values beyond the bounds of the catalog, which are moved to them; rows beyond what one unit may have.</p>
      {plan.reserved && <p>All steps of these series are paid for: this one costs nothing.</p>}
      {!plan.reserved && plan.shown.ledger.map((amount) => <p key={amount.name}>It takes <strong>{amount.name} {amount.price}</strong> of {payer}: {amount.left} is left, {amount.after} after it.{amount.once && ` Of this ${amount.once} is taken once: it lets this and all later releases be charged by divergence, which leaves room for more of them.`}</p>)}
      <p><strong>This cannot be taken back</strong>, also if the run fails.{series.length > 0 && !plan.reserved && " It pays for all steps at once."}</p>
      {wrong.value && <Sentence problem={wrong.value} />}
      {job.value && !isRunning && job.value.answer?.error && <Sentence problem={job.value.answer.error} />}
      {job.value?.state === "unanswered" && <p class="wrong" role="alert">The run ended without an answer. Ask again: what was paid for is not charged twice.</p>}
      {isRunning && <p role="status" class="running">{isPaid ? `Paid, entry ${job.value?.entry}; running.` : job.value?.state === "queued" ? "Waiting for its turn; nothing is paid yet." : "Running."}{job.value?.ready_at ? ` The answer comes at ${clock(job.value.ready_at)}.` : ""} You may close the page: the answer is kept in the ledger. {job.value?.stopping ? "It is stopped at the next of these times." : <button type="button" class="small" onClick={() => void stop()}>{job.value?.state === "queued" ? "Take it back" : "Stop (what is paid stays paid)"}</button>}</p>}
      <div class="row">
        <button type="button" onClick={props.back} disabled={isRunning}>Back</button>
        <button type="button" class="primary" onClick={() => void send()} disabled={isRunning || (series.length > 0 && step.value === "")}>{job.value?.state === "unanswered" ? "Ask again" : plan.reserved ? "Release this step" : `Spend ε ${plan.shown.ledger[0]?.price ?? plan.shown.epsilon} and release`}</button>
      </div>
    </section>
  );
}
