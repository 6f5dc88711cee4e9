import { signal, useSignal } from "@preact/signals";
import { useEffect } from "preact/hooks";
import { get, post, Problem, Refused } from "../api";
import { askAgain, Begun, forget, pending } from "../keys";
import { Opened } from "../parts/opened";
import { Sentence } from "../parts/wrong";
import { catalog, may, openStudy, said, tab } from "../state";

type Line = { release: string; entry: number; study: string; analyst: string; time: number; state: string };

export const opened = signal("");

const document_ = (release: string, name: string) => `releases/${release}/documents/${encodeURIComponent(name)}?catalog=${encodeURIComponent(catalog.value)}`;

// What was begun here and has not been seen to end: the page may have died in between.
function Pending() {
  const wrong = useSignal<Problem | null>(null);
  const attempt = async (one: Begun) => {
    try {
      wrong.value = null;
      await askAgain(one);
    } catch (error) {
      if (!(error instanceof Refused)) throw error;
      wrong.value = error.problem;
    }
  };
  const words = { queued: "waits", running: "is running", paid: "is paid for and running", ready: "is ready", refused: "was refused, and nothing was spent", unanswered: "was paid and has no answer", unknown: "is not known to this server, which was started since: it may still be paid for. Asked for again with its key it is paid for once at most" } as Record<string, string>;
  return (
    <>
      {pending.value.map((one) => (
        <p class="note" role="status" key={one.key}>A release of {one.study} {words[one.state] ?? one.state}{one.entry ? ` (entry ${one.entry})` : ""}.
          {one.state === "unknown" && <> {one.wanted && <button type="button" class="small" onClick={() => void attempt(one)}>Ask again with its key</button>} <button type="button" class="small" onClick={() => forget(one.key)}>Forget it</button></>}</p>
      ))}
      {wrong.value && <Sentence problem={wrong.value} />}
    </>
  );
}

// The report in a tab of its own, and for stewards whether readers have the release.
function Links(props: { release: string }) {
  const wrong = useSignal<Problem | null>(null);
  const attempt = async (work: () => Promise<void>) => {
    try {
      wrong.value = null;
      await work();
    } catch (error) {
      if (!(error instanceof Refused)) throw error;
      wrong.value = error.problem;
    }
  };
  const report = () => attempt(async () => {
    const ticket = await post<{ path: string }>(`releases/${props.release}/ticket`, { catalog: catalog.value, document: "report.html" });
    window.open(ticket.path, "_blank", "noopener");
  });
  const publish = () => attempt(async () => {
    await post(`releases/${props.release}/publish`, { catalog: catalog.value });
    said.value = "published: readers find it on their screen Published";
  });
  return (
    <>
      <button type="button" class="primary" onClick={() => void report()}>Open the report</button>
      {may("steward") && <button type="button" onClick={() => void publish()}>Publish</button>}
      {wrong.value && <Sentence problem={wrong.value} />}
    </>
  );
}

// One row more exactly: its statement alone, as a new study.
const again = (name: string, sql: string) => {
  const text = `budget = { epsilon = 0.1, delta = 1e-8 }\n\n[[statistic]]\nname = ${JSON.stringify(name)}\nsql = ${JSON.stringify(sql)}\n`;
  tab.value = "study";
  void openStudy({ name: "again", text });
};

export function ReleasesScreen() {
  const lines = useSignal<Line[]>([]);
  const wrong = useSignal<Problem | null>(null);
  useEffect(() => {
    void get<{ releases: Line[] }>(`releases?catalog=${encodeURIComponent(catalog.value)}`).then((answer) => {
      lines.value = answer.releases.reverse();
      if (!answer.releases.some((one) => one.release === opened.value)) opened.value = answer.releases.find((one) => one.state === "ready")?.release ?? "";
    }).catch((error) => {
      if (!(error instanceof Refused)) throw error;
      wrong.value = error.problem;
    });
  }, [catalog.value, pending.value]);
  return (
    <>
      <h1>Releases of {catalog.value}</h1>
      {wrong.value && <Sentence problem={wrong.value} />}
      <Pending />
      {lines.value.length === 0 && !wrong.value && <p class="note">Nothing was released yet.</p>}
      {lines.value.length > 0 && <div class="scroll" tabIndex={0}><table><thead><tr><th>entry</th><th>study</th><th>who</th><th>when</th><th>state</th></tr></thead>
        <tbody>{lines.value.map((one) => <tr key={one.release} class={one.release === opened.value ? "chosen" : ""}>
          <td>{one.entry}</td><td>{one.state === "ready" ? <button type="button" class="link" onClick={() => (opened.value = one.release)}>{one.study}</button> : one.study}</td><td>{one.analyst || "–"}</td><td>{new Date(1000 * one.time).toLocaleString("en-GB")}</td><td>{one.state === "ready" ? "answered" : "paid, without an answer"}</td></tr>)}</tbody></table></div>}
      {opened.value && lines.value.length > 0 && <Opened release={opened.value} place={(name) => document_(opened.value, name)} again={again} more={<Links release={opened.value} />} />}
    </>
  );
}
