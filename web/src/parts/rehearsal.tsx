import { useSignal } from "@preact/signals";
import { useEffect } from "preact/hooks";
import { post, Refused } from "../api";
import { catalog, name, Plan } from "../state";

// What readers would see, on invented rows: dots that are as likely as each other, and outcomes one after the other.
type Number3 = [number, number, number] | null;
type Statistic = {
  name: string;
  why_not?: string;
  groups: { label: string; rows: number; exact: (number | null)[] }[];
  columns: { column: string; accuracy: number; shown: string; within: number; of_law: boolean; errors: number[] }[];
  frames: Number3[][][];
};
type Answer = { statistics: Statistic[] };

const WIDTH = 340, LEFT = 12, RIGHT = 12;
const still = () => matchMedia("(prefers-reduced-motion: reduce)").matches;

// One dot for each equal part of the chances, in stacks.
function Dots(props: { of: Statistic["columns"][number] }) {
  const { errors, accuracy, within } = props.of;
  if (errors.length === 0) return null;
  const size = errors.length > 20 ? 3 : 6, bins = errors.length > 20 ? 40 : 22;
  const reach = Math.max(accuracy, ...errors.map(Math.abs)) * 1.08 || 1;
  const px = (value: number) => LEFT + ((value + reach) / (2 * reach)) * (WIDTH - LEFT - RIGHT);
  const heights = new Map<number, number>();
  const placed = [...errors].sort((a, b) => Math.abs(a) - Math.abs(b)).map((error) => {
    const bin = Math.round(((error + reach) / (2 * reach)) * bins);
    const level = heights.get(bin) ?? 0;
    heights.set(bin, level + 1);
    return { error, x: LEFT + (bin / bins) * (WIDTH - LEFT - RIGHT), level };
  });
  const height = (Math.max(...heights.values()) + 1) * 2 * size + 26;
  return (
    <svg class="dots" viewBox={`0 0 ${WIDTH} ${height}`} role="img" aria-label={`invented: ${within} of ${errors.length} equally likely errors of ${props.of.column} lie within ± ${props.of.shown}`}>
      <rect class="within" x={px(-accuracy)} width={px(accuracy) - px(-accuracy)} y="2" height={height - 22} />
      <text class="invented" x={LEFT} y="13">invented</text>
      {placed.map((dot, i) => <circle key={i} class={Math.abs(dot.error) <= accuracy ? "in" : "out"} cx={dot.x} cy={height - 24 - size - dot.level * 2 * size} r={size - 1} />)}
      <line class="axis-line" x1={LEFT} x2={WIDTH - RIGHT} y1={height - 20} y2={height - 20} />
      {[-accuracy, 0, accuracy].map((value) => <text key={value} x={px(value)} y={height - 6} text-anchor="middle">{value === 0 ? "0" : `${value > 0 ? "+" : "−"}${props.of.shown}`}</text>)}
    </svg>
  );
}

// One outcome: a number with its interval for each group, and the invented truth.
function Outcome(props: { of: Statistic; column: number; frame: number }) {
  const { groups, frames } = props.of;
  const all = frames.flatMap((frame) => frame.map((group) => group[props.column])).filter((one) => one !== null);
  const truths = groups.map((group) => group.exact[props.column]).filter((one) => one !== null);
  const low = Math.min(...all.map((one) => one[1]), ...truths), high = Math.max(...all.map((one) => one[2]), ...truths);
  const px = (value: number) => 110 + ((value - low) / (high - low || 1)) * (WIDTH - 110 - RIGHT);
  const shown = frames[props.frame];
  return (
    <svg class="outcome" viewBox={`0 0 ${WIDTH} ${groups.length * 22 + 8}`} role="img" aria-label={`invented: outcome ${props.frame + 1} of ${frames.length}`}>
      {groups.map((group, i) => {
        const number = shown[i][props.column], truth = group.exact[props.column], y = i * 22 + 14;
        return (
          <g key={group.label}>
            <text x="104" y={y + 4} text-anchor="end">{group.label.slice(0, 16)}</text>
            {truth !== null && <line class="truth" x1={px(truth)} x2={px(truth)} y1={y - 9} y2={y + 9} />}
            {number ? <><line class="interval" x1={px(number[1])} x2={px(number[2])} y1={y} y2={y} /><circle class="in" cx={px(number[0])} cy={y} r="4" /></> : <text class="unseen" x="116" y={y + 4}>not published</text>}
          </g>
        );
      })}
    </svg>
  );
}

function compared(of: Statistic, column: number): string {
  const pairs = of.frames.filter((frame) => frame[0]?.[column] && frame[1]?.[column]);
  if (of.groups.length < 2 || pairs.length === 0) return "";
  const above = pairs.filter((frame) => frame[1][column]![0] > frame[0][column]![0]).length;
  return `In ${pairs.length} outcomes ${of.groups[1].label} was above ${of.groups[0].label} ${above} times.`;
}

export function Rehearsal(props: { plan: Plan }) {
  const answer = useSignal<Answer | null>(null), wrong = useSignal("");
  const sizes = useSignal("equal"), values = useSignal("even");
  const chosen = useSignal("0.0"), frame = useSignal(0), plays = useSignal(false);
  useEffect(() => {
    let isOld = false;
    const later = setTimeout(async () => {
      try {
        const found = await post<Answer>("rehearse", { catalog: catalog.value, study: props.plan.text, name: name.value, sizes: sizes.value, values: values.value, frames: 30 });
        if (!isOld) answer.value = found, wrong.value = "";
      } catch (error) {
        if (!isOld && error instanceof Refused) answer.value = null, wrong.value = error.problem.sentence;
      }
    }, 250);
    return () => { isOld = true; clearTimeout(later); };
  }, [props.plan.plan_hash, sizes.value, values.value]);
  useEffect(() => {
    if (!plays.value || still()) return;
    const timer = setInterval(() => (frame.value = (frame.value + 1) % 30), 500);
    return () => clearInterval(timer);
  }, [plays.value]);
  const all = answer.value?.statistics ?? [];
  const [i, j] = chosen.value.split(".").map(Number);
  const one = all[i] && !all[i].why_not && all[i].columns[j] ? all[i] : undefined;
  const step = () => { frame.value = (frame.value + 1) % 30; plays.value = !plays.value && !still(); };
  return (
    <section class="card hatched" aria-labelledby="rehearsal-title">
      <h2 id="rehearsal-title">What readers would see</h2>
      <p class="note">On invented rows, with the noise and the intervals of this plan. Nothing is read and nothing is spent.</p>
      {wrong.value && <p class="note">{wrong.value}</p>}
      {props.plan.shown.tables.length > 0 && <p class="note">Tables that add up are not rehearsed: the margin of their cells stands beside them.</p>}
      {all.length > 0 && (
        <div class="row">
          <label>of <select value={chosen.value} onChange={(event) => { chosen.value = event.currentTarget.value; }}>
            {all.flatMap((statistic, a) => statistic.why_not ? [] : statistic.columns.map((column, b) => <option key={`${a}.${b}`} value={`${a}.${b}`}>{column.column}, {statistic.name}</option>))}
          </select></label>
          <label>rows <select value={sizes.value} onChange={(event) => (sizes.value = event.currentTarget.value)}><option value="equal">as many in each group</option><option value="zipf">few large groups</option></select></label>
          <label>values <select value={values.value} onChange={(event) => (values.value = event.currentTarget.value)}><option value="even">evenly spread</option><option value="middle">most in the middle</option></select></label>
        </div>
      )}
      {all.filter((statistic) => statistic.why_not).map((statistic) => <p class="note" key={statistic.name}>{statistic.name}: {statistic.why_not}.</p>)}
      {one && (
        <>
          <Dots of={one.columns[j]} />
          <p class="note">Each dot is one of {one.columns[j].errors.length} equally likely errors; {one.columns[j].within} lie within ± {one.columns[j].shown}.</p>
          <Outcome of={one} column={j} frame={frame.value} />
          <div class="row"><button type="button" class="small" onClick={step}>{plays.value ? "Stop" : "Next outcomes"}</button><span class="note">outcome {frame.value + 1} of {one.frames.length}; the upright line is the invented truth. {compared(one, j)}</span></div>
          <details><summary>as a table</summary><div class="scroll" tabIndex={0}><table><thead><tr><th>group</th><th class="right">invented truth</th><th class="right">outcome</th><th class="right">from</th><th class="right">to</th></tr></thead>
            <tbody>{one.groups.map((group, k) => { const number = one.frames[frame.value][k][j]; return <tr key={group.label}><td>{group.label}</td><td class="right">{group.exact[j] ?? "–"}</td><td class="right">{number ? number[0] : "not published"}</td><td class="right">{number?.[1]}</td><td class="right">{number?.[2]}</td></tr>; })}</tbody></table></div></details>
        </>
      )}
    </section>
  );
}
