import { describe, expect, it } from 'vitest';
import { untilFree } from './node-replace.ts';

/** Returns an operation that fails with a code for the given number of calls. */
function failing(
  code: string,
  times: number,
): { calls: number; readonly run: () => Promise<number> } {
  const counter = {
    calls: 0,
    run: () => {
      counter.calls += 1;
      if (counter.calls > times) return Promise.resolve(counter.calls);
      return Promise.reject(Object.assign(new Error(code), { code }));
    },
  };
  return counter;
}

describe('a file that another program has open', () => {
  it.each(['EPERM', 'EACCES', 'EBUSY'])('is tried again on Windows after %s', async (code) => {
    const operation = failing(code, 2);
    expect(await untilFree('win32', operation.run)).toBe(3);
  });

  it('is not retried on other systems, nor are other errors', async () => {
    const denied = failing('EACCES', 1);
    await expect(untilFree('linux', denied.run)).rejects.toThrow('EACCES');
    const full = failing('ENOSPC', 1);
    await expect(untilFree('win32', full.run)).rejects.toThrow('ENOSPC');
    expect([denied.calls, full.calls]).toEqual([1, 1]);
  });

  it('is reported when it stays open', async () => {
    const operation = failing('EBUSY', Infinity);
    await expect(untilFree('win32', operation.run)).rejects.toThrow('EBUSY');
    expect(operation.calls).toBe(9);
  });
});
