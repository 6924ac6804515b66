import type { Awaitable } from '@terrane/provider';
import type { ApplyRun } from './request.ts';

/** Thrown by a step that did not begin its change because the lock of the state is lost. Not an error of the step. */
export class Halted extends Error {
  override readonly name = 'Halted';

  constructor(cause: unknown) {
    super('the lock of the state is lost', { cause });
  }
}

/**
 * Passed before a step begins something that changes more than the state: verifies with the storage that the lock is
 * still held. Throws {@link Halted} when it is lost.
 */
export async function passLockGate({ request }: Pick<ApplyRun, 'request'>): Promise<void> {
  const { lock } = request;
  if (lock === undefined) return;
  try {
    await lock.confirm();
  } catch (error) {
    throw new Halted(error);
  }
}

/**
 * Passed right before the call itself, when its intent is recorded: looks at the clocks only. When the lock is lost,
 * `undo` records that nothing was begun, and {@link Halted} is thrown.
 */
export async function passLastLockGate(
  { request }: Pick<ApplyRun, 'request'>,
  undo: () => Awaitable<void>,
): Promise<void> {
  const { lock } = request;
  if (lock === undefined || lock.isValid()) return;
  await undo();
  throw new Halted(lock.lost.reason);
}
