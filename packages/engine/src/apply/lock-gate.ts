import type { Awaitable } from '@terrane/provider';
import type { ApplyRun } from './request.ts';

/** Thrown by a step that did not start its change because the state lock is lost. Not an error of the step. */
export class Halted extends Error {
  override readonly name = 'Halted';

  constructor(cause: unknown) {
    super('the lock of the state is lost', { cause });
  }
}

/**
 * Verifies with the storage that the state lock is still held. A step calls it before operations with effects outside
 * the state. Throws {@link Halted} if the lock is lost.
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
 * Verifies, by the local clock only, that the state lock is still valid. A step calls it between recording an intent and
 * the provider call. If the lock is lost, `undo` withdraws the intent, and {@link Halted} is thrown.
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
