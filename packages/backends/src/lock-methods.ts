import {
  type Clock,
  type LockInfo,
  LockLost,
  type LockOutcome,
  type Storage,
  userErrorText,
} from '@terrane/host';
import type { LockPlace, StoredLock } from './lock-place.ts';
import { isLeaseOver, leaseWatchMs } from './lock-text.ts';

/** Combines locks in several places, acquired and released in order. */
export function lockMethods(
  places: readonly LockPlace[],
  path: string,
  clock: Clock,
): Required<Pick<Storage, 'lock' | 'unlock' | 'renew' | 'confirmLock' | 'lockHolder'>> {
  /** versions of the held lock, by place */
  const held = new Map<LockPlace, string>();
  let heldId: string | undefined;
  return {
    async lock(request) {
      const outcome = await takeAll(places, { ...request, path }, clock);
      if (!('versions' in outcome)) return outcome;
      for (const [place, version] of outcome.versions) held.set(place, version);
      const { id, lease } = outcome.info;
      heldId = id;
      return { kind: 'locked', id, ...(lease === undefined ? {} : { epoch: lease.epoch }) };
    },
    async unlock(id) {
      const problems: string[] = [];
      for (const place of places) {
        try {
          await release(place, id);
        } catch (error) {
          problems.push(userErrorText(error));
        }
        held.delete(place);
      }
      if (problems.length > 0) throw new Error(problems.join('; '));
    },
    async renew(request) {
      const info = { ...request, path };
      for (const place of places) {
        const version = held.get(place);
        if (version === undefined) throw new LockLost('no lock is held here');
        const outcome = await place.put(info, version);
        held.set(place, 'version' in outcome ? outcome.version : await stillOurs(place, info));
      }
    },
    async confirmLock() {
      for (const place of places) {
        const stored = await place.read();
        if (stored?.info.id !== heldId) throw lockLostError(stored);
      }
    },
    async lockHolder() {
      for (const place of places) {
        const stored = await place.read();
        if (stored !== undefined) return stored.info;
      }
      return undefined;
    },
  };
}

/** Reads the lock after a refused renewal; it may be our own if a response was lost. */
async function stillOurs(place: LockPlace, info: LockInfo): Promise<string> {
  const stored = await place.read();
  if (stored?.info.id === info.id) {
    const outcome = await place.put(info, stored.version);
    if ('version' in outcome) return outcome.version;
  }
  throw lockLostError(stored);
}

function lockLostError(stored: StoredLock | undefined): LockLost {
  return new LockLost(
    stored === undefined
      ? 'the lock is gone: another client has broken it'
      : `the lock has been taken over by ${stored.info.who} (${stored.info.operation}), ID ${stored.info.id}`,
  );
}

type Held = Extract<LockOutcome, { readonly kind: 'held' }>;

/** Acquires the lock in all places, or in none of them. */
async function takeAll(
  places: readonly LockPlace[],
  request: LockInfo,
  clock: Clock,
): Promise<{ readonly versions: ReadonlyMap<LockPlace, string>; readonly info: LockInfo } | Held> {
  let info = request;
  const versions = new Map<LockPlace, string>();
  const releaseAll = async (): Promise<void> => {
    for (const place of versions.keys()) await place.remove();
  };
  for (const place of places) {
    const outcome = await take(place, info, clock).catch(async (error: unknown) => {
      await releaseAll();
      throw error;
    });
    if (!('version' in outcome)) {
      await releaseAll();
      return outcome;
    }
    versions.set(place, outcome.version);
    ({ info } = outcome);
  }
  return { versions, info };
}

async function take(
  place: LockPlace,
  info: LockInfo,
  clock: Clock,
): Promise<{ readonly version: string; readonly info: LockInfo } | Held> {
  const first = await place.put(info, undefined);
  if ('version' in first) return { version: first.version, info };
  let error = first.refused;
  let stored;
  try {
    stored = await place.read();
  } catch (problem) {
    // The holder is unknown, but the lock is held.
    return { kind: 'held', error: `${error}\n${userErrorText(problem)}` };
  }
  if (stored === undefined) {
    // Released in between.
    const retried = await place.put(info, undefined);
    if ('version' in retried) return { version: retried.version, info };
    error = retried.refused;
    stored = await place.read();
  }
  if (stored === undefined) return { kind: 'held', error };
  // The response to an earlier attempt was lost.
  if (stored.info.id === info.id) return { version: stored.version, info };
  const { lease } = stored.info;
  if (lease !== undefined && info.lease !== undefined && isLeaseOver(stored.info, clock.now())) {
    // The expiry is a time of the holder's clock, which may differ from this one. A live holder renews the lock
    // meanwhile, which changes its version.
    await clock.sleep(leaseWatchMs(lease));
    const next = { ...info, lease: { ...info.lease, epoch: lease.epoch + 1 } };
    const replaced = await place.put(next, stored.version);
    if ('version' in replaced) return { version: replaced.version, info: next };
    error = replaced.refused;
    stored = (await place.read().catch(() => undefined)) ?? stored;
  }
  return { kind: 'held', error, info: stored.info };
}

/** The number of attempts at releasing a lock that changes between read and removal, as by a renewal. */
const RELEASES = 10;

async function release(place: LockPlace, id: string): Promise<void> {
  for (let attempt = 1; ; attempt++) {
    const stored = await place.read();
    if (stored === undefined) throw new Error(place.unlockProblem('gone', id, ''));
    if (stored.info.id !== id) throw new Error(place.unlockProblem('other', id, stored.info.id));
    if (await place.remove(stored.version)) return;
    if (attempt === RELEASES)
      throw new Error('the lock keeps changing while it is removed: try again');
  }
}
