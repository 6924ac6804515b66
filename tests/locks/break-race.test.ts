// Simultaneous force-unlocks must not remove the lock that somebody acquires between them.
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { breakRaces } from './break-race.ts';
import { LOCK_BACKENDS } from './lock-backends.ts';

/** Locks that another process cannot remove (`local`), or whose service removes any lock (`cloud`). */
const EXEMPT: ReadonlySet<string> = new Set(['local', 'cloud']);

describe.concurrent('a delayed force-unlock leaves the next lock alone', () => {
  for (const backend of LOCK_BACKENDS.filter(({ name }) => !EXEMPT.has(name))) {
    it.runIf(backend.isHere)(
      `on ${backend.name}`,
      async () => {
        const folder = await mkdtemp(join(tmpdir(), 'terrane-break-'));
        try {
          const { requests, problems } = await breakRaces(backend, folder);
          expect(problems).toEqual([]);
          expect(requests).toBeGreaterThan(0);
        } finally {
          await rm(folder, { recursive: true, force: true });
        }
      },
      600_000,
    );
  }
});
