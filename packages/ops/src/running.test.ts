import { describe, expect, it } from 'vitest';
import { running } from './running.ts';

describe('work that is under way', () => {
  it('yields its events in order, and its result', async () => {
    const run = running<number, string>(async (emit) => {
      for (let at = 0; at < 3_000; at++) emit(at);
      await Promise.resolve();
      emit(3_000);
      return 'done';
    });
    const seen: number[] = [];
    for await (const event of run) seen.push(event);
    expect(seen).toEqual(Array.from({ length: 3_001 }, (_, at) => at));
    expect(await run.result).toBe('done');
  });

  it('continues without a reader', async () => {
    const run = running<number, number>((emit) => {
      emit(1);
      return Promise.resolve(2);
    });
    expect(await run.result).toBe(2);
    const late: number[] = [];
    for await (const event of run) late.push(event);
    expect(late).toEqual([1]);
  });

  it('is stopped softly, and awaited, when the reader leaves', async () => {
    const calls: string[] = [];
    const run = running<string, void>(async (emit, signal) => {
      emit('begun');
      await new Promise<void>((resolve) => signal.addEventListener('abort', () => resolve()));
      await new Promise((resolve) => setTimeout(resolve, 5));
      calls.push('ended');
    });
    for await (const event of run) {
      calls.push(event);
      break;
    }
    expect(calls).toEqual(['begun', 'ended']);
  });

  it('is stopped by its own method and by the signal of the caller', async () => {
    const work = (_: unknown, signal: AbortSignal): Promise<boolean> =>
      new Promise((resolve) => {
        if (signal.aborted) resolve(true);
        signal.addEventListener('abort', () => resolve(true));
      });
    const stopped = running(work);
    stopped.stop();
    expect(await stopped.result).toBe(true);
    expect(await running(work, { signal: AbortSignal.abort() }).result).toBe(true);
    const caller = new AbortController();
    const run = running(work, { signal: caller.signal });
    caller.abort();
    expect(await run.result).toBe(true);
  });

  it('throws the error of the work, after its last event', async () => {
    const run = running<number, never>((emit) => {
      emit(1);
      return Promise.reject(new Error('broken'));
    });
    const seen: number[] = [];
    const read = async (): Promise<void> => {
      for await (const event of run) seen.push(event);
    };
    await expect(read()).rejects.toThrow('broken');
    expect(seen).toEqual([1]);
    await expect(run.result).rejects.toThrow('broken');
  });

  it('keeps only the newest of unread events with the same name', async () => {
    const run = running<string, void>(
      (emit) => {
        for (const event of ['a1', 'b1', 'a2', 'a3', 'c']) emit(event);
        return Promise.resolve();
      },
      { nameOf: (event) => (event.length > 1 ? event[0] : undefined) },
    );
    await run.result;
    const seen: string[] = [];
    for await (const event of run) seen.push(event);
    expect(seen).toEqual(['a3', 'b1', 'c']);
  });
});
