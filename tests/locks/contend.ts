// Many processes contend for one state; what they have seen together tells whether the lock is one.
import { spawn } from 'node:child_process';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { bundled } from './bundled.ts';
import type { LockBackend } from './lock-backends.ts';
import type { Report, Task } from './lock-task.ts';

/** Parameters of a contention test. */
export interface Contention {
  readonly processes: number;
  /** how often is counted, by all together */
  readonly attempts: number;
}

/** The result of a contention test. */
export interface Outcome {
  /** what was wrong; nothing: the lock held */
  readonly problems: readonly string[];
  /** how often a process found the lock held */
  readonly refused: number;
  readonly seconds: number;
}

/** The most attempts to lock in a second, of all processes; a slow server gets fewer. */
const ATTEMPTS_A_SECOND = 25;

/** Runs processes that increment a counter in one state of a storage. */
export async function contend(
  backend: LockBackend,
  { processes, attempts }: Contention,
): Promise<Outcome> {
  const program = await bundled('tests/locks/contender.ts');
  const folder = await mkdtemp(join(tmpdir(), 'terrane-locks-'));
  const contended = await backend.start(folder);
  try {
    const began = performance.now();
    const reports = await Promise.all(
      Array.from({ length: processes }, async (_, index) => {
        const times = Math.floor((attempts + index) / processes);
        return await run(program, {
          target: contended.target,
          times,
          processes,
          pauseMs: (1000 * processes) / ATTEMPTS_A_SECOND,
          witness: join(folder, 'held'),
          folder,
        });
      }),
    );
    const seconds = (performance.now() - began) / 1000;
    const refused = reports.reduce((sum, report) => sum + report.refused, 0);
    return { problems: problemsOf(reports, attempts), refused, seconds };
  } finally {
    await contended.stop();
    await rm(folder, { recursive: true, force: true });
  }
}

function problemsOf(reports: readonly Report[], attempts: number): readonly string[] {
  const problems = reports.flatMap(({ error }) => (error === undefined ? [] : [error]));
  const seen = reports.flatMap((report) => report.seen).sort((a, b) => a - b);
  const lost = seen.filter((value, index) => value !== index + 1);
  if (lost.length > 0) problems.push(`updates were lost, the first one at ${lost[0]}`);
  if (seen.length !== attempts) problems.push(`${seen.length} of ${attempts} were counted`);
  return problems;
}

async function run(program: string, task: Task): Promise<Report> {
  const { target } = task;
  const child = spawn(process.execPath, [program, JSON.stringify(task)], {
    env: { ...process.env, ...(target.kind === 'backend' ? target.env : {}) },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let output = '';
  let errors = '';
  child.stdout.on('data', (piece: Buffer) => (output += piece.toString()));
  child.stderr.on('data', (piece: Buffer) => (errors += piece.toString()));
  await new Promise((resolve, reject) => {
    child.once('error', reject);
    child.once('close', resolve);
  });
  try {
    // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- it is the contender that says it
    return JSON.parse(output) as Report;
  } catch {
    return { seen: [], refused: 0, error: `a process ended with: ${output}${errors}` };
  }
}
