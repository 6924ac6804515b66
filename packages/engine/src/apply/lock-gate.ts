import { type Awaitable, chain } from '@terrane/provider';
import type { LockGuard } from '../state/held-lock.ts';
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
 * the state. Rejects with {@link Halted} if the lock is lost. Without a lock the result is immediate.
 */
export function passLockGate({ request }: Pick<ApplyRun, 'request'>): Awaitable<void> {
  const { lock } = request;
  return lock === undefined ? undefined : confirm(lock);
}

async function confirm(lock: LockGuard): Promise<void> {
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
export function passLastLockGate(
  { request }: Pick<ApplyRun, 'request'>,
  undo: () => Awaitable<void>,
): Awaitable<void> {
  const { lock } = request;
  if (lock === undefined || lock.isValid()) return undefined;
  return chain(undo(), () => {
    throw new Halted(lock.lost.reason);
  });
}

/** Withdraws nothing: for changes without an intent, of providers without side effects. */
export function recordNothing(): void {}
