import { ScaleContinuousNumeric, scaleLinear, scaleLog } from "d3-scale";

// Lines over two axes: our own SVG, with its numbers as a table behind it.
export type Curve = { name: string; points: { x: number; y: number }[] };

const WIDTH = 520, HEIGHT = 260, LEFT = 56, BOTTOM = 34, TOP = 10, RIGHT = 12;

// Marks of an axis; of a logarithm the powers of ten alone where there are too many.
function ticksOf(scale: ScaleContinuousNumeric<number, number>, log: boolean): number[] {
  const all = scale.ticks(6);
  if (!log) return all;
  const digits = (value: number) => Math.round(value / 10 ** Math.floor(Math.log10(value) + 1e-9));
  const some = all.filter((one) => [1, 2, 5].includes(digits(one)));
  return some.length > 7 ? some.filter((one) => digits(one) === 1) : some;
}

// A row for each place that any of the curves has, and what each of them is there.
export function rowsOf(curves: Curve[]): { x: number; ys: (number | undefined)[] }[] {
  const known = curves.map((curve) => new Map(curve.points.map((p) => [p.x, p.y])));
  const places = [...new Set(curves.flatMap((curve) => curve.points.map((p) => p.x)))].sort((a, b) => a - b);
  return places.map((x) => ({ x, ys: known.map((one) => one.get(x)) }));
}

export const scaleOf = (values: number[]): [number, number] => [Math.min(...values), Math.max(...values)];

export function Curves(props: { curves: Curve[]; title: string; x: string; y: string; log?: boolean; at?: number; steps?: boolean }) {
  const all = props.curves.flatMap((curve) => curve.points).filter((p) => Number.isFinite(p.x) && Number.isFinite(p.y) && (!props.log || p.y > 0));
  if (all.length < 2) return null;
  const xs = all.map((p) => p.x), ys = all.map((p) => p.y);
  const [x0, x1] = [Math.min(...xs), Math.max(...xs)];
  const [y0, y1] = [props.log ? Math.min(...ys) / 1.1 : Math.min(0, ...ys), Math.max(...ys) * (props.log ? 1.1 : 1.05)];
  const scale = props.log ? scaleLog : scaleLinear;
  const px = scale().domain([x0, x1]).range([LEFT, WIDTH - RIGHT]), py = scale().domain([y0, y1]).range([HEIGHT - BOTTOM, TOP]);
  return (
    <figure>
      <svg class="curves" viewBox={`0 0 ${WIDTH} ${HEIGHT}`} role="img" aria-label={props.title}>
        {ticksOf(py, !!props.log).map((y) => (
          <g key={`y${y}`}><line class="grid" x1={LEFT} x2={WIDTH - RIGHT} y1={py(y)} y2={py(y)} /><text x={LEFT - 6} y={py(y) + 4} text-anchor="end">{y.toLocaleString("en")}</text></g>
        ))}
        {ticksOf(px, !!props.log).map((x) => (
          <text key={`x${x}`} x={px(x)} y={HEIGHT - BOTTOM + 16} text-anchor="middle">{x}</text>
        ))}
        <text x={(LEFT + WIDTH) / 2} y={HEIGHT - 3} text-anchor="middle" class="axis">{props.x}</text>
        {props.at !== undefined && props.at >= x0 && props.at <= x1 && <line class="now" x1={px(props.at)} x2={px(props.at)} y1={TOP} y2={HEIGHT - BOTTOM} />}
        {props.curves.map((curve, i) => (
          <polyline key={curve.name} class={`line c${i % 6}`} points={curve.points.filter((p) => Number.isFinite(p.y) && (!props.log || p.y > 0)).map((p) => `${px(p.x).toFixed(1)},${py(p.y).toFixed(1)}`).join(" ")} />
        ))}
      </svg>
      {props.curves.length > 1 && <p class="legend">{props.curves.map((curve, i) => <span key={curve.name}><i class={`key c${i % 6}`} />{curve.name}</span>)}</p>}
      <details>
        <summary>as a table</summary>
        <div class="scroll" tabIndex={0}><table><thead><tr><th>{props.x}</th>{props.curves.map((curve) => <th key={curve.name}>{curve.name}</th>)}</tr></thead>
          <tbody>{rowsOf(props.curves).map((row) => <tr key={row.x}><td>{row.x}</td>{row.ys.map((y, i) => <td key={props.curves[i].name}>{y ?? ""}</td>)}</tr>)}</tbody></table></div>
      </details>
    </figure>
  );
}
