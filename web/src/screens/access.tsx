import { useSignal } from "@preact/signals";
import { useEffect } from "preact/hooks";
import { get, post, Problem, Refused, remove } from "../api";
import { copyText } from "../parts/commands";
import { Sentence } from "../parts/wrong";

// Who may what: tokens of people, and what was done with them.
type Token = { id: string; name: string; role: string; expires: number; expired: boolean };
type Line = { index: number; utc: string; what: string; code: number; name: string; catalog?: string; subject?: string; entry?: number };

const day = (seconds: number) => new Date(1000 * seconds).toISOString().slice(0, 10);

export function AccessScreen() {
  const tokens = useSignal<Token[]>([]), lines = useSignal<Line[]>([]), made = useSignal("");
  const name = useSignal(""), role = useSignal("analyst"), days = useSignal("90");
  const wrong = useSignal<Problem | null>(null), isKept = useSignal(true);
  const attempt = async (work: () => Promise<void>) => {
    try {
      wrong.value = null;
      await work();
    } catch (error) {
      if (!(error instanceof Refused)) throw error;
      wrong.value = error.problem;
    }
  };
  const load = async () => {
    tokens.value = (await get<{ tokens: Token[] }>("tokens")).tokens;
    const told = await get<{ kept: boolean; lines: Line[] }>("audit?last=50");
    lines.value = told.lines.reverse();
    isKept.value = told.kept;
  };
  useEffect(() => { void attempt(load); }, []);
  const give = (event: Event) => {
    event.preventDefault();
    void attempt(async () => {
      made.value = (await post<{ token: string }>("tokens", { name: name.value, role: role.value, days: Number(days.value) })).token;
      await load();
    });
  };
  const take = (one: Token) => attempt(async () => { await remove(`tokens/${one.id}`); await load(); });
  return (
    <>
      <h1>Access</h1>
      <section class="card">
          <h2>A token for a person</h2>
          <form class="row" onSubmit={give}>
            <label>name <input required value={name.value} onInput={(event) => (name.value = event.currentTarget.value)} /></label>
            <label>role <select value={role.value} onChange={(event) => (role.value = event.currentTarget.value)}><option>analyst</option><option>steward</option><option>reader</option></select></label>
            <label>days <input inputMode="numeric" size={4} value={days.value} onInput={(event) => (days.value = event.currentTarget.value)} /></label>
            <button type="submit" class="primary">Make a token</button>
          </form>
          {wrong.value && <Sentence problem={wrong.value} />}
          {made.value && <p role="status">Shown once: <code>{made.value}</code> <button type="button" class="small" onClick={() => void copyText(made.value, "the token")}>copy</button></p>}
          {tokens.value.length > 0 && <div class="scroll" tabIndex={0}><table><thead><tr><th>who</th><th>role</th><th>until</th><th class="right">change</th></tr></thead>
            <tbody>{tokens.value.map((one) => <tr key={one.id}><td>{one.name}</td><td>{one.role}</td><td>{day(one.expires)}{one.expired ? ", expired" : ""}</td><td class="right"><button type="button" class="small" aria-label={`take away the token of ${one.name}`} onClick={() => void take(one)}>take away</button></td></tr>)}</tbody></table></div>}
        </section>
      {!isKept.value && <p class="note">No log of what is done is kept: start the server with --audit FILE for one.</p>}
      {lines.value.length > 0 && (
        <section class="card">
          <h2>What was done</h2>
          <div class="scroll" tabIndex={0}><table><thead><tr><th class="right">line</th><th>when (UTC)</th><th>what</th><th>who</th><th>about</th></tr></thead>
            <tbody>{lines.value.map((one) => <tr key={one.index}><td class="right">{one.index}</td><td>{one.utc}</td><td>{one.what}{one.code >= 400 ? ` (${one.code})` : ""}</td><td>{one.name || "–"}</td><td>{[one.catalog, one.subject, one.entry !== undefined ? `entry ${one.entry}` : ""].filter(Boolean).join(", ")}</td></tr>)}</tbody></table></div>
        </section>
      )}
    </>
  );
}
