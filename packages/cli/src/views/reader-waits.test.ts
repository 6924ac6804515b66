import { expect, test } from 'vitest';
import { readerWaits } from './reader-waits.ts';

/** Waits for a reader that never reads; counts how often it was asked for room. */
function unread(): { asked: number; readonly room: () => Promise<void> } {
  const reader = {
    asked: 0,
    room: async (): Promise<void> => {
      reader.asked++;
      await new Promise(() => undefined);
    },
  };
  return reader;
}

test('waits until there is room, each time', async () => {
  let asked = 0;
  const wait = readerWaits(() => {
    asked++;
    return asked === 2 ? undefined : Promise.resolve();
  });
  for (let i = 0; i < 3; i++) await wait();
  expect(asked).toBe(3);
});

test('does not wait again once its patience is over', async () => {
  const reader = unread();
  const wait = readerWaits(reader.room, { patience: 1 });
  for (let i = 0; i < 3; i++) await wait();
  expect(reader.asked).toBe(1);
});

test('has one patience for all waits together', async () => {
  let asked = 0;
  const slow = async (): Promise<void> => {
    asked++;
    await new Promise((resolve) => setTimeout(resolve, 20));
  };
  const wait = readerWaits(slow, { patience: 30 });
  for (let i = 0; i < 10; i++) await wait();
  expect(asked).toBeLessThanOrEqual(3);
});

test('an interrupt ends the wait and all later ones', async () => {
  const reader = unread();
  const listeners = new Set<() => void>();
  const wait = readerWaits(reader.room, {
    onInterrupt(listener) {
      listeners.add(listener);
      return () => void listeners.delete(listener);
    },
  });
  const waiting = wait();
  for (const listener of listeners) listener();
  await waiting;
  await wait();
  expect(reader.asked).toBe(1);
  expect(listeners.size).toBe(0);
});
