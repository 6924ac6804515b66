import { describe, expect, it } from 'vitest';
import type { LockGuard } from '../state/held-lock.ts';
import { Halted, passLastLockGate, passLockGate } from './lock-gate.ts';
import type { ApplyInput } from './request.ts';

const LOST = new Error('the lease has expired');

/** A lock as the storage (`confirm`) and the clocks (`isValid`) see it. */
function lockOf(storage: 'held' | 'lost', clocks: 'valid' | 'expired'): LockGuard {
  return {
    lost: clocks === 'valid' ? new AbortController().signal : AbortSignal.abort(LOST),
    isValid: () => clocks === 'valid',
    confirm: () => (storage === 'held' ? Promise.resolve() : Promise.reject(LOST)),
  };
}

const runWith = (lock: LockGuard | undefined): { readonly request: ApplyInput } =>
  // The gates read nothing but the lock.
  ({ request: lock === undefined ? {} : { lock } }) as { readonly request: ApplyInput };

describe('the gate before a change', () => {
  it.each([
    ['no lock', undefined],
    ['a lock that the storage confirms', lockOf('held', 'expired')],
  ])('lets %s pass', async (_name, lock) => {
    expect(await passLockGate(runWith(lock))).toBeUndefined();
  });

  it('halts if the storage reports that the lock is lost', async () => {
    const passing = Promise.resolve(passLockGate(runWith(lockOf('lost', 'valid'))));
    await expect(passing).rejects.toThrow(Halted);
    await expect(passing).rejects.toMatchObject({ cause: LOST });
  });
});

describe('the gate after the intent is recorded', () => {
  it.each([
    ['no lock', undefined, 0],
    ['a lock that is valid by the clocks, without asking the storage', lockOf('lost', 'valid'), 0],
  ])('lets %s pass', async (_name, lock, undone) => {
    let count = 0;
    await passLastLockGate(runWith(lock), () => void count++);
    expect(count).toBe(undone);
  });

  it('records that nothing was begun before it halts', async () => {
    const order: string[] = [];
    const undo = async (): Promise<void> => {
      await new Promise((resolve) => setTimeout(resolve, 1));
      order.push('undone');
    };
    const passing = Promise.resolve(passLastLockGate(runWith(lockOf('held', 'expired')), undo));
    await passing.catch((error: unknown) => order.push((error as Error).name)); // it is a Halted
    expect(order).toEqual(['undone', 'Halted']);
    await expect(passing).rejects.toMatchObject({ cause: LOST });
  });
});
