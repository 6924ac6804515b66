// A sample of `npm run test:locks -- --losses`: the lock of a run is lost in the middle of an operation.
import { describe, expect, it } from 'vitest';
import { LOCK_BACKENDS } from '../locks/lock-backends.ts';
import { lossesOn } from '../locks/losses.ts';

/** Servers that stand for services, and a real one; all others are a matter of the full run. */
const SAMPLE: ReadonlySet<string> = new Set(['local', 'http', 'pg', 'kubernetes', 'oss', 'cloud']);

describe('no operation begins, no result is lost and no newer state is overwritten', () => {
  for (const backend of LOCK_BACKENDS) {
    if (!SAMPLE.has(backend.name)) continue;
    it.runIf(backend.isHere)(
      `after the lock was removed or taken by another run: ${backend.name}`,
      async () => {
        const figures = await lossesOn(backend, { losses: ['kill'], operations: [1, 2, 13, 20] });
        expect(figures).toMatchObject([{ experiments: 4, after: 0, overtaken: 2, problems: [] }]);
      },
    );
  }

  it('after a lease has ended, because the storage was not reached or the process was frozen', async () => {
    const backend = LOCK_BACKENDS.find(({ name }) => name === 'kubernetes');
    const losses = ['partition', 'expire', 'freeze'] as const;
    const figures = backend && (await lossesOn(backend, { losses, operations: [4] }));
    expect(figures).toMatchObject(
      losses.map((loss) => ({ loss, experiments: 1, after: 0, problems: [] })),
    );
  });

  it.runIf(LOCK_BACKENDS.find(({ name }) => name === 'pg')?.isHere)(
    'after a storage without leases was not reached for as long as one lasts',
    async () => {
      const backend = LOCK_BACKENDS.find(({ name }) => name === 'pg');
      const losses = ['partition'] as const;
      const figures = backend && (await lossesOn(backend, { losses, operations: [4] }));
      expect(figures).toMatchObject([{ experiments: 1, after: 0, problems: [] }]);
    },
  );
});
