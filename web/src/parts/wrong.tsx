import type { Beyond, Problem } from "../api";
import { change, giveUp, problem } from "../state";

export function Sentence(props: { problem: Problem }) {
  const { sentence, others } = props.problem;
  const [first, ...lines] = sentence.split("\n");
  return (
    <div class="wrong" role="alert">
      <p>{first}</p>
      {lines.length > 0 && <pre>{lines.join("\n")}</pre>}
      {others?.map((one) => <p key={one.sentence}>{one.sentence.split("\n")[0]}</p>)}
    </div>
  );
}

// What would do: more budget, the best that can be had with this one, or nothing at all.
function WaysOut(props: { at: string; beyond: Beyond }) {
  const { needs, best } = props.beyond;
  return (
    <div class="row ways" role="group" aria-label="what would do">
      {needs && <button type="button" class="small" onClick={() => void change(props.at, { kind: "budget", epsilon: needs.shown })}>Give the study ε {needs.shown}</button>}
      {best && <button type="button" class="small" onClick={() => void change(props.at, { kind: "accuracy", ...best })}>Loosen {best.column} to ± {best.accuracy}, the best here</button>}
      <button type="button" class="small" onClick={giveUp}>Leave it as it was</button>
    </div>
  );
}

// What is wrong at this place, if anything is.
export function Wrong(props: { at: string }) {
  const now = problem.value;
  if (now?.at !== props.at) return null;
  return (
    <>
      <Sentence problem={now.problem} />
      {(now.beyond.needs || now.beyond.best) && <WaysOut at={props.at} beyond={now.beyond} />}
    </>
  );
}
