import {
  LockLost,
  type Clock,
  type LockInfo,
  type LockOutcome,
  userErrorText,
} from '@terrane/host';
import { lockText, parseLock } from '../lock-text.ts';
import type { ConsulClient } from './consul-client.ts';

/** The duration of a session without renewal, with the minimum and the maximum that Consul allows. */
const SESSION_MS = { usual: 30_000, shortest: 10_000, longest: 86_400_000 };
/** Consul's lock delay: the time for which a lock stays held after its session was lost. */
const LOCK_DELAY = '5s';
const DELAY_MS = 8_000;
const PAUSE_MS = 500;
/** The flags of locks of Consul's own clients (`LockFlagValue` of its API library). */
const LOCK_FLAGS = '3304740253564472346';

/** The lock of one state: a key that a session holds, renewed while it is held, as Terraform takes it. */
export class ConsulLock {
  readonly #client: ConsulClient;
  readonly #clock: Clock;
  readonly #path: string;
  /** The session that holds the lock here. */
  #session: string | undefined;

  constructor(client: ConsulClient, clock: Clock, path: string) {
    this.#client = client;
    this.#clock = clock;
    this.#path = path.replace(/\/+$/, '');
  }

  /** The key that is the lock. */
  get key(): string {
    return `${this.#path}/.lock`;
  }

  get #infoKey(): string {
    return `${this.#path}/.lockinfo`;
  }

  /** The session that holds the lock here. */
  get session(): string | undefined {
    return this.#session;
  }

  async lock(info: LockInfo, path: string): Promise<LockOutcome> {
    const { usual, shortest, longest } = SESSION_MS;
    const leaseMs = Math.min(Math.max(info.lease?.ms ?? usual, shortest), longest);
    const session = await this.#client.createSession({
      Name: 'Consul API Lock',
      TTL: `${leaseMs / 1000}s`,
      LockDelay: LOCK_DELAY,
    });
    try {
      const holder = await this.#acquire(session);
      if (holder !== undefined) {
        await this.#client.destroySession(session);
        const error = 'the state is locked by a session of Consul';
        return { kind: 'held', error, info: (await this.holder()) ?? holder };
      }
      const { lease: _, ...lock } = info;
      const lockInfo: LockInfo = { ...lock, id: session, info: `consul session: ${session}`, path };
      await this.#client.put(this.#infoKey, lockText(lockInfo));
    } catch (error) {
      await this.#client.destroySession(session).catch(() => undefined);
      throw error;
    }
    this.#session = session;
    return { kind: 'locked', id: session, leaseMs };
  }

  /**
   * Tries to acquire the lock; returns the other holder, if any. After a lost session Consul refuses the lock for some
   * seconds.
   */
  async #acquire(session: string): Promise<LockInfo | undefined> {
    const until = this.#clock.monotonicMs() + DELAY_MS;
    for (;;) {
      if (await this.#client.put(this.key, '', { acquire: session, flags: LOCK_FLAGS }))
        return undefined;
      const holder = (await this.#client.get(this.key))?.session;
      if (holder !== undefined || this.#clock.monotonicMs() > until) {
        return { ...UNTOLD, id: holder ?? 'unknown' };
      }
      await this.#clock.sleep(PAUSE_MS);
    }
  }

  async unlock(id: string): Promise<void> {
    if (this.#session !== id) {
      await this.#break(id);
      return;
    }
    this.#session = undefined;
    try {
      await this.#deleteInfo(id);
      if (!(await this.#client.put(this.key, '', { release: id, flags: LOCK_FLAGS })))
        throw sessionLost();
      const entry = await this.#client.get(this.key);
      if (entry !== undefined && entry.session === undefined)
        await this.#client.delete(this.key, { cas: String(entry.modifyIndex) });
    } finally {
      await this.#client.destroySession(id).catch(() => undefined);
    }
  }

  async #break(id: string): Promise<void> {
    const holder = (await this.#client.get(this.key))?.session;
    if (holder !== id) {
      throw new Error(
        holder === undefined
          ? 'The state is not locked.'
          : `lock id ${JSON.stringify(id)} does not match existing lock: that has the id ${JSON.stringify(holder)}.`,
      );
    }
    await this.#client.destroySession(id);
    const entry = await this.#client.get(this.key);
    if (entry !== undefined && entry.session === undefined) {
      await this.#client.delete(this.key, { cas: String(entry.modifyIndex) });
    }
    await this.#deleteInfo(id);
  }

  /** Deletes the information about the lock of a session, unless the next holder has replaced it. */
  async #deleteInfo(session: string): Promise<void> {
    const info = await this.#client.get(this.#infoKey);
    if (info === undefined || !new TextDecoder().decode(info.value).includes(session)) return;
    await this.#client.delete(this.#infoKey, { cas: String(info.modifyIndex) });
  }

  /** Extends the session. */
  async renew(): Promise<void> {
    const session = this.#session;
    if (session === undefined) throw new LockLost('The lock of the state is not held.');
    if (!(await this.#client.renewSession(session))) throw sessionLost();
  }

  /** Verifies that the session still holds the lock. */
  async confirm(): Promise<void> {
    const holder = (await this.#client.get(this.key))?.session;
    if (holder === undefined || holder !== this.#session) throw sessionLost();
  }

  async holder(): Promise<LockInfo | undefined> {
    const session = (await this.#client.get(this.key))?.session;
    if (session === undefined) return undefined;
    const entry = await this.#client.get(this.#infoKey);
    if (entry === undefined) return { ...UNTOLD, id: session };
    try {
      return { ...parseLock(new TextDecoder().decode(entry.value)).info, id: session };
    } catch (error) {
      throw new Error(`error unmarshaling lock info: ${userErrorText(error)}`, { cause: error });
    }
  }
}

/** Consul has ended the session that held the lock. */
export function sessionLost(): LockLost {
  return new LockLost(
    'consul lock was lost: its session has ended, because it could not be renewed in time or another client has ended it',
  );
}

const UNTOLD: LockInfo = {
  id: '',
  operation: '',
  info: '',
  who: '',
  version: '',
  created: '',
  path: '',
};
