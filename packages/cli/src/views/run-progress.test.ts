import { AbsResource, ResourceAddr, ROOT_INSTANCE } from '@terrane/addresses';
import type { RunEvent } from '@terrane/engine';
import { displayWidth } from '@terrane/render';
import { describe, expect, it } from 'vitest';
import { liveLines } from './live-lines.ts';
import { RunProgress } from './run-progress.ts';

const instance = (name: string, key?: number) =>
  AbsResource.of(ROOT_INSTANCE, ResourceAddr.of('managed', 'x_y', name)).instance(key);

const event = (
  kind: 'apply-start' | 'apply-complete' | 'apply-errored',
  name: string,
  key?: number,
): RunEvent => ({ kind, addr: instance(name, key), action: 'create' });

/** A plan that creates things, each after those whose positions it names. */
const creates = (...steps: readonly (readonly [string, ...number[]])[]) => ({
  invocations: [],
  steps: steps.map(([name, ...after], id) => ({
    id,
    after,
    kind: 'create' as const,
    addr: instance(name),
  })),
});

function progressAt(parallelism = 10): { progress: RunProgress; pass: (ms: number) => void } {
  let now = 0;
  return {
    progress: new RunProgress(() => now, parallelism),
    pass: (ms) => void (now += ms),
  };
}

const size = { columns: 80, rows: 24, color: false, nowMs: 0 };

describe('how far a run is', () => {
  it('counts the planned operations and the finished ones', () => {
    const { progress } = progressAt();
    progress.start(creates(['a'], ['b', 0]), new Map());
    expect([progress.done, progress.total]).toEqual([0, 2]);
    progress.event(event('apply-start', 'a'));
    expect(progress.running.map(({ address }) => address)).toEqual(['x_y.a']);
    progress.event(event('apply-complete', 'a'));
    progress.event(event('apply-start', 'b'));
    progress.event(event('apply-errored', 'b'));
    expect([progress.done, progress.total, progress.running]).toEqual([2, 2, []]);
  });

  it('ignores ends without a beginning', () => {
    const { progress } = progressAt();
    progress.start(creates(['a']), new Map());
    progress.event(event('apply-complete', 'a'));
    expect(progress.done).toBe(0);
  });

  it('estimates the longest remaining chain', () => {
    const { progress, pass } = progressAt();
    const timings = new Map([
      ['create x_y.a', 10_000],
      ['create x_y.b', 20_000],
      ['create x_y.c', 5000],
    ]);
    progress.start(creates(['a'], ['b', 0], ['c']), timings);
    progress.event(event('apply-start', 'a'));
    progress.event(event('apply-start', 'c'));
    expect(progress.remainingMs).toBe(30_000);
    pass(4000);
    expect(progress.remainingMs).toBe(26_000);
    pass(8000);
    // An operation that takes longer than last time is about to end.
    expect(progress.remainingMs).toBe(20_000);
    progress.event(event('apply-complete', 'a'));
    pass(1000);
    expect(progress.remainingMs).toBe(20_000);
  });

  it('estimates by the work where only few things are done at a time', () => {
    const { progress } = progressAt(2);
    const timings = new Map([['create x_y.other[0]', 6000]]);
    progress.start(creates(['a'], ['b'], ['c'], ['d']), timings);
    expect(progress.remainingMs).toBe(12_000);
  });

  it('estimates nothing where little is known', () => {
    const { progress } = progressAt();
    progress.start(creates(['a'], ['b']), new Map([['create z_z.a', 1000]]));
    expect(progress.remainingMs).toBeUndefined();
  });
});

describe('the lines of a live view', () => {
  it('show nothing where nothing is in progress, and in terminals without room', () => {
    const { progress } = progressAt();
    expect(liveLines(progress, size)).toEqual([]);
    progress.event(event('apply-start', 'a'));
    expect(liveLines(progress, { ...size, rows: 5 })).toEqual([]);
    expect(liveLines(progress, { ...size, columns: 19 })).toEqual([]);
    expect(liveLines(progress, size)).toEqual([
      '  ⠋ x_y.a: creating, 0s',
      '  0 done, 1 in progress, 0s elapsed',
    ]);
  });

  it('are never wider than the terminal, with any characters', () => {
    const { progress } = progressAt();
    progress.start(creates(['a'], ['資源資源資源資源資源資源資源']), new Map());
    progress.event(event('apply-start', '資源資源資源資源資源資源資源'));
    for (let columns = 20; columns < 60; columns++) {
      for (const line of liveLines(progress, { ...size, columns })) {
        expect(displayWidth(line)).toBeLessThan(columns);
      }
    }
  });

  it('leave half of the terminal to other output', () => {
    const { progress } = progressAt();
    for (let i = 0; i < 30; i++) progress.event(event('apply-start', 'a', i));
    const lines = liveLines(progress, { ...size, rows: 12 });
    expect(lines).toHaveLength(6);
    expect(lines.slice(-2)).toEqual(['    and 26 more', '  0 done, 30 in progress, 0s elapsed']);
  });
});
