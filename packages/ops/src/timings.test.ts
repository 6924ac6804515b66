import { AbsResource, ResourceAddr, ROOT_INSTANCE } from '@terrane/addresses';
import type { RunEvent } from '@terrane/engine';
import { expect, it } from 'vitest';
import { readTimings, TimingsRecorder, timingsPath } from './timings.ts';

const done = (name: string, elapsedMs: number): RunEvent => ({
  kind: 'apply-complete',
  action: 'create',
  addr: AbsResource.of(ROOT_INSTANCE, ResourceAddr.of('managed', 'x', name)).instance(undefined),
  elapsedMs,
});

const holding = (text: string) => ({ readText: () => Promise.resolve(text) });

async function saved(recorder: TimingsRecorder): Promise<string> {
  let text = '';
  await recorder.save(
    {
      replaceFile: (_, data) => {
        text = String(data);
        return Promise.resolve();
      },
    },
    'x',
  );
  return text;
}

it('stand beside the journal', () => {
  expect(timingsPath('d/.terraform.tfstate.journal')).toBe('d/.terraform.tfstate.timings');
});

it('keep earlier durations and add those of the run', async () => {
  const recorder = new TimingsRecorder(new Map([['create x.a', 1]]));
  expect(await saved(recorder)).toBe('');
  recorder.event(done('b', 2.4));
  recorder.event(done('a', 3));
  const text = await saved(recorder);
  expect(text).toBe('{"version":1,"milliseconds":{"create x.b":2,"create x.a":3}}\n');
  expect([...(await readTimings(holding(text), 'x'))]).toEqual([
    ['create x.b', 2],
    ['create x.a', 3],
  ]);
});

it.each(['', '[]', 'null', '{"version":2}', '{"version":1,"milliseconds":{"a":"b","c":-1}}'])(
  '%j has none',
  async (text) => {
    expect((await readTimings(holding(text), 'x')).size).toBe(0);
  },
);

it('the oldest go', async () => {
  const recorder = new TimingsRecorder(new Map([['create x.first', 1]]));
  for (let i = 0; i < 5000; i++) recorder.event(done(`r${i}`, 1));
  const timings = await readTimings(holding(await saved(recorder)), 'x');
  expect(timings.size).toBe(5000);
  expect(timings.has('create x.first')).toBe(false);
});

it('that cannot be stored are no error', async () => {
  const recorder = new TimingsRecorder(new Map());
  recorder.event(done('a', 1));
  await expect(
    recorder.save({ replaceFile: () => Promise.reject(new Error('full')) }, 'x'),
  ).resolves.toBeUndefined();
});
