import { said } from "../state";

export async function copyText(text: string, what: string): Promise<void> {
  try {
    await navigator.clipboard.writeText(text);
    said.value = `${what} is in the clipboard`;
  } catch {
    said.value = `${what} cannot be put into the clipboard: select it and copy it`;
  }
}

// The same question elsewhere: on the command line and in Python.
export function Elsewhere(props: { command: string; python: string }) {
  return (
    <details class="elsewhere">
      <summary>as a command, as Python</summary>
      <p><code>{props.command}</code> <button type="button" class="small" onClick={() => void copyText(props.command, "the command")}>copy</button></p>
      <pre class="sql" tabIndex={0}>{props.python}</pre>
      <button type="button" class="small" onClick={() => void copyText(props.python, "the Python")}>copy as Python</button>
    </details>
  );
}
