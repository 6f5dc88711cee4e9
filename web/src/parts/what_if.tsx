import { useSignal } from "@preact/signals";
import { useEffect, useRef } from "preact/hooks";
import { post, Refused } from "../api";
import { catalog, change, name, Plan } from "../state";
import { Curve, Curves, scaleOf } from "./curves";

// Accuracy against epsilon: five points first, then the rest, and a point on the curve that is dragged or moved by keys.
const COARSE = 5, FINE = 16;

// So many epsilons around this one, evenly on the logarithm, each written with two digits.
const around = (now: number, count: number) => [...new Set(Array.from({ length: count }, (_, i) => Number((now * 8 ** ((2 * i) / (count - 1) - 1)).toPrecision(2))))];

type Point = { epsilon: number; accuracies: Record<string, number>[]; tables?: number[][] };

// The points of a plan; until the first of them come, those of the plan before stay, so that nothing that is held vanishes.
function useWhatIf(plan: Plan, now: number) {
  const known = useSignal<{ of: string; points: Point[]; done: boolean }>({ of: "", points: [], done: false }), wrong = useSignal("");
  useEffect(() => {
    let isOld = false;
    const ask = async (epsilons: number[], done: boolean) => {
      const found = await post<Plan>("what-if", { catalog: catalog.value, study: plan.text, name: name.value, epsilons: epsilons.map(String) });
      if (isOld) return;
      const fresh = found.what_if ?? [], before = known.value.of === plan.plan_hash ? known.value.points : [];
      const points = [...before.filter((one) => !fresh.some((other) => other.epsilon === one.epsilon)), ...fresh].sort((a, b) => a.epsilon - b.epsilon);
      known.value = { of: plan.plan_hash, points, done };
    };
    const later = setTimeout(async () => {
      try {
        wrong.value = "";
        const coarse = around(now, COARSE);
        await ask(coarse, false);
        if (!isOld) await ask(around(now, FINE).filter((one) => !coarse.includes(one)), true);
      } catch (error) {
        if (isOld || !(error instanceof Refused)) return;
        wrong.value = error.problem.sentence;
        known.value = { of: plan.plan_hash, points: [], done: true };
      }
    }, 300);
    return () => { isOld = true; clearTimeout(later); };
  }, [plan.plan_hash]);
  const { of, points, done } = known.value;
  return { points, wrong: wrong.value, isBusy: of !== plan.plan_hash || !done };
}

// Takes the epsilon at the place that is pointed at, once the pointer is let go.
function Handle(props: { now: number; low: number; high: number }) {
  const { now, low, high } = props;
  const moved = useSignal<number | null>(null);
  const box = useRef<HTMLDivElement>(null);
  const value = moved.value ?? now;
  const part = Math.log(value / low) / Math.log(high / low);
  const at = (x: number) => {
    const frame = box.current!.getBoundingClientRect();
    const along = Math.max(0, Math.min(1, (x - frame.left) / frame.width));
    return Number((low * (high / low) ** along).toPrecision(2));
  };
  const take = (epsilon: number) => { moved.value = null; if (epsilon !== now) void change("budget", { kind: "budget", epsilon: String(epsilon) }); };
  const press = (event: KeyboardEvent) => {
    const by = { ArrowLeft: 1 / 1.1, ArrowDown: 1 / 1.1, ArrowRight: 1.1, ArrowUp: 1.1, PageDown: 0.5, PageUp: 2 }[event.key];
    if (by) {
      event.preventDefault();
      moved.value = Number(Math.max(low, Math.min(high, value * by)).toPrecision(2));
    }
    if (event.key === "Enter" && moved.value !== null) take(moved.value);
    if (event.key === "Escape") moved.value = null;
  };
  return (
    <div class="slide" ref={box}>
      <button type="button" role="slider" aria-label="another epsilon for this study; Enter takes it" aria-valuemin={low} aria-valuemax={high} aria-valuenow={value} aria-valuetext={`epsilon ${value}`}
        style={{ left: `${100 * part}%` }} onKeyDown={press} onBlur={() => (moved.value = null)}
        onPointerDown={(event) => { event.currentTarget.setPointerCapture(event.pointerId); moved.value = value; }}
        onPointerMove={(event) => { if (event.currentTarget.hasPointerCapture(event.pointerId)) moved.value = at(event.clientX); }}
        onPointerUp={(event) => { if (event.currentTarget.hasPointerCapture(event.pointerId)) take(at(event.clientX)); }} />
      <span class="tip" aria-hidden="true" style={{ left: `${100 * part}%` }}>ε {value}</span>
    </div>
  );
}

// About what a column would have there, between the points that are known: for the eye while it is dragged.
export function WhatIf(props: { plan: Plan }) {
  const now = Number(props.plan.shown.budget.epsilon || props.plan.shown.epsilon);
  const { points, wrong, isBusy } = useWhatIf(props.plan, now);
  const free = props.plan.shown.statistics.flatMap((statistic, i) => statistic.columns.filter((column) => !column.locked).map((column) => ({ statistic, i, column })));
  const open = props.plan.shown.tables.flatMap((table, i) => (table.locked ? [] : [{ table, i }]));
  const curves: Curve[] = free.map(({ statistic, i, column }) => ({
    name: `${statistic.name}: ${column.column}`,
    points: points.map((point) => ({ x: point.epsilon, y: point.accuracies[i]?.[column.column] ?? NaN })),
  })).concat(open.map(({ table, i }) => ({
    name: `${table.name}: cells`,
    points: points.map((point) => ({ x: point.epsilon, y: Math.max(...(point.tables?.[i] ?? [NaN])) })),
  }))).slice(0, 6);
  const isFree = free.length > 0 || open.length > 0;
  const [low, high] = scaleOf(points.map((one) => one.epsilon));
  return (
    <section class="card" aria-labelledby="what-if-title" aria-busy={isBusy}>
      <h2 id="what-if-title">Accuracy against ε</h2>
      {wrong && <p class="note">{wrong}</p>}
      {!isFree ? <p class="note">Every accuracy is held: another ε would move none of them.</p> : <Curves curves={curves} title="accuracy of free columns against the total epsilon" x="total ε" y="±" log at={now} />}
      {points.length > 1 && isFree && <Handle now={now} low={low} high={high} />}
      {points.length > 1 && isFree && <p class="note">Drag the point, or move it by the arrow keys and press Enter.</p>}
    </section>
  );
}
