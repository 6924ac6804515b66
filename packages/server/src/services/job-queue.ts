import type { Wakeups } from './wakeups.ts';

/** The topic of new jobs, which waiting agents listen to. */
export const JOBS_TOPIC = 'jobs';
/** The database is asked this often without an announcement: one of another server may have been lost. */
export const POLL_MS = 1_000;

/** Returns true for a time of the last second. A clock that is set back must not make it recent for longer. */
const isRecent = (time: number, now: number): boolean => Math.abs(now - time) < POLL_MS;

interface Pool {
  /** resolves when the database has answered for the previous agent */
  turn: Promise<void>;
  /** the revision at which there was no job */
  emptyRevision: number;
  checkedAt: number;
}

/**
 * Decides when the waiting agents of this process ask the database for jobs. However many wait, one at a time asks, and
 * the others do not if it finds nothing.
 */
export class JobQueue {
  readonly #pools = new Map<string | null, Pool>();
  #revision = 0;
  #recoveredAt = -Infinity;

  constructor(wakeups: Pick<Wakeups, 'subscribe'>) {
    wakeups.subscribe(JOBS_TOPIC, () => void this.#revision++);
  }

  /** Grows with each announcement of jobs. */
  get revision(): number {
    return this.#revision;
  }

  /** Calls `take` when it is the turn of the agent, unless the pool is known to be empty. */
  async next<Job>(
    poolId: string | null,
    now: number,
    take: () => Promise<Job | undefined>,
  ): Promise<Job | undefined> {
    const pool = this.#pools.get(poolId) ?? {
      turn: Promise.resolve(),
      emptyRevision: -1,
      checkedAt: -Infinity,
    };
    this.#pools.set(poolId, pool);
    const attempt = this.#attempt(pool, pool.turn, now, take);
    pool.turn = attempt.then(
      () => undefined,
      () => undefined,
    );
    return await attempt;
  }

  async #attempt<Job>(
    pool: Pool,
    before: Promise<void>,
    now: number,
    take: () => Promise<Job | undefined>,
  ): Promise<Job | undefined> {
    await before;
    const revision = this.#revision;
    if (pool.emptyRevision === revision && isRecent(pool.checkedAt, now)) return undefined;
    const job = await take();
    if (job === undefined) [pool.emptyRevision, pool.checkedAt] = [revision, now];
    return job;
  }

  /** Returns true if it is time to look for jobs whose agents are silent; then not again for a moment. */
  isRecoveryDue(now: number): boolean {
    if (isRecent(this.#recoveredAt, now)) return false;
    this.#recoveredAt = now;
    return true;
  }
}
