// Records commands on a pseudo-terminal: what they leave on the screen, with its colors.
import { spawn } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import xterm from '@xterm/headless';
import { root } from '../root.ts';
import type { Scene, SceneCommand } from './scenes.ts';

/** Text of one style. */
export interface Span {
  readonly text: string;
  /** number of the color in the palette of terminals; undefined for the default */
  readonly color: number | undefined;
  readonly bold: boolean;
}

export type Line = readonly Span[];

/** A command with the lines that it printed. */
export interface RecordedCommand {
  readonly text: string;
  readonly lines: readonly Line[];
}

export const COLUMNS = 96;
const ROWS = 400;

/** Runs the commands of a scene in a directory of its own. */
export async function recordScene(scene: Scene): Promise<readonly RecordedCommand[]> {
  const work = mkdtempSync(join(tmpdir(), 'terrane-picture-'));
  try {
    for (const [path, text] of Object.entries(scene.files)) writeFileSync(join(work, path), text);
    const ids = new Map<string, string>();
    const recorded: RecordedCommand[] = [];
    for (const command of scene.commands) {
      const lines = await screenLines(stable(await runOnTerminal(command, work), ids));
      if (command.isHidden !== true) recorded.push({ text: command.text, lines });
    }
    return recorded;
  } finally {
    rmSync(work, { recursive: true });
  }
}

/** Returns what a command writes to the terminal. */
function runOnTerminal({ text, answer }: SceneCommand, cwd: string): Promise<string> {
  return new Promise((resolve, reject) => {
    const script = `stty cols ${COLUMNS} rows ${ROWS} -echoctl; ${text}`;
    const child = spawn('script', ['-qfc', script, '/dev/null'], {
      cwd,
      env: {
        PATH: `${join(root, 'bin')}:${process.env['PATH']}`,
        HOME: cwd,
        SHELL: '/bin/sh',
        TERM: 'xterm-256color',
        CHECKPOINT_DISABLE: '1',
        // One order of lines in every recording.
        TF_CLI_ARGS_apply: '-parallelism=1',
        TF_CLI_ARGS_plan: '-parallelism=1',
      },
    });
    let output = '';
    let isAnswered = answer === undefined;
    child.stdout.setEncoding('utf8').on('data', (chunk: string) => {
      output += chunk;
      if (isAnswered || !output.includes('Enter a value:')) return;
      isAnswered = true;
      child.stdin.write(`${answer}\n`);
    });
    child.on('error', reject);
    child.on('close', () => resolve(output));
  });
}

/** Replaces random ids and durations, so that every recording has the same text. */
function stable(output: string, ids: Map<string, string>): string {
  return output
    .replaceAll(/[0-9a-f]{8}-(?:[0-9a-f]{4}-){3}[0-9a-f]{12}/g, (id) => {
      const digit = (ids.size + 1).toString(16);
      const known = ids.get(id) ?? `5${digit}f0a7c2-91be-4d36-8a4e-c0ffee00000${digit}`;
      ids.set(id, known);
      return known;
    })
    .replaceAll(/ after \d+s/g, ' after 0s')
    .replaceAll(/ on \S+ \(process \d+\)/g, ' on laptop (process 4711)')
    .replaceAll(/\b\d{4}-\d\d-\d\dT[\d:.]+Z/g, '2027-01-01T09:00:00Z');
}

/** Returns the lines on the screen after some output, without empty ones at the end. */
async function screenLines(output: string): Promise<readonly Line[]> {
  const screen = new xterm.Terminal({ cols: COLUMNS, rows: ROWS, allowProposedApi: true });
  await new Promise<void>((done) => screen.write(output, done));
  const buffer = screen.buffer.active;
  const lines: Line[] = [];
  for (let y = 0; y < ROWS; y += 1) {
    const spans: Span[] = [];
    for (let x = 0; x < COLUMNS; x += 1) {
      const cell = buffer.getLine(y)?.getCell(x);
      if (cell === undefined || cell.getWidth() === 0) continue;
      const text = cell.getChars() || ' ';
      const color = cell.isFgPalette() ? cell.getFgColor() : undefined;
      const bold = cell.isBold() !== 0;
      const last = spans.at(-1);
      if (last?.color === color && last?.bold === bold)
        spans[spans.length - 1] = { ...last, text: last.text + text };
      else spans.push({ text, color, bold });
    }
    const last = spans.at(-1);
    if (last !== undefined) spans[spans.length - 1] = { ...last, text: last.text.trimEnd() };
    lines.push(spans.filter(({ text }) => text !== ''));
  }
  screen.dispose();
  const kept = lines.filter((line) => !isProgress(line.map(({ text }) => text).join('')));
  return kept.slice(0, kept.findLastIndex((line) => line.length > 0) + 1);
}

/** Reports whether a line is progress, which a killed program may have left behind. */
function isProgress(line: string): boolean {
  return /^ {2}(?:[\u2800-\u28ff] |\d+ of \d+ done)/.test(line);
}
