// The protocol between the harness and a run in a process of its own: files.
import { appendFileSync, existsSync } from 'node:fs';
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Target } from './lock-task.ts';

/** The parameters of a run in a process of its own. */
export interface ElsewhereTask {
  readonly target: Target;
  /** for the journal and the files by which it speaks */
  readonly folder: string;
  /** the first operation that waits to be let go */
  readonly operation: number;
}

/** Called in the process when an operation has begun: says so, and waits to be let go. */
export async function operationElsewhere(
  { folder, operation }: ElsewhereTask,
  number: number,
): Promise<void> {
  // At once, so that it is there before the process is stopped.
  appendFileSync(join(folder, 'begun'), `${number}\n`);
  if (number < operation) return;
  while (!existsSync(join(folder, 'go'))) await new Promise((resolve) => setTimeout(resolve, 20));
}

/** Returns the number of operations that have begun there. */
export async function begunElsewhere(folder: string): Promise<number> {
  return (await readFile(join(folder, 'begun'), 'utf8')).split('\n').length - 1;
}

/** Releases all operations. */
export async function letGoElsewhere(folder: string): Promise<void> {
  await writeFile(join(folder, 'go'), '');
}
