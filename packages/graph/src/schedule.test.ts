import { describe, expect, test } from 'vitest';
import { GraphBuilder, graphOf } from './graph.ts';
import { CycleError, type Ran, schedule, type Schedule } from './schedule.ts';

/** Nodes that block until the test releases them. */
class Stage {
  readonly started: number[] = [];
  readonly #ends = new Map<number, { end: (ran: Ran) => void; fault: (error: Error) => void }>();

  readonly run = async (node: number): Promise<Ran> => {
    this.started.push(node);
    return await new Promise((end, fault) => this.#ends.set(node, { end, fault }));
  };

  async end(node: number, ran?: 'failed'): Promise<void> {
    this.#ends.get(node)?.end(ran);
    await turn();
  }

  async fault(node: number, message: string): Promise<void> {
    this.#ends.get(node)?.fault(new Error(message));
    await turn();
  }
}

async function turn(): Promise<void> {
  await new Promise((resolve) => setImmediate(resolve));
}

function plan(targets: readonly (readonly number[])[], rest: Omit<Schedule, 'dependencies'>) {
  return schedule({ dependencies: graphOf(targets), ...rest });
}

describe('order', () => {
  test('a node starts once all that it depends on is done', async () => {
    const stage = new Stage();
    const done = plan([[], [], [0, 1]], { run: stage.run, limit: 10 });
    expect(stage.started).toEqual([0, 1]);
    await stage.end(1);
    expect(stage.started).toEqual([0, 1]);
    await stage.end(0);
    expect(stage.started).toEqual([0, 1, 2]);
    await stage.end(2);
    const { stopped, counts } = await done;
    expect(stopped).toBe(false);
    expect(counts).toEqual({ unstarted: 0, done: 3, failed: 0, skipped: 0 });
  });

  test('runs at most the limit of nodes concurrently', async () => {
    const stage = new Stage();
    const done = plan([[], [], [], []], { run: stage.run, limit: 2 });
    expect(stage.started).toEqual([0, 1]);
    await stage.end(1);
    expect(stage.started).toEqual([0, 1, 2]);
    for (const node of [0, 2, 3]) await stage.end(node);
    expect((await done).counts.done).toBe(4);
  });

  test('dependents of nodes that end together are ready before others start', async () => {
    const ready: number[][] = [[], [], [0], [1], []];
    const started: number[] = [];
    // A gate that keeps node 4 until no other node is ready.
    const kept: number[] = [];
    let isOpen = false;
    await plan(ready, {
      run: async (node) => {
        started.push(node);
        await Promise.resolve();
      },
      limit: 10,
      gate: {
        admits: (node) => {
          if (node !== 4 || isOpen) return true;
          kept.push(node);
          return false;
        },
        next: (isIdle) => {
          isOpen ||= isIdle || started.length >= 3;
          return isOpen ? kept.splice(0) : [];
        },
      },
    });
    expect(started).toEqual([0, 1, 2, 3, 4]);
  });

  test('starts the longest chain of dependents first, and equal ones by number', async () => {
    const started: number[] = [];
    const run = (node: number): void => void started.push(node);
    // 4 heads a chain of three, 1 one of two; 0 and 2 stand alone.
    await plan([[], [], [], [1], [], [4], [5]], { run, limit: 1 });
    expect(started).toEqual([4, 1, 5, 0, 2, 3, 6]);
  });

  test('a cost outweighs the length of a chain', async () => {
    const started: number[] = [];
    const run = (node: number): void => void started.push(node);
    await plan([[], [0], []], { run, limit: 1, cost: (node) => (node === 2 ? 5 : 1) });
    expect(started).toEqual([2, 0, 1]);
  });

  test('completes an empty graph immediately', async () => {
    expect((await plan([], { run: () => {}, limit: 1 })).counts.done).toBe(0);
  });

  test('rejects a cycle with its nodes', async () => {
    const refused = plan([[1], [2], [1]], { run: () => {}, limit: 1 });
    await expect(refused).rejects.toThrow(CycleError);
    await expect(refused).rejects.toThrow('1 → 2');
  });
});

describe('failure', () => {
  test('skips exactly the dependents of the failed node', async () => {
    const skipped: [number, number][] = [];
    const ran: number[] = [];
    const result = await plan([[], [0], [1], [], [2, 3]], {
      limit: 2,
      onSkip: (node, because) => void skipped.push([node, because]),
      run: (node) => {
        ran.push(node);
        return node === 0 ? 'failed' : undefined;
      },
    });
    expect(ran).toEqual([0, 3]);
    expect(skipped).toEqual([
      [1, 0],
      [2, 0],
      [4, 0],
    ]);
    expect([0, 1, 2, 3, 4].map((node) => result.outcome(node))).toEqual([
      'failed',
      'skipped',
      'skipped',
      'done',
      'skipped',
    ]);
  });

  test('a promise can fail a node too', async () => {
    const result = await plan([[], [0]], {
      limit: 1,
      run: async () => await Promise.resolve('failed'),
    });
    expect(result.counts).toEqual({ unstarted: 0, done: 0, failed: 1, skipped: 1 });
  });

  test('the lowest of several failed nodes is named, whichever failed first', async () => {
    const stage = new Stage();
    const skipped: [number, number][] = [];
    const onSkip = (node: number, because: number): void => void skipped.push([node, because]);
    const done = plan([[], [], [0, 1]], { run: stage.run, limit: 2, onSkip });
    await stage.end(1, 'failed');
    await stage.end(0, 'failed');
    await done;
    expect(skipped).toEqual([[2, 0]]);
  });
});

describe('faults of the caller', () => {
  test('starts nothing after an exception, and throws it once the rest has drained', async () => {
    const stage = new Stage();
    const done = plan([[], [], [], []], {
      limit: 2,
      run: (node) => {
        if (node === 1) throw new Error('broken');
        return stage.run(node);
      },
    });
    let ended = false;
    const refused = expect(done.finally(() => (ended = true))).rejects.toThrow('broken');
    await turn();
    expect(ended).toBe(false);
    await stage.end(0);
    await refused;
    expect(stage.started).toEqual([0]);
  });

  test('throws the first rejection', async () => {
    const stage = new Stage();
    const done = plan([[], []], { run: stage.run, limit: 2 });
    const refused = expect(done).rejects.toThrow('first');
    await stage.fault(1, 'first');
    await stage.fault(0, 'second');
    await refused;
  });

  test('an error of onSkip is not lost', async () => {
    const onSkip = (): void => {
      throw new Error('listener');
    };
    const run = async (): Promise<Ran> => await Promise.resolve('failed');
    await expect(plan([[], [0]], { run, limit: 1, onSkip })).rejects.toThrow('listener');
  });
});

describe('stopping', () => {
  test('starts nothing new and awaits running nodes', async () => {
    const stage = new Stage();
    const stop = new AbortController();
    const done = plan([[], [0]], { run: stage.run, limit: 1, signal: stop.signal });
    stop.abort();
    await stage.end(0);
    const result = await done;
    expect(stage.started).toEqual([0]);
    expect(result.stopped).toBe(true);
    expect(result.outcome(0)).toBe('done');
    expect(result.outcome(1)).toBe('unstarted');
  });

  test('starts nothing if it was requested beforehand', async () => {
    const stage = new Stage();
    const result = await plan([[]], { run: stage.run, limit: 1, signal: AbortSignal.abort() });
    expect(stage.started).toEqual([]);
    expect(result.counts.unstarted).toBe(1);
  });

  test('from inside a running node lets that node end', async () => {
    const stop = new AbortController();
    const result = await plan([[], []], { limit: 1, signal: stop.signal, run: () => stop.abort() });
    expect(result.counts).toEqual({ unstarted: 1, done: 1, failed: 0, skipped: 0 });
  });

  test('after the last node has started is no stop', async () => {
    const stage = new Stage();
    const stop = new AbortController();
    const done = plan([[]], { run: stage.run, limit: 1, signal: stop.signal });
    stop.abort();
    await stage.end(0);
    expect((await done).stopped).toBe(false);
  });
});

describe('turns of the event loop', () => {
  test('synchronous nodes are all run within the call, without a promise each', async () => {
    let ran = 0;
    const done = plan([[], [0], [1]], { limit: 1, run: () => void ran++ });
    expect(ran).toBe(3);
    await done;
  });

  test.each([
    ['that end at once', (): void => {}],
    ['whose promises settle at once', async (): Promise<void> => {}],
  ])('occur between many nodes %s', async (_, run) => {
    const turns = await turnsDuring({ limit: 4, run }, 5_000);
    expect(turns).toBeGreaterThanOrEqual(8);
  });

  test('occur when the time slice is used up', async () => {
    let time = 0;
    const run = (): void => void time++;
    const turns = await turnsDuring({ limit: 1, run, now: () => time, slice: 64 }, 640);
    expect(turns).toBeGreaterThanOrEqual(9);
    expect(turns).toBeLessThanOrEqual(12);
  });
});

/** Returns how often the event loop turned while unrelated nodes ran. */
async function turnsDuring(rest: Omit<Schedule, 'dependencies'>, nodes: number): Promise<number> {
  let turns = 0;
  let counting = true;
  const count = (): void => {
    turns++;
    if (counting) setImmediate(count);
  };
  setImmediate(count);
  await plan(
    Array.from({ length: nodes }, () => []),
    rest,
  );
  counting = false;
  return turns;
}

test('100,000 nodes with 200,000 edges are scheduled within the time of a test', async () => {
  const size = 100_000;
  const builder = new GraphBuilder(size);
  for (let node = 2; node < size; node++) {
    builder.addEdge(node, node >> 1);
    builder.addEdge(node, node - 2);
  }
  let ran = 0;
  await schedule({ dependencies: builder.build(), limit: 10, run: () => void ran++ });
  expect(ran).toBe(size);
});
