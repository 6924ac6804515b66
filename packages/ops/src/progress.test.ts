import { AbsResource, ResourceAddr, ROOT_INSTANCE } from '@terrane/addresses';
import type { RunEvent } from '@terrane/engine';
import { ManualClock } from '@terrane/testkit';
import { expect, it } from 'vitest';
import { Progress } from './progress.ts';

const addr = AbsResource.of(ROOT_INSTANCE, ResourceAddr.of('managed', 'x', 'y')).instance(
  undefined,
);
const event = (kind: 'apply-start' | 'apply-complete'): RunEvent => ({
  kind,
  addr,
  action: 'create',
});

it('reports a running operation every ten seconds until it ends', async () => {
  const clock = new ManualClock();
  const emitted: RunEvent[] = [];
  const progress = new Progress(clock, (each) => void emitted.push(each));
  const running = progress.run();
  progress.emit(event('apply-start'));
  for (let turn = 0; turn < 4; turn++) await clock.advance(6000);
  progress.emit(event('apply-complete'));
  for (let turn = 0; turn < 4; turn++) await clock.advance(6000);
  progress.stop();
  await running;
  expect(
    emitted.map((each) => [each.kind, 'elapsedMs' in each ? each.elapsedMs : undefined]),
  ).toEqual([
    ['apply-start', undefined],
    ['apply-progress', 10_000],
    ['apply-progress', 20_000],
    ['apply-complete', undefined],
  ]);
});

it('reports the reason for a delay until it ends', async () => {
  const clock = new ManualClock();
  const emitted: RunEvent[] = [];
  const progress = new Progress(clock, (each) => void emitted.push(each));
  const running = progress.run();
  progress.emit(event('apply-start'));
  progress.emit({ kind: 'apply-note', addr, note: 'retrying SQS CreateQueue' });
  for (let turn = 0; turn < 2; turn++) await clock.advance(6000);
  progress.emit({ kind: 'apply-note', addr, note: '' });
  for (let turn = 0; turn < 2; turn++) await clock.advance(6000);
  progress.stop();
  await running;
  expect(emitted.map((each) => [each.kind, 'note' in each ? each.note : undefined])).toEqual([
    ['apply-start', undefined],
    ['apply-progress', 'retrying SQS CreateQueue'],
    ['apply-progress', undefined],
  ]);
});
