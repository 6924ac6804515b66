import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { TABLE } from './table-workloads.ts';

/** The medians of one program. */
interface Medians {
  /** seconds */
  readonly wall: number;
  /** seconds */
  readonly cpu: number;
  /** MiB */
  readonly peak: number;
}

/** The result of one workload. */
export interface HistoryRow {
  readonly name: string;
  readonly terrane: Medians;
  readonly terraform?: Medians;
  readonly isUnderLoad: boolean;
}

/** A line of bench/history.jsonl: one run of the table. */
export interface HistoryEntry {
  readonly date: string;
  /** the commit that was measured */
  readonly revision: string;
  readonly node: string;
  readonly cores: number;
  readonly rows: readonly HistoryRow[];
}

/** Parses the lines of a history. */
export function parseHistory(text: string): readonly HistoryEntry[] {
  return text
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => JSON.parse(line) as HistoryEntry);
}

/** Draws docs/evidence/performance-history.svg from bench/history.jsonl. */
export function writeChart(root: string): void {
  const history = join(root, 'bench/history.jsonl');
  if (!existsSync(history)) return;
  const svg = chart(parseHistory(readFileSync(history, 'utf8')));
  writeFileSync(join(root, 'docs/evidence/performance-history.svg'), svg);
}

const WIDTH = 940;
const PANEL = { width: 300, height: 90, columns: 3 };
const HEADER = 24;

/** Returns an SVG with a panel for each workload: Terrane's wall time over the entries, and the time that the goal allows. */
export function chart(entries: readonly HistoryEntry[]): string {
  const panels = TABLE.map(({ name, title, goal }, index) => {
    const x = 10 + (index % PANEL.columns) * (PANEL.width + 10);
    const y = HEADER + Math.floor(index / PANEL.columns) * (PANEL.height + 50);
    return panel(entries, { name, title: title.replaceAll('`', ''), goal, x, y });
  });
  const height = HEADER + Math.ceil(TABLE.length / PANEL.columns) * (PANEL.height + 50);
  const legend = `<text x="10" y="14">Wall time in seconds by recorded run. <tspan fill="#06c">Blue: Terrane.</tspan> <tspan fill="#c33">Red: the time that the goal allows.</tspan></text>`;
  return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${WIDTH} ${height}" font-family="sans-serif" font-size="10">\n<rect width="100%" height="100%" fill="#fff"/>\n${legend}\n${panels.join('\n')}\n</svg>\n`;
}

interface Panel {
  readonly name: string;
  readonly title: string;
  readonly goal: number;
  readonly x: number;
  readonly y: number;
}

function panel(entries: readonly HistoryEntry[], { name, title, goal, x, y }: Panel): string {
  const points = entries.flatMap((entry) => {
    const row = entry.rows.find((each) => each.name === name);
    if (row === undefined) return [];
    const limit = row.terraform === undefined ? undefined : row.terraform.wall / goal;
    const { date, revision } = entry;
    return [{ wall: row.terrane.wall, limit, date, label: `${date} ${revision}` }];
  });
  const top = Math.max(0.01, ...points.flatMap(({ wall, limit }) => [wall, limit ?? 0])) * 1.1;
  const step = points.length > 1 ? (PANEL.width - 20) / (points.length - 1) : 0;
  const px = (index: number): string => (x + 10 + index * step).toFixed(1);
  const py = (value: number): string => (y + 16 + PANEL.height * (1 - value / top)).toFixed(1);
  const line = (values: readonly (number | undefined)[], color: string, dash: string): string => {
    const path = values.flatMap((value, index) =>
      value === undefined ? [] : [`${px(index)},${py(value)}`],
    );
    return `<polyline points="${path.join(' ')}" fill="none" stroke="${color}" stroke-width="1.5"${dash}/>`;
  };
  const dots = points.map(
    ({ wall, label }, index) =>
      `<circle cx="${px(index)}" cy="${py(wall)}" r="2.5" fill="#06c"><title>${label}: ${wall} s</title></circle>`,
  );
  const last = points.at(-1);
  const caption = last === undefined ? '' : ` · ${last.wall.toFixed(2)} s`;
  return [
    `<text x="${x}" y="${y + 8}">${title}${caption}</text>`,
    `<text x="${x + 8}" y="${y + 22}" fill="#666">${top.toFixed(2)}</text>`,
    `<text x="${x + 4}" y="${y + 28 + PANEL.height}" fill="#666">${points[0]?.date ?? ''}</text>`,
    `<text x="${x + PANEL.width}" y="${y + 28 + PANEL.height}" fill="#666" text-anchor="end">${last?.date ?? ''}</text>`,
    `<path d="M${x + 4},${y + 16}V${y + 16 + PANEL.height}H${x + PANEL.width}" fill="none" stroke="#999"/>`,
    line(
      points.map(({ limit }) => limit),
      '#c33',
      ' stroke-dasharray="4 3"',
    ),
    line(
      points.map(({ wall }) => wall),
      '#06c',
      '',
    ),
    ...dots,
  ].join('\n');
}
