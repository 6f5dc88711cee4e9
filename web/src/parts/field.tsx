import { useLayoutEffect, useRef, useState } from "preact/hooks";
import { given } from "../state";

// The next of 1, 2, 5, 10, 20 ... above or below.
function step(text: string, up: boolean): string {
  const value = Number(text);
  if (!(value > 0)) return text;
  const ladder: number[] = [];
  for (let e = Math.floor(Math.log10(value)) - 1; e <= Math.log10(value) + 2; ++e) ladder.push(...[1, 2, 5].map((m) => Number(`${m}e${e}`)));
  const found = up ? ladder.find((one) => one > value * 1.0001) : ladder.reverse().find((one) => one < value * 0.9999);
  return found === undefined ? text : String(found);
}

// A number as text: Enter sends it, Escape takes it back, the arrows go up and down in steps of 1, 2, 5.
export function Field(props: { label: string; value: string; id: string; send: (text: string) => void; size?: number; disabled?: boolean; wrong?: boolean; empty?: boolean; hint?: string }) {
  const [text, setText] = useState(props.value);
  const sent = useRef("");  // what was refused is asked once, and stays to be mended
  const shown = useRef(props.value), reset = useRef(given.value), box = useRef<HTMLInputElement>(null);
  // Before the next key, which it would take back; what is being typed and was not sent yet is kept.
  useLayoutEffect(() => {
    const isTyping = document.activeElement === box.current && text !== shown.current && text.trim() !== sent.current && reset.current === given.value;
    shown.current = props.value;
    reset.current = given.value;
    if (isTyping) return;
    setText(props.value);
    sent.current = "";
  }, [props.value, given.value]);
  const commit = () => {
    const typed = text.trim();
    if ((typed === "" && !props.empty) || typed === props.value) return setText(props.value);
    if (typed === sent.current) return;
    sent.current = typed;
    props.send(typed);
  };
  const press = (event: KeyboardEvent) => {
    if (event.key === "Enter") commit();
    if (event.key === "Escape") setText(props.value), (sent.current = "");
    if (event.key === "ArrowUp" || event.key === "ArrowDown") {
      event.preventDefault();
      setText(step(text, event.key === "ArrowUp"));
    }
  };
  return (
    <input ref={box} id={props.id} class="number" aria-label={props.label} inputMode="decimal" autocomplete="off" size={props.size ?? 7} value={text} data-shown={props.value} placeholder={props.hint}
      disabled={props.disabled} aria-invalid={props.wrong ? "true" : undefined} onInput={(event) => setText(event.currentTarget.value)}
      onKeyDown={press} onBlur={commit} />
  );
}
