import { cutToWidth } from '@terrane/render';
import { paint } from './paint.ts';

const FRAMES = ['⠋', '⠙', '⠹', '⠸', '⠼', '⠴', '⠦', '⠧', '⠇', '⠏'];
/** Smaller terminals show no progress. */
const MIN_SIZE = { columns: 20, rows: 6 };
const MAX_LINES = 10;

/** A running operation. */
export interface Running {
  /** "creating", "refreshing" */
  readonly verb: string;
  readonly address: string;
  readonly sinceMs: number;
  /** the last duration of the operation, or of operations of its kind */
  readonly expectedMs?: number | undefined;
  /** the current step, such as a provisioner */
  readonly detail?: string | undefined;
}

/** The progress of running operations. */
export interface LiveProgress {
  /** running operations, oldest first */
  readonly running: readonly Running[];
  readonly done: number;
  /** the number of operations; undefined if it is unknown */
  readonly total: number | undefined;
  readonly elapsedMs: number;
  /** the estimated remaining time, if known */
  readonly remainingMs: number | undefined;
  readonly isStopping: boolean;
}

/** The layout of the lines. */
export interface LiveLinesStyle {
  readonly columns: number;
  readonly rows: number;
  readonly color: boolean;
  /** the time by the clock of the progress */
  readonly nowMs: number;
}

/**
 * Returns a line for each running operation, followed by a line with the completed share, the elapsed time and the
 * estimated remaining time. The lines are no wider than the terminal and take at most half its height. Empty if no
 * operation is running.
 */
export function liveLines(progress: LiveProgress, style: LiveLinesStyle): readonly string[] {
  const { columns, rows, color, nowMs } = style;
  if (columns < MIN_SIZE.columns || rows < MIN_SIZE.rows) return [];
  const { running } = progress;
  if (running.length === 0) return [];
  const room = Math.min(MAX_LINES, Math.floor(rows / 2) - 1);
  const visible = running.length > room ? running.slice(0, room - 1) : running;
  const frame = FRAMES[Math.floor(nowMs / 250) % FRAMES.length] ?? '';
  const cut = (text: string): string => cutToWidth(text, columns - 1);
  const lines = visible.map((each) => cut(`  ${frame} ${runningText(each, nowMs)}`));
  if (visible.length < running.length)
    lines.push(cut(`    and ${running.length - visible.length} more`));
  return [...lines, paint(color, cut(`  ${countText(progress)}`), 'bold')];
}

function runningText(running: Running, nowMs: number): string {
  const { address, verb, detail, expectedMs } = running;
  const inside = detail === undefined ? '' : ` (${detail})`;
  const typicalText =
    expectedMs === undefined || expectedMs < 1000 ? '' : ` of about ${spanText(expectedMs)}`;
  return `${address}: ${verb}${inside}, ${spanText(nowMs - running.sinceMs)}${typicalText}`;
}

function countText(progress: LiveProgress): string {
  const { done, total, running, remainingMs } = progress;
  const parts = [total === undefined ? `${done} done` : `${done} of ${total} done`];
  parts.push(`${running.length} in progress`);
  parts.push(`${spanText(progress.elapsedMs)} elapsed`);
  if (progress.isStopping) parts.push('stopping');
  else if (remainingMs !== undefined && remainingMs >= 1000) {
    parts.push(`about ${spanText(remainingMs)} left`);
  }
  return parts.join(', ');
}

/** A span of time in two units at most: "5s", "2m05s", "1h10m". */
function spanText(ms: number): string {
  const seconds = Math.max(0, Math.floor(ms / 1000));
  if (seconds < 60) return `${seconds}s`;
  const two = (value: number): string => String(value).padStart(2, '0');
  const minutes = Math.floor(seconds / 60);
  if (minutes < 60) return `${minutes}m${two(seconds % 60)}s`;
  return `${Math.floor(minutes / 60)}h${two(minutes % 60)}m`;
}
