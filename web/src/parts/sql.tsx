import { useSignal } from "@preact/signals";
import { useEffect, useRef } from "preact/hooks";
import type { Problem } from "../api";
import { tables } from "../state";
import type { Mistake } from "./editor";

const PLAIN = "vernier.plain";
const EXAMPLE = "SELECT region, COUNT(*) AS people FROM people GROUP BY region";

// Where in the statement the caret of a sentence points, which has the line and the caret below it.
export function mistakeIn(text: string, problem: Problem | null): Mistake | null {
  const [line, caret] = problem?.details ?? [];
  if (line === undefined || caret === undefined || !/^ *\^$/.test(caret)) return null;
  const begin = text.indexOf(line);
  return begin < 0 ? null : { from: begin + caret.length - 1, sentence: problem!.sentence.split("\n")[0] };
}

// A statement: a plain field until somebody types, then an editor, which whoever prefers the field can leave again.
export function Sql(props: { label: string; text: string; change: (text: string) => void; problem: Problem | null }) {
  const place = useRef<HTMLDivElement>(null), field = useRef<HTMLTextAreaElement>(null);
  const editor = useRef<{ mark: (mistake: Mistake | null) => void; end: () => void } | null>(null);
  const isEditor = useSignal(false), latest = useRef(props.text);
  latest.current = props.text;
  const begin = async () => {
    if (editor.current || localStorage.getItem(PLAIN)) return;
    const { edit } = await import("./editor");
    if (editor.current || !place.current || document.activeElement !== field.current) return;
    place.current.hidden = false;  // at once, since what is hidden gets no focus, and keys are being typed
    editor.current = edit(place.current, { label: props.label, hint: EXAMPLE, text: latest.current, at: field.current!.selectionStart, tables: tables.value, changed: (text) => { latest.current = text; props.change(text); } });
    isEditor.value = true;
  };
  const leave = () => {
    editor.current?.end();
    editor.current = null;
    isEditor.value = false;
  };
  const choose = (plain: boolean) => {
    plain ? localStorage.setItem(PLAIN, "1") : localStorage.removeItem(PLAIN);
    leave();
    requestAnimationFrame(() => field.current?.focus());
  };
  useEffect(() => leave, []);
  useEffect(() => { if (props.text === "" && editor.current) leave(); }, [props.text]);  // it was taken
  useEffect(() => editor.current?.mark(mistakeIn(latest.current, props.problem)), [props.problem]);
  return (
    <div class="statement">
      <div ref={place} hidden={!isEditor.value} />
      <textarea ref={field} rows={3} hidden={isEditor.value} aria-label={props.label} value={props.text} spellcheck={false} placeholder={EXAMPLE} onFocus={() => void begin()} onInput={(event) => props.change(event.currentTarget.value)} />
      <button type="button" class="small quiet" onClick={() => choose(isEditor.value)}>{isEditor.value ? "a plain field instead" : "with the editor"}</button>
    </div>
  );
}
