import { expect, it } from 'vitest';
import { runTogether } from './listen.ts';

const untilAborted = (signal: AbortSignal): Promise<void> =>
  new Promise((resolve) => signal.addEventListener('abort', () => resolve()));

it('ends all parts of a server if one fails, and reports its error', async () => {
  let hasEnded = false;
  const { signal } = new AbortController();
  const running = runTogether(signal, [
    (stop) => untilAborted(stop).then(() => void (hasEnded = true)),
    () => Promise.reject(new Error('listen EADDRINUSE')),
  ]);
  await expect(running).rejects.toThrow('listen EADDRINUSE');
  expect(hasEnded).toBe(true);
});

it('ends all parts of a server at the signal', async () => {
  const controller = new AbortController();
  const running = runTogether(controller.signal, [untilAborted, untilAborted]);
  controller.abort();
  await running;
});
