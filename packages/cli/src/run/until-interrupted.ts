import type { World } from '../world.ts';

/** Works with a signal that the first interrupt gives; the work ends by itself then. */
export async function untilInterrupted<T>(
  world: World,
  work: (signal: AbortSignal) => Promise<T>,
): Promise<T> {
  const controller = new AbortController();
  const stop = world.onInterrupt(() => controller.abort(new Error('interrupted')));
  try {
    return await work(controller.signal);
  } finally {
    stop();
  }
}
