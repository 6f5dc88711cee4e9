import { useSignal } from "@preact/signals";

// The numbers of a release with their intervals, as a picture and as a table.
type Cell = { value: number | string | null; accuracy: number | null; interval: [number, number]; confidence: number };
type Row = Record<string, unknown>;
type Statistic = { name: string; sql: string; keys: string[]; rows: Row[] };
type Record_ = { study: string; guarantee?: { epsilon: number; delta: number }; statistics?: Statistic[]; certificate?: { documents?: { name: string }[] } };

const WIDTH = 560, LEFT = 150, RIGHT = 20;
const isCell = (value: unknown): value is Cell => typeof value === "object" && value !== null && "interval" in value;
const columnsOf = (of: Statistic) => Object.keys(of.rows[0] ?? {}).filter((key) => isCell(of.rows[0][key]));
const labelOf = (of: Statistic, row: Row) => of.keys.map((key) => String(row[key])).join(", ") || "all";
const digits = (margin: number | null) => (margin && margin > 0 ? Math.max(0, 1 - Math.floor(Math.log10(margin))) : 0);

// The next number of so many places that is not above (not below) the end; what was read off the text is compared, since a
// product or a quotient may have been rounded across it.
function endText(end: number, places: number, way: -1 | 1): string {
  if (!Number.isFinite(end)) return way < 0 ? "−∞" : "∞";
  if (Math.abs(end) >= Number.MAX_SAFE_INTEGER) return BigInt(end).toLocaleString("en");  // a whole number
  while (places > 0 && Math.abs(end) * 10 ** places >= Number.MAX_SAFE_INTEGER) --places;
  const size = 10 ** places;
  let whole = way < 0 ? Math.floor(end * size) : Math.ceil(end * size);
  for (let step = 1; ; step *= 2) {
    const text = (whole / size).toLocaleString("en", { maximumFractionDigits: places });
    if (way * (Number(text.replaceAll(",", "")) - end) >= 0) return text;
    whole += way * step;
  }
}

// Ends are widened to the last digit that is shown, so that what is read covers what was released.
export function shown(cell: Cell): { value: string; from: string; to: string } {
  const places = Math.min(12, digits(cell.accuracy)), [low, high] = cell.interval;
  const value = cell.value === null ? "–" : Number(cell.value).toLocaleString("en", { maximumFractionDigits: places });
  return { value, from: endText(low, places, -1), to: endText(high, places, 1) };
}

function Bars(props: { of: Statistic; column: string }) {
  const cells = props.of.rows.map((row) => row[props.column]).filter(isCell);
  const low = Math.min(0, ...cells.map((one) => one.interval[0])), high = Math.max(...cells.map((one) => one.interval[1]), low + 1);
  const px = (x: number) => LEFT + ((x - low) / (high - low)) * (WIDTH - LEFT - RIGHT);
  return (
    <svg class="bars" viewBox={`0 0 ${WIDTH} ${cells.length * 24 + 6}`} role="img" aria-label={`${props.column} of ${props.of.name}, with intervals`}>
      {cells.map((one, i) => {
        const y = i * 24 + 4, value = Number(one.value ?? 0);
        return (
          <g key={i}>
            <text x={LEFT - 8} y={y + 13} text-anchor="end">{labelOf(props.of, props.of.rows[i]).slice(0, 20)}</text>
            <rect x={Math.min(px(0), px(value))} width={Math.abs(px(value) - px(0))} y={y} height="18" />
            <path class="whisker" d={`M${px(one.interval[0])} ${y + 4}v10m0 -5H${px(one.interval[1])}m0 -5v10`} />
          </g>
        );
      })}
    </svg>
  );
}

// Whether two groups differ: their intervals do not touch. What the study asked for stands in the report, and is narrower.
function Compare(props: { of: Statistic; column: string }) {
  const { of, column } = props;
  const first = useSignal(0), second = useSignal(1);
  if (of.rows.length < 2) return null;
  const [a, b] = [of.rows[first.value]?.[column], of.rows[second.value]?.[column]];
  if (!isCell(a) || !isCell(b)) return null;
  const low = a.interval[0] - b.interval[1], high = a.interval[1] - b.interval[0], chance = Math.floor(1e-9 + 100 * (1 - 2 * (1 - a.confidence)));
  const pick = (of_: typeof first, text: string) => <select aria-label={text} value={of_.value} onChange={(event) => (of_.value = Number(event.currentTarget.value))}>{of.rows.map((row, i) => <option key={i} value={i}>{labelOf(of, row)}</option>)}</select>;
  return <p class="row">Compare {pick(first, "first group")} with {pick(second, "second group")}: <span>{first.value === second.value ? "choose two groups" : low > 0 || high < 0 ? `they differ; at least ${chance} of 100 such statements are right` : "they may be the same"}.</span></p>;
}

function One(props: { of: Statistic; again?: (name: string, sql: string) => void }) {
  const columns = columnsOf(props.of), chosen = useSignal(columns[0] ?? ""), asTable = useSignal(false);
  const column = columns.includes(chosen.value) ? chosen.value : columns[0];
  if (!column) return null;
  return (
    <article class="statistic">
      <header><h3>{props.of.name}</h3>
        {columns.length > 1 && <select aria-label={`column of ${props.of.name}`} value={column} onChange={(event) => (chosen.value = event.currentTarget.value)}>{columns.map((one) => <option key={one}>{one}</option>)}</select>}
        <button type="button" class="small" aria-pressed={asTable.value} onClick={() => (asTable.value = !asTable.value)}>as a table</button>
        {props.again && <button type="button" class="small" onClick={() => props.again!(props.of.name, props.of.sql)}>Ask again, more accurately</button>}
      </header>
      {!asTable.value && props.of.rows.length <= 40 ? <Bars of={props.of} column={column} /> : (
        <div class="scroll" tabIndex={0}><table><thead><tr>{props.of.keys.map((key) => <th key={key}>{key}</th>)}{columns.flatMap((one) => [<th class="right" key={one}>{one}</th>, <th class="right" key={`${one} from`}>from</th>, <th class="right" key={`${one} to`}>to</th>])}</tr></thead>
          <tbody>{props.of.rows.slice(0, 500).map((row, i) => <tr key={i}>{props.of.keys.map((key) => <td key={key}>{String(row[key])}</td>)}{columns.flatMap((one) => { const cell = row[one]; const text = isCell(cell) ? shown(cell) : { value: "–", from: "", to: "" }; return [<td class="right" key={one}>{text.value}</td>, <td class="right" key={`${one} from`}>{text.from}</td>, <td class="right" key={`${one} to`}>{text.to}</td>]; })}</tr>)}</tbody></table></div>
      )}
      <Compare of={props.of} column={column} />
    </article>
  );
}

// Lines of a file of values, of which some are in quotation marks.
export function cellsOf(text: string): string[][] {
  const rows: string[][] = [[]];
  let cell = "", isQuoted = false;
  for (let i = 0; i < text.length; ++i) {
    const c = text[i];
    if (isQuoted && c === '"' && text[i + 1] === '"') cell += text[++i];
    else if (c === '"') isQuoted = !isQuoted;
    else if (!isQuoted && (c === "," || c === "\n")) {
      rows.at(-1)!.push(cell);
      cell = "";
      if (c === "\n") rows.push([]);
    } else cell += c;
  }
  return rows.filter((row) => row.length > 0);
}

const NUMBERS = ["estimate", "value", "low", "high"];

// A file of the tables of a [[table]], as it was stored: a key that is empty is summed over.
function TableFile(props: { name: string; text: string }) {
  const [head, ...rows] = cellsOf(props.text);
  if (!head) return null;
  const isNumber = (i: number) => i >= head.length - NUMBERS.length;
  return (
    <article class="statistic">
      <header><h3>{props.name}</h3><span class="note">{rows.length.toLocaleString("en")} cells{rows.length > 500 ? ", of which 500 are shown" : ""}</span></header>
      <div class="scroll" tabIndex={0}><table><thead><tr>{head.map((one, i) => <th key={i} class={isNumber(i) ? "right" : ""}>{one}</th>)}</tr></thead>
        <tbody>{rows.slice(0, 500).map((row, k) => <tr key={k}>{row.map((cell, i) => <td key={i} class={isNumber(i) ? "right" : ""}>{cell === "" ? "all" : cell}</td>)}</tr>)}</tbody></table></div>
    </article>
  );
}

export const isTableFile = (name: string) => /\.order-\d+\.csv$/.test(name);

export function Results(props: { of: Record_; tables: { name: string; text: string }[]; again?: (name: string, sql: string) => void }) {
  return (
    <>
      {(props.of.statistics ?? []).map((one) => <One key={one.name} of={one} again={props.again} />)}
      {props.tables.map((one) => <TableFile key={one.name} {...one} />)}
    </>
  );
}
