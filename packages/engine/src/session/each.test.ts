import { createPool } from '@terrane/host';
import { getEventListeners } from 'node:events';
import { describe, expect, it } from 'vitest';
import { eachIn } from './each.ts';

describe('work for each item', () => {
  it('is done for all items in their order', async () => {
    const begun: number[] = [];
    await eachIn(createPool(2), 2, [1, 2, 3, 4, 5], async (item) => {
      begun.push(item);
      await Promise.resolve();
    });
    expect(begun).toEqual([1, 2, 3, 4, 5]);
  });

  it.each([
    [3, 10],
    [10, 3],
  ])('is under way %i times in a pool of %i at most', async (places, size) => {
    let now = 0;
    let most = 0;
    await eachIn(
      createPool(size),
      places,
      Array.from({ length: 20 }, (_, index) => index),
      async () => {
        most = Math.max(most, ++now);
        await new Promise((resolve) => setImmediate(resolve));
        now--;
      },
    );
    expect(most).toBe(3);
  });

  it('shares the pool with others', async () => {
    const pool = createPool(2);
    let now = 0;
    let most = 0;
    const work = async (): Promise<void> => {
      most = Math.max(most, ++now);
      await new Promise((resolve) => setImmediate(resolve));
      now--;
    };
    await Promise.all([eachIn(pool, 2, [1, 2, 3], work), eachIn(pool, 2, [1, 2, 3], work)]);
    expect(most).toBe(2);
  });

  it('takes the next item only when there is room for it', async () => {
    let taken = 0;
    function* items(): Iterable<number> {
      for (let index = 0; index < 100; index++) {
        taken++;
        yield index;
      }
    }
    let release: () => void = () => {};
    const gate = new Promise<void>((resolve) => (release = resolve));
    const done = eachIn(createPool(4), 4, items(), () => gate);
    await new Promise((resolve) => setImmediate(resolve));
    expect(taken).toBe(4);
    release();
    await done;
    expect(taken).toBe(100);
  });

  it('begins no item after the signal', async () => {
    const interrupt = new AbortController();
    const begun: number[] = [];
    const work = (item: number): void => {
      begun.push(item);
      if (item === 3) interrupt.abort();
    };
    await eachIn(createPool(1), 1, [1, 2, 3, 4, 5], work, interrupt.signal);
    expect(begun).toEqual([1, 2, 3]);
  });

  it('observes the signal with one listener for many lists, until the last has ended', async () => {
    const { signal } = new AbortController();
    const pool = createPool(2);
    const releases: (() => void)[] = [];
    const wait = (): Promise<void> => new Promise((resolve) => releases.push(resolve));
    const listeners = (): number => getEventListeners(signal, 'abort').length;
    const list = async (): Promise<void> => await eachIn(pool, 2, [1, 2], wait, signal);
    const lists = Array.from({ length: 5 }, list);
    expect(listeners()).toBe(1);
    while (releases.length > 0) {
      expect(listeners()).toBe(1);
      for (const release of releases.splice(0)) release();
      await new Promise((resolve) => setImmediate(resolve));
    }
    await Promise.all(lists);
    expect(listeners()).toBe(0);
  });

  it('heeds the signal until all workers have ended, also after a failure', async () => {
    const interrupt = new AbortController();
    const begun: number[] = [];
    const work = async (item: number): Promise<void> => {
      begun.push(item);
      if (item === 1) throw new Error('one');
      await new Promise((resolve) => setImmediate(resolve));
    };
    const items = [1, 2, 3, 4];
    const working = eachIn(createPool(2), 2, items, work, interrupt.signal);
    await expect(working).rejects.toThrow('one');
    expect(getEventListeners(interrupt.signal, 'abort').length).toBe(1);
    interrupt.abort();
    for (let turn = 0; turn < 3; turn++) await new Promise((resolve) => setImmediate(resolve));
    expect(begun).toEqual([1, 2]);
    expect(getEventListeners(interrupt.signal, 'abort').length).toBe(0);
    // Lists that follow begin with the state of the signal.
    await eachIn(createPool(1), 1, [5, 6], work, interrupt.signal);
    expect(begun).toEqual([1, 2, 5]);
  });

  it('lets timers and I/O happen within a long list', async () => {
    let count = 0;
    let countAtTurn: number | undefined;
    setImmediate(() => (countAtTurn = count));
    await eachIn(
      createPool(10),
      10,
      {
        *[Symbol.iterator]() {
          for (let item = 0; item < 5_000; item++) yield item;
        },
      },
      () => {
        count++;
      },
    );
    expect(count).toBe(5_000);
    expect(countAtTurn).toBeLessThan(600);
  });

  it('fails with the failure of one', async () => {
    const work = (item: number): Promise<void> =>
      item === 2 ? Promise.reject(new Error('two')) : Promise.resolve();
    await expect(eachIn(createPool(2), 2, [1, 2, 3], work)).rejects.toThrow('two');
  });
});
