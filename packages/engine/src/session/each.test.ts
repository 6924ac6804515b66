import { createPool } from '@terrane/host';
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
