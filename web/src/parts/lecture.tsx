import { useSignal } from "@preact/signals";
import { post, Problem, Refused } from "../api";
import { Elsewhere } from "./commands";
import { Sentence } from "./wrong";

// Whether 95 of 100 intervals hold: with those that ship, and with the one of the lecture, on invented samples.
type Shown = { low: number; high: number; truth: number; holds: boolean };
type Answer = { points: { coverage: number; low: number; high: number; width: number; refuted: boolean }[]; intervals?: Shown[]; refuted?: boolean };
const KINDS = [{ id: "ours", title: "the interval that is released" }, { id: "lecture", title: "the interval of the lecture" }];
const WIDTH = 340;

function Intervals(props: { of: Shown[]; title: string }) {
  const all = props.of.slice(0, 100);
  const low = Math.min(...all.map((one) => Math.min(one.low, one.truth))), high = Math.max(...all.map((one) => Math.max(one.high, one.truth)));
  const px = (x: number) => 6 + ((x - low) / (high - low || 1)) * (WIDTH - 12);
  const truth = all[0]?.truth ?? 0;
  return (
    <svg class="intervals" viewBox={`0 0 ${WIDTH} ${all.length * 3 + 10}`} role="img" aria-label={`invented: ${props.title}: ${all.filter((one) => one.holds).length} of ${all.length} hold`}>
      <line class="truth" x1={px(truth)} x2={px(truth)} y1="0" y2={all.length * 3 + 10} />
      {all.map((one, i) => <line key={i} class={one.holds ? "holds" : "misses"} x1={px(one.low)} x2={px(one.high)} y1={i * 3 + 5} y2={i * 3 + 5} />)}
    </svg>
  );
}

export function Lecture() {
  const epsilon = useSignal("5"), size = useSignal("500"), busy = useSignal(false);
  const answers = useSignal<Record<string, Answer>>({}), wrong = useSignal<Problem | null>(null);
  const body = (interval: string) => ({ distribution: "normal", statistic: "mean", covers: "population", epsilon: epsilon.value, size: size.value, delta: "1e-8", simulations: "100", interval });
  const ask = async () => {
    busy.value = true;
    wrong.value = null;
    try {
      const told: Record<string, Answer> = {};
      for (const kind of KINDS) told[kind.id] = await post<Answer>("coverage", body(kind.id));
      answers.value = told;
    } catch (error) {
      if (!(error instanceof Refused)) throw error;
      wrong.value = error.problem;
    } finally {
      busy.value = false;
    }
  };
  const words = `vernier coverage --distribution normal --covers population --epsilon ${epsilon.value} --size ${size.value} --delta 1e-8 --simulations 100`;
  return (
    <section class="card hatched" aria-labelledby="lecture-title">
      <h2 id="lecture-title">Do 95 of 100 intervals hold?</h2>
      <p class="note">100 invented samples, each with its own noise, and the interval of its mean. A stroke that misses the upright line does not hold the mean of the population.</p>
      <form class="row" onSubmit={(event) => { event.preventDefault(); void ask(); }}>
        <label>ε <input size={6} inputMode="decimal" aria-label="epsilon of each sample" value={epsilon.value} onInput={(event) => (epsilon.value = event.currentTarget.value)} /></label>
        <label>rows <input size={6} inputMode="numeric" aria-label="rows of each sample" value={size.value} onInput={(event) => (size.value = event.currentTarget.value)} /></label>
        <button type="submit" disabled={busy.value}>{busy.value ? "drawing …" : "Draw 100 intervals"}</button>
      </form>
      {wrong.value && <Sentence problem={wrong.value} />}
      <div class="columns two">
        {KINDS.map((kind) => {
          const found = answers.value[kind.id], last = found?.points.at(-1);
          if (!found?.intervals || !last) return null;
          return (
            <div key={kind.id}>
              <h3>{kind.title}</h3>
              <p class="invented-word">invented</p>
              <Intervals of={found.intervals} title={kind.title} />
              <p class={last.refuted ? "bad" : "good"}>{found.intervals.filter((one) => one.holds).length} of {found.intervals.length} hold; {last.refuted ? "that 95 do is refuted." : "that 95 do stands."}</p>
            </div>
          );
        })}
      </div>
      <Elsewhere command={`${words} --interval lecture`} python={`import vernier as vn\n\nvn.coverage(distribution="normal", covers="population", epsilon=${epsilon.value}, size=${size.value}, delta=1e-8, simulations=100, interval="lecture")`} />
    </section>
  );
}
