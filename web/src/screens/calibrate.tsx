import { useSignal } from "@preact/signals";
import { useEffect } from "preact/hooks";
import { post, Problem, Refused } from "../api";
import { Elsewhere } from "../parts/commands";
import { Curve, Curves } from "../parts/curves";
import { Field } from "../parts/field";
import { Lecture } from "../parts/lecture";
import { Sentence } from "../parts/wrong";

const MECHANISMS = ["geometric", "discrete-gaussian", "laplace", "gaussian"];
const LOOKS = ["density", "cumulative", "quantile", "draws", "two neighbours"];
type Answer = Record<"scale" | "epsilon" | "delta" | "accuracy" | "accuracy_strict" | "accuracy_continuous" | "standard_deviation" | "rho", number | null>;
type Stated = "epsilon" | "scale" | "accuracy" | "delta";
type Law = { x?: number[]; value?: number[]; values?: number[] };

const needsDelta = (mechanism: string) => mechanism.endsWith("gaussian");
const isWhole = (mechanism: string) => mechanism === "geometric" || mechanism === "discrete-gaussian";
const plain = (x: number) => Number(x.toPrecision(6));

// Where the law is looked at: whole numbers of integer noise.
function placesOf(mechanism: string, deviation: number): number[] {
  const steps = 80, reach = Math.max(3, Math.ceil(5 * deviation));
  const all = Array.from({ length: steps + 1 }, (_, i) => (2 * reach * i) / steps - reach);
  return [...new Set(all.map((x) => (isWhole(mechanism) ? Math.round(x) : plain(x))))];
}

async function lawOf(mechanism: string, scale: number, body: Record<string, unknown>): Promise<Law> {
  return post<Law>("law", { mechanism, scale: String(scale), ...body });
}

function counted(draws: number[], whole: boolean): Curve[] {
  const low = Math.min(...draws), high = Math.max(...draws), bins = 40, width = Math.max((high - low) / bins, whole ? 1 : 1e-12);
  const counts = new Map<number, number>();
  for (const one of draws) counts.set(Math.floor((one - low) / width), (counts.get(Math.floor((one - low) / width)) ?? 0) + 1);
  return [{ name: `${draws.length.toLocaleString("en")} draws`, points: Array.from({ length: Math.floor((high - low) / width) + 1 }, (_, i) => ({ x: plain(low + (i + 0.5) * width), y: counts.get(i) ?? 0 })) }];
}

// One look at the law, as curves.
async function looked(look: string, mechanism: string, found: Answer, sensitivity: number): Promise<Curve[]> {
  const scale = Number(found.scale), xs = placesOf(mechanism, Number(found.standard_deviation));
  if (look === "draws") {
    const law = await lawOf(mechanism, scale, { sample: "4000" });
    return counted((law.values ?? []) as number[], isWhole(mechanism));
  }
  if (look === "quantile") {
    const ps = Array.from({ length: 99 }, (_, i) => (i + 1) / 100);
    const law = await lawOf(mechanism, scale, { quantile: ps.map(String) });
    return [{ name: "quantile", points: ps.map((x, i) => ({ x, y: law.value![i] })) }];
  }
  const law = await lawOf(mechanism, scale, { [look === "cumulative" ? "cumulative" : "density"]: xs.map(String) });
  const own = { name: mechanism, points: law.x!.map((x, i) => ({ x, y: law.value![i] })) };
  if (look !== "two neighbours") return [own];
  return [{ ...own, name: "without a person" }, { name: "with the person", points: own.points.map((p) => ({ x: p.x + sensitivity, y: p.y })) }];
}

const AXES: Record<string, [string, string]> = { density: ["noise", "density"], cumulative: ["noise", "chance of at most that"], quantile: ["chance", "noise"], draws: ["noise", "draws"], "two neighbours": ["released count", "density"] };

export function CalibrateScreen() {
  const mechanism = useSignal("geometric"), stated = useSignal<Stated>("epsilon"), value = useSignal("0.1"), other = useSignal("0.1");
  const delta = useSignal("1e-6"), alpha = useSignal("0.05"), sensitivity = useSignal("1"), cells = useSignal("1"), calibration = useSignal("analytic");
  const answer = useSignal<Answer | null>(null), look = useSignal("density");
  const wrong = useSignal<Problem | null>(null);
  const sweep = useSignal<Curve[]>([]), law = useSignal<Curve[]>([]);
  const byDelta = stated.value === "delta" && needsDelta(mechanism.value);
  const question = (of: string, known: Record<string, string>) => ({ mechanism: of, ...known, ...(needsDelta(of) && !byDelta ? { delta: delta.value } : {}), ...(of === "gaussian" && calibration.value !== "analytic" ? { calibration: calibration.value } : {}), alpha: alpha.value, sensitivity: sensitivity.value, cells: cells.value });
  // Scale and epsilon together give delta.
  const known = (): Record<string, string> => (byDelta ? { epsilon: other.value, scale: value.value } : { [stated.value === "delta" ? "epsilon" : stated.value]: value.value });

  useEffect(() => {
    let isOld = false;
    const ask = async () => {
      try {
        const found = await post<Answer>("calibrate", question(mechanism.value, known()));
        if (isOld) return;
        answer.value = found;
        wrong.value = null;
        const curves = await looked(look.value, mechanism.value, found, Number(sensitivity.value));
        if (!isOld) law.value = curves;
      } catch (error) {
        if (!(error instanceof Refused)) throw error;
        if (!isOld) wrong.value = error.problem;
      }
    };
    void ask();
    return () => { isOld = true; };
  }, [mechanism.value, stated.value, value.value, other.value, delta.value, alpha.value, sensitivity.value, cells.value, calibration.value, look.value]);

  useEffect(() => {
    let isOld = false;
    const now = Number(answer.value?.epsilon);
    if (!(now > 0)) return;
    const range = `epsilon=${Number((now / 10).toPrecision(3))}:${Number((now * 10).toPrecision(3))}:21`;
    const ask = async (one: string) => {
      try {
        const told = await post<{ points: Answer[] }>("calibrate", { mechanism: one, sweep: range, ...(needsDelta(one) ? { delta: delta.value } : {}), alpha: alpha.value, sensitivity: sensitivity.value, cells: cells.value });
        return { name: one, points: told.points.map((point) => ({ x: Number(point.epsilon), y: Number(point.accuracy) })) };
      } catch (error) {
        if (!(error instanceof Refused)) throw error;
        return { name: one, points: [] };
      }
    };
    void Promise.all(MECHANISMS.map(ask)).then((all) => { if (!isOld) sweep.value = all.filter((curve) => curve.points.length > 1); });
    return () => { isOld = true; };
  }, [answer.value?.epsilon, delta.value, alpha.value, sensitivity.value, cells.value]);

  const asked = question(mechanism.value, known());
  const usual: Record<string, string> = { alpha: "0.05", sensitivity: "1", cells: "1" };
  const options = Object.entries(asked).filter(([key, text]) => key !== "mechanism" && usual[key] !== text);
  const command = `vernier calibrate ${mechanism.value}${options.map(([key, text]) => ` --${key} ${text}`).join("")}`;
  const python = `import vernier as vn\n\nvn.calibrate("${mechanism.value}"${options.map(([key, text]) => `, ${key}=${key === "calibration" ? `"${text}"` : text}`).join("")})`;
  const shown = (key: "epsilon" | "scale" | "accuracy" | "delta") => {
    if (byDelta) return key === "scale" ? value.value : key === "epsilon" ? other.value : String(answer.value?.[key] ?? "");
    if (key === "delta") return delta.value;
    return stated.value === key ? value.value : String(answer.value?.[key] ?? "");
  };
  const isStated = (key: Stated) => (byDelta ? key === "scale" || key === "epsilon" : key === "delta" || stated.value === key);
  const take = (key: Stated, typed: string) => {
    if (key === "delta") return void (byDelta ? ((stated.value = "epsilon"), (value.value = other.value), (delta.value = typed)) : (delta.value = typed));
    if (byDelta) return void (key === "epsilon" ? (other.value = typed) : key === "scale" ? (value.value = typed) : ((stated.value = key), (value.value = typed)));
    stated.value = key;
    value.value = typed;
  };
  const findDelta = () => { other.value = shown("epsilon"); value.value = shown("scale"); stated.value = "delta"; };
  const field = (key: "epsilon" | "scale" | "accuracy" | "delta", text: string) => (
    <div class="figure"><label for={`calibrate-${key}`}>{text}</label><Field id={`calibrate-${key}`} label={text} size={14} value={shown(key)} send={(typed) => take(key, typed)} /><span class="note">{isStated(key) ? "as stated" : "found, rounded up"}</span></div>
  );
  const [x, y] = AXES[look.value];
  return (
    <>
      <h1>Calibrator</h1>
      <p>State the budget, the scale of the noise or the accuracy of one number: the others follow, rounded toward safety.</p>
      <div class="row tabs" role="group" aria-label="mechanism">{MECHANISMS.map((one) => <button type="button" key={one} aria-pressed={mechanism.value === one} onClick={() => (mechanism.value = one)}>{one}</button>)}</div>
      <div class="columns">
        <section class="card">
          <h2>One release</h2>
          {field("epsilon", "ε")}
          {needsDelta(mechanism.value) && field("delta", "δ")}
          {field("scale", "scale")}
          {field("accuracy", "accuracy ±")}
          {needsDelta(mechanism.value) && !byDelta && <button type="button" class="small" onClick={findDelta}>Hold ε and the scale, find δ</button>}
          {answer.value && answer.value.accuracy !== null && <p class="note">Strictly within: {answer.value.accuracy_strict}; before it is made a whole number: {answer.value.accuracy_continuous}; standard deviation {answer.value.standard_deviation}.</p>}
          <h3>Given</h3>
          <div class="figure"><label for="c-alpha">chance that ± fails</label><Field id="c-alpha" label="alpha" value={alpha.value} send={(text) => (alpha.value = text)} /></div>
          <div class="figure"><label for="c-sensitivity">sensitivity</label><Field id="c-sensitivity" label="sensitivity" value={sensitivity.value} send={(text) => (sensitivity.value = text)} /></div>
          <div class="figure"><label for="c-cells">cells</label><Field id="c-cells" label="cells" value={cells.value} send={(text) => (cells.value = text)} /></div>
          {mechanism.value === "gaussian" && <div class="figure"><label for="c-calibration">calibration</label><select id="c-calibration" value={calibration.value} onChange={(event) => (calibration.value = event.currentTarget.value)}>{["analytic", "classical", "dwork-roth"].map((one) => <option key={one}>{one}</option>)}</select></div>}
          {wrong.value && <Sentence problem={wrong.value} />}
          <Elsewhere command={command} python={python} />
        </section>
        <div>
          <section class="card">
            <h2>The law of its noise</h2>
            <div class="row tabs" role="group" aria-label="what is drawn">{LOOKS.map((one) => <button type="button" class="small" key={one} aria-pressed={look.value === one} onClick={() => (look.value = one)}>{one}</button>)}</div>
            <Curves curves={law.value} title={`${look.value} of the noise`} x={x} y={y} />
            {look.value === "two neighbours" && <p class="note">The two stand for the same data with and without one person: the closer they are, the less a released number tells which it was.</p>}
          </section>
          <section class="card"><h2>All mechanisms against each other</h2><Curves curves={sweep.value} title="accuracy against epsilon, by mechanism" x="ε" y="±" log at={Number(answer.value?.epsilon ?? 0)} /></section>
        </div>
      </div>
      <Lecture />
    </>
  );
}
