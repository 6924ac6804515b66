import type { World } from '../world.ts';

/** What ends a wait for the reader of output early. */
export interface WaitLimits {
  /** the longest wait in milliseconds; default: no limit */
  readonly patience?: number | undefined;
  /** without it, an interrupt ends the process */
  readonly onInterrupt?: World['onInterrupt'];
}

/**
 * Waits until little output is unread; `room` is the result of the world's `outputRoom`. Returns false if more is unread
 * after `patience`, or if the user interrupts the wait.
 */
export async function hasRoom(
  room: Promise<void> | undefined,
  { patience, onInterrupt }: WaitLimits = {},
): Promise<boolean> {
  if (room === undefined) return true;
  let giveUp = (): void => undefined;
  const late = new Promise<boolean>((resolve) => (giveUp = () => resolve(false)));
  const timer = patience === undefined ? undefined : setTimeout(giveUp, patience);
  const forget = onInterrupt?.(giveUp);
  try {
    return await Promise.race([room.then(() => true), late]);
  } finally {
    clearTimeout(timer);
    forget?.();
  }
}
