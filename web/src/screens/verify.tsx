import { useSignal } from "@preact/signals";
import { post, Problem, Refused } from "../api";
import { Sentence } from "../parts/wrong";

type Verdict = { holds: boolean; first_problem: string | null; signer: string | null; checks: { name: string; what: string; count: number }[] };
const MOST = 16_000_000;

export function VerifyScreen() {
  const verdict = useSignal<Verdict | null>(null);
  const file = useSignal(""), key = useSignal("");
  const wrong = useSignal<Problem | null>(null);
  const isOver = useSignal(false);
  const look = async (one: File | undefined) => {
    if (!one) return;
    verdict.value = null;
    wrong.value = null;
    file.value = one.name;
    if (one.size > MOST) return void (wrong.value = { sentence: `${one.name} is larger than 16 MB; verify it by 'vernier verify'` });
    try {
      verdict.value = await post<Verdict>("verify", { record: await one.text(), ...(key.value.trim() ? { public_key: key.value } : {}) });
    } catch (error) {
      if (!(error instanceof Refused)) throw error;
      wrong.value = error.problem;
    }
  };
  return (
    <>
      <h1>Verify a release</h1>
      <p>Every figure of a release.json is computed anew from the file alone: signature, guarantee, noise and intervals. No catalog, ledger or data is needed.</p>
      <div class={isOver.value ? "drop is-over" : "drop"} onDragOver={(event) => { event.preventDefault(); isOver.value = true; }} onDragLeave={() => (isOver.value = false)}
        onDrop={(event) => { event.preventDefault(); isOver.value = false; void look(event.dataTransfer?.files[0]); }}>
        <label>Drop a release.json here, or choose one <input id="record" type="file" accept=".json,application/json" onChange={(event) => void look(event.currentTarget.files?.[0])} /></label>
      </div>
      <details><summary>Whose signature must it be?</summary><label>Public key, in PEM <textarea rows={4} spellcheck={false} value={key.value} onInput={(event) => (key.value = event.currentTarget.value)} /></label></details>
      {wrong.value && <Sentence problem={wrong.value} />}
      {verdict.value && (
        <section class="card" role="status">
          <h2 class={verdict.value.holds ? "good" : "bad"}>{file.value}: {verdict.value.holds ? "holds" : "does not hold"}</h2>
          {verdict.value.first_problem && <p class="wrong">{verdict.value.first_problem}</p>}
          {verdict.value.signer && <p>Signed by the key <code>{verdict.value.signer}</code>{key.value.trim() ? ", which is the key that was given." : ". The file itself names this key: give the office's public key to know who it is."}</p>}
          <div class="scroll" tabIndex={0}><table><thead><tr><th>check</th><th class="right">times</th><th>what holds</th></tr></thead><tbody>{verdict.value.checks.map((one) => <tr key={one.name}><td>{one.name}</td><td class="right">{one.count}</td><td>{one.what}</td></tr>)}</tbody></table></div>
          <p class="note">What it does not show: whether the data was true, and files beside the record, which 'vernier verify DIR' looks at.</p>
        </section>
      )}
    </>
  );
}
