import type { World } from '../world.ts';

/** Executes work with a signal that the first interrupt aborts; the work must end by itself. */
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
