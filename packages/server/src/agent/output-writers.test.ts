import { expect, it } from 'vitest';
import type { AgentJob } from '../services/jobs.ts';
import { LARGEST_LOG } from '../services/logs.ts';
import { EventWriter } from './event-writer.ts';
import { LogWriter } from './log-writer.ts';

// Nothing else of a job is used.
const jobAt = (logOffset: number): AgentJob => ({ id: 'job-1', logOffset }) as unknown as AgentJob;

/** A clock whose sleeps end when the test says so, or their signal is aborted. */
class ManualClock {
  readonly sleeps: number[] = [];
  #wake: (() => void) | undefined;

  sleep = async (ms: number, signal?: AbortSignal): Promise<void> => {
    this.sleeps.push(ms);
    await new Promise<void>((resolve, reject) => {
      this.#wake = resolve;
      signal?.addEventListener('abort', () => reject(new Error('aborted')));
    });
  };

  /** Ends the current sleep, and runs everything that follows from it. */
  async pass(): Promise<void> {
    this.#wake?.();
    await new Promise(setImmediate);
  }
}

function logAt(offset: number, putLog?: () => Promise<void>) {
  const clock = new ManualClock();
  const sent: [number, string][] = [];
  const client = {
    async putLog(_job: AgentJob, at: number, bytes: Uint8Array) {
      await putLog?.();
      sent.push([at, Buffer.from(bytes).toString()]);
    },
  };
  return { clock, sent, log: new LogWriter(client, jobAt(offset), clock) };
}

it('sends the first output almost at once, and collects what follows', async () => {
  const { clock, sent, log } = logAt(5);
  log.write('one ');
  log.write('two ');
  expect(sent).toEqual([]);
  await clock.pass();
  expect(sent).toEqual([[5, 'one two ']]);
  log.write('three ');
  log.write('four');
  await new Promise(setImmediate);
  expect(sent).toHaveLength(1);
  await clock.pass();
  expect(sent.slice(1)).toEqual([[13, 'three four']]);
  await clock.pass();
  log.write('!');
  await clock.pass();
  expect(sent.slice(2)).toEqual([[23, '!']]);
  expect(clock.sleeps).toEqual([5, 100, 100, 5, 100]);
});

it('ends pauses when the log is flushed', async () => {
  const { sent, log } = logAt(0);
  log.write('\u0002text\u0003');
  await log.flush();
  expect(sent).toEqual([[0, '\uFFFDtext\uFFFD']]);
  log.write('more');
  await log.flush();
  expect(sent).toHaveLength(2);
});

it('reports a failure when the log is flushed, and sends nothing more', async () => {
  const { sent, log } = logAt(0, () => Promise.reject(new Error('gone')));
  log.write('text');
  await expect(log.flush()).rejects.toThrow('gone');
  log.write('text');
  await expect(log.flush()).rejects.toThrow('gone');
  expect(sent).toEqual([]);
});

it('replaces output beyond the limit of a log by a note', async () => {
  const { sent, log } = logAt(LARGEST_LOG - 400);
  log.write('a'.repeat(100));
  log.write('b'.repeat(400));
  log.write('c');
  await log.flush();
  const text = sent.map(([, piece]) => piece).join('');
  expect(text).toMatch(/^a{100}\n\nThe log of a run is limited to 64 MB\. [^abc]*Further output/);
  expect(text.endsWith('is not part of it.\n')).toBe(true);
});

it('divides events by their number and size, and shortens what is too large', async () => {
  const clock = new ManualClock();
  const sent: (readonly unknown[])[] = [];
  const numbers: number[] = [];
  const events = new EventWriter(
    {
      putEvents(_job, first, list) {
        numbers.push(first);
        sent.push(list);
        return Promise.resolve();
      },
    },
    jobAt(0),
    clock,
  );
  for (let index = 0; index < 250; index++) events.write({ index }, 12);
  events.write({ large: 1 }, 700_000);
  events.write({ large: 2 }, 700_000);
  events.write({ type: 'log', '@message': 'x'.repeat(5_000) }, 2_000_000);
  await events.flush();
  expect(sent.map((list) => list.length)).toEqual([200, 51, 2]);
  expect(numbers).toEqual([0, 200, 251]);
  expect(sent[2]?.[1]).toEqual({
    '@level': undefined,
    '@message': `${'x'.repeat(1_000)} […]`,
    '@timestamp': undefined,
    type: 'log',
  });
});
