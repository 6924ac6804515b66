// `npm run test:locks -- --losses`: takes the lock away at each operation of a run of twenty, in each way, on each storage.
// --backend=NAME,…  --loss=NAME,…  --operations=1,2,…  --at-once=N
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { OPERATIONS } from './apply-twenty.ts';
import type { LockBackend } from './lock-backends.ts';
import { type Experiment, type Loss, loseLock, LOSSES } from './lose-lock.ts';

/** The experiments to run. */
export interface LossPlan {
  readonly losses?: readonly Loss[];
  /** numbers of operations at which the lock is lost; all of them by default */
  readonly operations?: readonly number[];
  /** how many experiments go on at once */
  readonly atOnce?: number;
}

/** The results of one kind of experiment on one storage. */
export interface LossFigures {
  readonly loss: Loss;
  readonly experiments: number;
  /** operations that began after the lock was lost */
  readonly after: number;
  /** operations in flight or done whose results are recorded, as all have to be */
  readonly recorded: number;
  /** how often another run had stored a newer state, which has to be there in the end */
  readonly overtaken: number;
  readonly problems: readonly string[];
}

/** Runs the experiments on one storage; kinds of losses that it does not have are omitted. */
export async function lossesOn(
  backend: LockBackend,
  { losses = LOSSES, operations = EACH, atOnce = 4 }: LossPlan = {},
): Promise<readonly LossFigures[]> {
  const folder = await mkdtemp(join(tmpdir(), 'terrane-losses-'));
  const contended = await backend.start(folder);
  try {
    const figures: LossFigures[] = [];
    for (const loss of losses) {
      const waiting = [...operations];
      const results: Experiment[] = [];
      const problems: string[] = [];
      const worker = async (): Promise<void> => {
        for (
          let operation = waiting.shift();
          operation !== undefined;
          operation = waiting.shift()
        ) {
          try {
            const result = await loseLock(contended, loss, operation);
            if (result === 'not applicable') continue;
            results.push(result);
            problems.push(...result.problems.map((each) => `operation ${operation}: ${each}`));
          } catch (error) {
            problems.push(`operation ${operation}: ${String(error)}`);
          }
        }
      };
      await Promise.all(Array.from({ length: atOnce }, worker));
      if (results.length === 0 && problems.length === 0) continue;
      figures.push({
        loss,
        experiments: results.length,
        after: results.reduce((sum, { after }) => sum + after, 0),
        recorded: results.reduce((sum, { before }) => sum + before, 0),
        overtaken: results.filter(({ isOvertaken }) => isOvertaken).length,
        problems,
      });
    }
    return figures;
  } finally {
    await contended.stop();
    await rm(folder, { recursive: true, force: true });
  }
}

const EACH: readonly number[] = Array.from({ length: OPERATIONS }, (_, at) => at + 1);
