import type { ComponentChildren } from "preact";
import type { Forecast as Chance, ShownSeries, ShownTables } from "../state";

// How often a private group of each size is seen: heights are for the eye, the sentence says the figures.
export function Forecast(props: { of: Chance[] }) {
  const shown = props.of.filter((one) => one.upper > 0).slice(0, 14);
  const at = (chance: number) => props.of.find((one) => one.lower >= chance);
  const [seldom, half, sure] = [0.05, 0.5, 0.95].map(at);
  const times = (one: Chance) => Math.floor(100 * one.lower);
  return (
    <div class="forecast">
      <div class="sparks" role="img" aria-label="the chance that a group is seen, by its size">
        {shown.map((one) => <i key={one.units} title={`${one.units}`} style={{ height: `${Math.max(4, 100 * one.lower)}%` }} />)}
      </div>
      <p class="note">{[seldom, half, sure].filter((one) => one !== undefined).map((one) => `one with ${one.units.toLocaleString("en")} of them is seen at least ${times(one)} of 100 times`).join("; ")}.</p>
    </div>
  );
}

// All tables of a [[table]], which add up: as many rows as it has tables, and above them what they are in the study.
export function Tables(props: { of: ShownTables; head?: ComponentChildren }) {
  const { name, share, tables } = props.of;
  const cells = tables.reduce((sum, one) => sum + one.cells, 0);
  const list = (
    <div class="scroll" tabIndex={0}><table><thead><tr><th>table</th><th class="right">cells</th><th class="right">each cell within ±</th></tr></thead>
      <tbody>{tables.map((one) => <tr key={one.of}><td>{one.of}</td><td class="right">{one.cells.toLocaleString("en")}</td><td class="right">{one.accuracy}</td></tr>)}</tbody></table></div>
  );
  if (props.head) return <article class="statistic">{props.head}<p class="note">{tables.length} tables that add up, {cells.toLocaleString("en")} cells</p><details><summary>each of them</summary>{list}</details></article>;
  return (
    <article class="statistic">
      <header><h3>{name}</h3><span class="share">{share} of the budget; {tables.length} tables that add up, {cells.toLocaleString("en")} cells</span></header>
      {list}
    </article>
  );
}

export const calendarOf = (of: ShownSeries) => `${of.steps.toLocaleString("en")} steps of a ${of.step} from ${of.start} to ${of.end}, ${of.groups.toLocaleString("en")} ${of.groups === 1 ? "group" : "groups"}; of each unit ${of.max_steps === 1 ? "its first step counts" : `its first ${of.max_steps} steps count`}`;

// Series of the review: what is known of every step before the first.
export function Series(props: { of: ShownSeries }) {
  return (
    <article class="statistic">
      <header><h3>{props.of.name}</h3><span class="share">{calendarOf(props.of)}</span></header>
      <div class="scroll" tabIndex={0}><table><thead><tr><th>sum over</th><th class="right">at every step within ±</th></tr></thead>
        <tbody>{props.of.columns.map((one) => <tr key={one.column}><td>{one.words}</td><td class="right">{one.accuracy}</td></tr>)}</tbody></table></div>
    </article>
  );
}
