import { cpSync, mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { usageOf } from './usage.ts';

const CHANGES = 1_000;
const ROUNDS = 20;
/** Additional CPU time of an apply, as a part of it. */
const GOAL = 0.02;
/** The part of the differences at each end that is left out of the mean. */
const TRIMMED = 0.1;

/** Resources of an apply: those that cost nothing but the run itself, and files, which are replaced. */
const KINDS = {
  terraform_data: (count: number) => `resource "terraform_data" "a" {
  count = ${count}
  input = "value \${var.v} of \${count.index}"
}
`,
  local_file: (count: number) => `resource "local_file" "a" {
  count    = ${count}
  filename = "\${path.module}/out/\${count.index}.txt"
  content  = "value \${var.v} of \${count.index}"
}
`,
} as const;

/** The program that the benchmark runs, its environment, and a directory for its files. */
export interface OverheadContext {
  readonly scratch: string;
  readonly terrane: readonly string[];
  readonly environment: Readonly<Record<string, string>>;
  readonly scale: number;
}

/**
 * Applies the same saved plan of 1,000 changes with the history and without, alternating, each in a fresh copy of a
 * directory, and compares the CPU time pairwise. Returns whether the trimmed mean meets the goal for both kinds of
 * resources.
 */
export async function historyOverhead(context: OverheadContext): Promise<boolean> {
  let met = true;
  for (const [kind, text] of Object.entries(KINDS)) {
    const main = `variable "v" {\n  default = 0\n}\n${text(Math.max(1, Math.round(CHANGES * context.scale)))}`;
    met = (await overheadOf(kind, main, context)) && met;
  }
  return met;
}

async function overheadOf(
  kind: string,
  main: string,
  { scratch, terrane, environment }: OverheadContext,
): Promise<boolean> {
  const run = (place: string, history: string, command: string, ...args: readonly string[]) =>
    usageOf([...terrane, command, '-input=false', ...args], place, {
      ...environment,
      TERRANE_HISTORY: history,
    });
  const prepare = async (history: string): Promise<string> => {
    const place = join(scratch, `overhead-${kind}-${history}`);
    mkdirSync(place);
    writeFileSync(join(place, 'main.tf'), main);
    await run(place, history, 'init');
    await run(place, history, 'apply', '-auto-approve');
    // The history knows the state before the measured run, as it does in use.
    await run(place, history, 'apply', '-auto-approve', '-var=v=1');
    await run(place, history, 'plan', '-out=saved.plan', '-var=v=2');
    return place;
  };
  const templates = new Map([
    ['on', await prepare('on')],
    ['off', await prepare('off')],
  ]);
  const differences: number[] = [];
  let total = 0;
  for (let round = 0; round < ROUNDS; round++) {
    const cpu = { on: 0, off: 0 };
    for (const history of round % 2 === 0 ? (['on', 'off'] as const) : (['off', 'on'] as const)) {
      const place = join(scratch, 'overhead-run');
      rmSync(place, { recursive: true, force: true });
      cpSync(templates.get(history) ?? '', place, { recursive: true });
      cpu[history] = (await run(place, history, 'apply', 'saved.plan')).cpu;
    }
    differences.push(cpu.on - cpu.off);
    total += cpu.off;
  }
  const sorted = differences.toSorted((a, b) => a - b);
  const left = Math.floor(ROUNDS * TRIMMED);
  const middle = sorted.slice(left, ROUNDS - left);
  const mean = middle.reduce((sum, each) => sum + each, 0) / middle.length;
  const part = mean / (total / ROUNDS);
  const met = part <= GOAL;
  process.stdout.write(
    `${'history-overhead'.padEnd(20)} ${kind}: ${((total / ROUNDS) * 1_000).toFixed(0)} ms of CPU, with the history ${(mean * 1_000).toFixed(0)} ms more: ${(part * 100).toFixed(1)} % (goal ${GOAL * 100}: ${met ? 'met' : 'MISSED'})\n`,
  );
  return met;
}
