import { describe, expect, it } from 'vitest';
import { JOBS_TOPIC, JobQueue, POLL_MS } from './job-queue.ts';
import { Wakeups } from './wakeups.ts';

/** A database with jobs, which counts how often it is asked. */
function jobs(...names: string[]) {
  const source = {
    asked: 0,
    names,
    async take() {
      source.asked++;
      await Promise.resolve();
      return source.names.shift();
    },
  };
  return source;
}

describe('the queue of waiting agents', () => {
  it('asks once if there is no job, however many agents wait', async () => {
    const queue = new JobQueue(new Wakeups());
    const source = jobs('one', 'two');
    const results = await Promise.all(
      Array.from({ length: 50 }, () => queue.next(null, 0, source.take)),
    );
    expect(results.filter((each) => each !== undefined)).toEqual(['one', 'two']);
    expect(source.asked).toBe(3);
  });

  it('asks again after an announcement, and after a while without one', async () => {
    const wakeups = new Wakeups();
    const queue = new JobQueue(wakeups);
    const source = jobs();
    expect(await queue.next(null, 0, source.take)).toBeUndefined();
    expect(await queue.next(null, POLL_MS - 1, source.take)).toBeUndefined();
    expect(source.asked).toBe(1);
    source.names.push('new', 'newer');
    wakeups.announce(JOBS_TOPIC);
    expect(await queue.next(null, POLL_MS - 1, source.take)).toBe('new');
    expect(await queue.next(null, 2 * POLL_MS, source.take)).toBe('newer');
  });

  it('keeps the pools apart', async () => {
    const queue = new JobQueue(new Wakeups());
    expect(await queue.next('a', 0, jobs().take)).toBeUndefined();
    expect(await queue.next('b', 0, jobs('of b').take)).toBe('of b');
  });

  it('serves the next agent after a failure', async () => {
    const queue = new JobQueue(new Wakeups());
    const failed = queue.next(null, 0, () => Promise.reject(new Error('no database')));
    const next = queue.next(null, 0, jobs('one').take);
    await expect(failed).rejects.toThrow('no database');
    expect(await next).toBe('one');
  });
});

describe('wake-ups', () => {
  it('do not miss an announcement between an attempt and the wait', async () => {
    const wakeups = new Wakeups();
    let attempts = 0;
    const sleep = (): Promise<void> => Promise.reject(new Error('The attempt waits.'));
    const result = await wakeups.attempt('log', 1_000, sleep, async () => {
      await Promise.resolve();
      if (attempts++ === 0) wakeups.announce('log');
      return attempts === 2 ? 'found' : undefined;
    });
    expect(result).toBe('found');
  });

  it('end the wait of an attempt, which is made once more', async () => {
    const wakeups = new Wakeups();
    let attempts = 0;
    const sleep = (_ms: number, signal: AbortSignal): Promise<void> =>
      new Promise((resolve) => {
        signal.addEventListener('abort', () => resolve());
        wakeups.announce('log');
      });
    const attempt = (): Promise<undefined> => Promise.resolve(void attempts++);
    expect(await wakeups.attempt('log', 1_000, sleep, attempt)).toBeUndefined();
    expect(attempts).toBe(2);
  });
});

describe('wake-ups between servers', () => {
  it('reach the other servers of the channel, and not back', () => {
    const servers: ((topic: string) => void)[] = [];
    const published: string[] = [];
    const wakeups = new Wakeups({
      publish: (topic) => void published.push(topic),
      subscribe: (listener) => void servers.push(listener),
    });
    let count = 0;
    const unsubscribe = wakeups.subscribe('jobs', () => void count++);
    wakeups.announce('jobs');
    servers[0]?.('jobs');
    expect([count, published]).toEqual([2, ['jobs']]);
    unsubscribe();
    servers[0]?.('jobs');
    expect(count).toBe(2);
  });
});
