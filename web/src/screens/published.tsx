import { useSignal } from "@preact/signals";
import { useEffect } from "preact/hooks";
import { get, Problem, Refused, remove } from "../api";
import { Opened } from "../parts/opened";
import { Sentence } from "../parts/wrong";
import { may } from "../state";

// What stewards have published, for everybody who has a token.
type Line = { release: string; catalog: string; study: string; time: number };

export function PublishedScreen() {
  const lines = useSignal<Line[] | null>(null), opened = useSignal("");
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
  const look = () => attempt(async () => { lines.value = (await get<{ published: Line[] }>("published")).published; });
  useEffect(() => void look(), []);
  const takeBack = () => attempt(async () => {
    await remove(`published/${opened.value}`);
    opened.value = "";
    await look();
  });
  return (
    <>
      <h1>Published releases</h1>
      {wrong.value && <Sentence problem={wrong.value} />}
      {lines.value?.length === 0 && <p class="note">Nothing was published yet.</p>}
      {lines.value && lines.value.length > 0 && <div class="scroll" tabIndex={0}><table><thead><tr><th>study</th><th>catalog</th><th>when</th></tr></thead>
        <tbody>{lines.value.map((one) => <tr key={one.release} class={one.release === opened.value ? "chosen" : ""}>
          <td><button type="button" class="link" onClick={() => (opened.value = one.release)}>{one.study}</button></td><td>{one.catalog}</td><td>{new Date(1000 * one.time).toLocaleString("en-GB")}</td></tr>)}</tbody></table></div>}
      {opened.value && <Opened release={opened.value} place={(name) => `published/${opened.value}/${encodeURIComponent(name)}`} more={may("steward") ? <button type="button" onClick={() => void takeBack()}>Take it back</button> : undefined} />}
    </>
  );
}
