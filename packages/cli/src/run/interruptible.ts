import type { World } from '../world.ts';

/** The time that work has to cancel after a second interrupt. */
const GRACE_MS = 5000;

/** The abort signals of an interruptible operation. */
export interface Signals {
  /** the first interrupt: end softly */
  readonly signal: AbortSignal;
  /** aborted on the second interrupt: cancel */
  readonly abort: AbortSignal;
}

/** Callbacks that report interrupts to the user. */
export interface InterruptNotices {
  interrupted(): void;
  interruptedTwice(): void;
}

/** Waits for work to end, or for two interrupts and the grace period; then `cancelled` is set. */
export async function interruptible<T>(
  world: World,
  notices: InterruptNotices,
  work: (signals: Signals) => Promise<T>,
): Promise<{ readonly result: T } | { readonly cancelled: true }> {
  const soft = new AbortController();
  const hard = new AbortController();
  const stop = world.onInterrupt(() => {
    if (!soft.signal.aborted) {
      notices.interrupted();
      soft.abort(new Error('interrupted'));
    } else if (!hard.signal.aborted) {
      notices.interruptedTwice();
      world.limitOutputWaits?.();
      hard.abort(new Error('interrupted'));
    }
  });
  try {
    const working = work({ signal: soft.signal, abort: hard.signal });
    const completion = working.then((result) => ({ result }));
    return await Promise.race([completion, givenUp(hard.signal)]);
  } finally {
    stop();
  }
}

/** Resolves some time after the second interrupt; never without one. */
async function givenUp(signal: AbortSignal): Promise<{ readonly cancelled: true }> {
  return await new Promise((resolve) => {
    signal.addEventListener('abort', () => {
      setTimeout(() => resolve({ cancelled: true }), GRACE_MS).unref();
    });
  });
}
