import { ComponentChildren } from "preact";
import { useSignal } from "@preact/signals";
import { useEffect } from "preact/hooks";
import { bytes, post, Problem, Refused, save } from "../api";
import { isTableFile, Results } from "./results";
import { Sentence } from "./wrong";

type Record_ = Parameters<typeof Results>[0]["of"];
type File = { name: string; text: string };

// A release with its numbers and files, each of which has an address; `more` is what else can be done with it.
export function Opened(props: { release: string; place: (name: string) => string; again?: (name: string, sql: string) => void; more?: ComponentChildren }) {
  const text = useSignal(""), record = useSignal<Record_ | null>(null), tables = useSignal<File[]>([]);
  const files = useSignal<string[]>([]), verdict = useSignal("");
  const wrong = useSignal<Problem | null>(null);
  const content = async (name: string) => (await bytes(props.place(name))).text();
  const attempt = async (work: () => Promise<void>) => {
    try {
      wrong.value = null;
      await work();
    } catch (error) {
      if (!(error instanceof Refused)) throw error;
      wrong.value = error.problem;
    }
  };
  useEffect(() => {
    verdict.value = "";
    void attempt(async () => {
      text.value = await content("report.txt");
      record.value = JSON.parse(await content("release.json"));
      files.value = ["release.json", ...(record.value?.certificate?.documents ?? []).map((one) => one.name)];
      tables.value = await Promise.all(files.value.filter((name) => isTableFile(name) || (!record.value?.statistics && name.endsWith(".csv"))).map(async (name) => ({ name, text: await content(name) })));
    });
  }, [props.release]);
  const verify = () => attempt(async () => {
    const told = await post<{ holds: boolean; first_problem: string | null; checks: unknown[] }>("verify", { record: await content("release.json") });
    verdict.value = told.holds ? `${told.checks.length} kinds of checks hold` : told.first_problem ?? "does not hold";
  });
  return (
    <section class="card">
      <h2>Release {props.release.slice(0, 12)}</h2>
      {wrong.value && <Sentence problem={wrong.value} />}
      <div class="row actions">
        {record.value && props.more}
        <button type="button" onClick={() => void verify()}>Verify</button>
        {files.value.filter((one) => !one.endsWith(".svg")).map((one) => <button type="button" key={one} onClick={() => void attempt(async () => save(one, await bytes(props.place(one))))}>{one}</button>)}
      </div>
      {verdict.value && <p role="status" class="good">{verdict.value}</p>}
      {record.value && <Results of={record.value} tables={tables.value} again={props.again} />}
      <details><summary>the report as text</summary><pre class="report" tabIndex={0}>{text.value}</pre></details>
    </section>
  );
}
