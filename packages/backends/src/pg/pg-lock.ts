import {
  LockLost,
  type Clock,
  type LockInfo,
  type LockOutcome,
  userErrorText,
} from '@terrane/host';
import type { PgConnection, Row } from './pg-connection.ts';
import { creationLocks, tableName, type PgTable } from './pg-table.ts';

/** The number of attempts at a lock that another session holds only while it acquires a second one. */
const MOMENTS = 20;
const MOMENT_MS = 50;

/** Dependencies of a lock. */
export interface LockPorts {
  readonly table: PgTable;
  readonly name: string;
  readonly clock: Clock;
  /** a session for queries in between */
  readonly shared: PgConnection;
  /** opens a dedicated session with an application name */
  open(application: string): PgConnection;
}

/** The prefix of the application name of sessions that hold locks, before the lock ID. */
const APPLICATION = 'terrane lock ';

/**
 * The lock of a state: an advisory lock of the server with the ID of the state's row, as in Terraform, or with the IDs
 * for creating states if there is no row. A separate session holds it, and the server releases it when the session ends
 * for any reason. While the lock is held, the state is written in that session, so that a client that lost the lock
 * cannot write.
 */
export class PgLock {
  readonly #ports: LockPorts;
  #held: { readonly id: string; readonly session: PgConnection } | undefined;
  /** the session in which a lock was not had */
  #waiting: { readonly id: string; readonly session: PgConnection } | undefined;

  constructor(ports: LockPorts) {
    this.#ports = ports;
  }

  /** The session that holds the lock, if it is held here. */
  get session(): PgConnection | undefined {
    return this.#held?.session;
  }

  async lock(info: LockInfo): Promise<LockOutcome> {
    // A retry for the same lock uses the same session.
    const waiting = this.#waiting?.id === info.id ? this.#waiting.session : undefined;
    if (waiting === undefined) await this.#waiting?.session.end();
    this.#waiting = undefined;
    const session = waiting ?? this.#ports.open(`${APPLICATION}${info.id}`);
    let problem: string | undefined;
    try {
      problem = await this.#take(session);
    } catch (error) {
      await session.end();
      throw error;
    }
    if (problem === undefined) {
      // The session of a lock that was lost, where the server still knows it.
      void this.#held?.session.end();
      this.#held = { id: info.id, session };
      return { kind: 'locked', id: info.id };
    }
    this.#waiting = { id: info.id, session };
    return { kind: 'held', error: problem, info: (await this.holder()) ?? GONE_BY_NOW };
  }

  async #take(session: PgConnection): Promise<string | undefined> {
    const { table, clock } = this.#ports;
    const locks = creationLocks(table);
    for (let attempt = 0; ; attempt++) {
      const key = await this.#rowKey(session);
      const lockRow = await this.#try(session, key, locks);
      // Between the query and the lock the row may have been created, or deleted and created again.
      const sure = lockRow === undefined && (await this.#rowKey(session)) === key;
      if (sure) return undefined;
      if (lockRow === undefined) await session.query('SELECT pg_advisory_unlock_all()');
      else if (lockRow.final || attempt >= MOMENTS) return lockRow.problem;
      await clock.sleep(MOMENT_MS);
    }
  }

  /** Returns the ID of the state's row; `undefined` if it is missing. */
  async #rowKey(session: PgConnection): Promise<string | undefined> {
    const { table, name } = this.#ports;
    const [row] = await session.query(`SELECT id FROM ${tableName(table)} WHERE name = $1`, [name]);
    return row === undefined ? undefined : String(row['id']);
  }

  /** Tries once; afterwards the session has the lock, or none and there is a problem. */
  async #try(
    session: PgConnection,
    key: string | undefined,
    locks: readonly [string, string],
  ): Promise<{ readonly problem: string; readonly final: boolean } | undefined> {
    const { name } = this.#ports;
    if (key === undefined) {
      const [lockRow] = await session.query(
        'SELECT pg_try_advisory_lock($1) AS one, pg_try_advisory_lock($2) AS other',
        locks,
      );
      if (lockRow?.['one'] === true && lockRow['other'] === true) return undefined;
      await this.#release(session, lockRow, locks, 'pg_advisory_unlock');
      return { problem: `Already locked for workspace creation: ${name}`, final: false };
    }
    // Creation locks are only tested, with a shared lock, so that concurrent clients do not block each other.
    const [lockRow] = await session.query(
      'SELECT pg_try_advisory_lock($1) AS mine, pg_try_advisory_lock_shared($2) AS one, pg_try_advisory_lock_shared($3) AS other',
      [key, ...locks],
    );
    await this.#release(session, lockRow, locks, 'pg_advisory_unlock_shared');
    if (lockRow?.['mine'] !== true)
      return { problem: `Workspace is already locked: ${name}`, final: true };
    if (lockRow['one'] === true && lockRow['other'] === true) return undefined;
    await session.query('SELECT pg_advisory_unlock($1)', [key]);
    const problem = `Cannot lock workspace; already locked for workspace creation: ${name}`;
    return { problem, final: false };
  }

  async #release(
    session: PgConnection,
    lockRow: Row | undefined,
    [first, second]: readonly [string, string],
    release: string,
  ): Promise<void> {
    if (lockRow?.['one'] === true) await session.query(`SELECT ${release}($1)`, [first]);
    if (lockRow?.['other'] === true) await session.query(`SELECT ${release}($1)`, [second]);
  }

  /** Releases the lock: that of this process by ending its session, that of another one by terminating that session. */
  async unlock(id: string): Promise<void> {
    const held = this.#held;
    if (held?.id === id) {
      this.#held = undefined;
      await held.session.end();
      return;
    }
    const rows = await this.#holders();
    const holder = rows.find((row) => infoOf(row).id === id);
    if (holder === undefined) {
      const [other] = rows;
      throw new Error(
        other === undefined
          ? `The state is not locked: nobody holds a lock with the id ${JSON.stringify(id)}.`
          : `lock id ${JSON.stringify(id)} does not match existing lock: that has the id ${JSON.stringify(infoOf(other).id)}.`,
      );
    }
    // The server may have reused the ID of an ended session.
    const [ended] = await this.#ports.shared.query(
      'SELECT pg_terminate_backend(pid) AS done FROM pg_stat_activity WHERE pid = $1 AND backend_start::text = $2',
      [holder['pid'], holder['backend_start']],
    );
    // Another force-unlock may have ended it meanwhile.
    if (ended?.['done'] !== true && (await this.#isHolder(holder['pid']))) {
      throw new Error('The server did not end the session that holds the lock.');
    }
    await this.#waitUntilEnded(holder['pid']);
  }

  async #waitUntilEnded(pid: unknown): Promise<void> {
    for (let attempt = 0; attempt < 100; attempt++) {
      if (!(await this.#isHolder(pid))) return;
      await this.#ports.clock.sleep(MOMENT_MS);
    }
    throw new Error('The session that holds the lock has not ended within five seconds.');
  }

  async #isHolder(pid: unknown): Promise<boolean> {
    return (await this.#holders()).some((row) => row['pid'] === pid);
  }

  /** Verifies that the session that holds the lock still exists. */
  async confirm(): Promise<void> {
    const session = this.#held?.session;
    if (session === undefined) throw new LockLost('The lock of the state is not held.');
    try {
      await session.query('SELECT 1');
    } catch (error) {
      throw session.lost === undefined ? error : lockLost(error);
    }
  }

  async holder(): Promise<LockInfo | undefined> {
    const [row] = await this.#holders();
    return row === undefined ? undefined : infoOf(row);
  }

  /** The sessions that hold the lock, or one of making states. */
  async #holders(): Promise<readonly Row[]> {
    const { shared, table } = this.#ports;
    const key = await this.#rowKey(shared);
    const keys = [...(key === undefined ? [] : [key]), ...creationLocks(table)];
    return await shared.query(
      `SELECT l.pid, a.usename, host(a.client_addr) AS address, a.application_name, a.backend_start::text
         FROM pg_locks l LEFT JOIN pg_stat_activity a ON a.pid = l.pid
        WHERE l.locktype = 'advisory' AND l.objsubid = 1 AND l.granted AND l.mode = 'ExclusiveLock'
          AND l.database = (SELECT oid FROM pg_database WHERE datname = current_database())
          AND ((l.classid::bigint << 32) | l.objid::bigint) = ANY($1::bigint[])
        ORDER BY ((l.classid::bigint << 32) | l.objid::bigint) DESC`,
      [keys],
    );
  }

  async close(): Promise<void> {
    const sessions = [this.#held?.session, this.#waiting?.session];
    this.#held = undefined;
    this.#waiting = undefined;
    for (const session of sessions) await session?.end();
  }
}

/** The session that held the lock has ended, and the lock with it. */
export function lockLost(cause: unknown): LockLost {
  const reason = cause instanceof Error ? `: ${userErrorText(cause)}` : '';
  return new LockLost(`The connection that held the lock of the state has broken off${reason}`, {
    cause,
  });
}

/** The server's information about a session that holds a lock; other programs store none. */
function infoOf(row: Row): LockInfo {
  const textOf = (name: string): string => {
    const value = row[name];
    return typeof value === 'string' ? value : '';
  };
  const application = textOf('application_name');
  const pid = String(row['pid']);
  const isTerrane = application.startsWith(APPLICATION);
  const address = textOf('address');
  return {
    id: isTerrane ? application.slice(APPLICATION.length) : `pid-${pid}`,
    operation: '',
    info: `session ${pid} of the PostgreSQL server${isTerrane || application === '' ? '' : `, of ${application}`}`,
    who: `${textOf('usename')}@${address === '' ? 'localhost' : address}`,
    version: '',
    created: createdAt(textOf('backend_start')),
    path: '',
  };
}

function createdAt(text: string): string {
  const at = new Date(text.replace(/([+-]\d\d)$/, '$1:00'));
  return isNaN(at.getTime()) ? '' : at.toISOString();
}

const GONE_BY_NOW: LockInfo = {
  id: 'unknown',
  operation: '',
  info: 'given back since',
  who: '',
  version: '',
  created: '',
  path: '',
};
