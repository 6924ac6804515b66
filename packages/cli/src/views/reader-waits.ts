import type { World } from '../world.ts';

/** The limits of waits for the reader of output. */
export interface WaitLimits {
  /** the longest time of all waits together in milliseconds; default: no limit */
  readonly patience?: number | undefined;
  /** without it, an interrupt ends the process */
  readonly onInterrupt?: World['onInterrupt'] | undefined;
}

/**
 * Returns a function that waits until little output is unread; `room` is the `printRoom` of the world. It no longer
 * waits once its patience is over, or once the user has interrupted a wait.
 */
export function readerWaits(
  room: World['printRoom'],
  { patience = Number.POSITIVE_INFINITY, onInterrupt }: WaitLimits = {},
): () => Promise<void> {
  let remaining = patience;
  return async () => {
    const wait = remaining > 0 ? room?.() : undefined;
    if (wait === undefined) return;
    const begun = performance.now();
    const isRead = await endsInTime(wait, { patience: remaining, onInterrupt });
    remaining = isRead ? remaining - (performance.now() - begun) : 0;
  };
}

async function endsInTime(
  wait: Promise<void>,
  { patience, onInterrupt }: WaitLimits & { readonly patience: number },
): Promise<boolean> {
  let giveUp = (): void => undefined;
  const late = new Promise<boolean>((resolve) => (giveUp = () => resolve(false)));
  const timer = Number.isFinite(patience) ? setTimeout(giveUp, patience) : undefined;
  const forget = onInterrupt?.(giveUp);
  try {
    return await Promise.race([wait.then(() => true), late]);
  } finally {
    clearTimeout(timer);
    forget?.();
  }
}
