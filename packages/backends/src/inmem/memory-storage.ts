import {
  LockLost,
  type LockInfo,
  type LockOutcome,
  type SideStorage,
  type Storage,
} from '@terrane/host';
import { StateConflict } from '../backend.ts';

interface StoredState {
  bytes: Uint8Array | undefined;
  lock: LockInfo | undefined;
  readonly sides: Map<string, Uint8Array>;
}

/** The in-memory states of Terraform's `inmem` backend, by name. */
export class MemoryStates {
  readonly #states: Map<string, StoredState> = new Map();

  /** Names of all states, sorted, the default one first. */
  names(): readonly string[] {
    const others = [...this.#states.keys()].filter((name) => name !== 'default').sort();
    return ['default', ...others];
  }

  /** Forgets a state. */
  delete(name: string): void {
    this.#states.delete(name);
  }

  /** Locks a state as if another process had. */
  lock(name: string, id: string, now: Date): void {
    this.storage(name);
    const state = this.#states.get(name);
    if (state === undefined || state.lock !== undefined) return;
    const created = now.toISOString();
    state.lock = {
      id,
      operation: 'test',
      info: 'test config',
      who: '',
      version: '',
      created,
      path: '',
    };
  }

  /** The storage of one state; all storages of one name share it. */
  storage(name: string): Storage {
    let state = this.#states.get(name);
    if (state === undefined) {
      state = { bytes: undefined, lock: undefined, sides: new Map() };
      this.#states.set(name, state);
    }
    return storageOf(state);
  }

  /** The storage of further data of a state. */
  sideStorage(name: string): SideStorage {
    this.storage(name);
    const sides = this.#states.get(name)?.sides ?? new Map<string, Uint8Array>();
    return {
      read: (side) => Promise.resolve(sides.get(side)),
      write(side, content) {
        sides.set(side, content);
        return Promise.resolve();
      },
      remove(side) {
        sides.delete(side);
        return Promise.resolve();
      },
    };
  }
}

/** One process's storage of a state. */
function storageOf(shared: StoredState): Storage {
  let heldId: string | undefined;
  let known: Uint8Array | undefined | 'unread' = 'unread';
  return {
    read() {
      known = shared.bytes;
      return Promise.resolve(shared.bytes);
    },
    async write(data, beforeCommit) {
      const bytes = await concatenate(data);
      await beforeCommit?.();
      if (known !== 'unread' && known !== shared.bytes) {
        throw new StateConflict(
          'The state in memory has been written by another client since it was read here.',
        );
      }
      shared.bytes = bytes;
      known = bytes;
    },
    lock(info): Promise<LockOutcome> {
      if (shared.lock !== undefined) {
        return Promise.resolve({
          kind: 'held',
          error: 'state locked',
          info: shared.lock,
        });
      }
      shared.lock = info;
      heldId = info.id;
      return Promise.resolve({ kind: 'locked', id: info.id });
    },
    confirmLock() {
      const { lock } = shared;
      if (lock !== undefined && lock.id === heldId) return Promise.resolve();
      return Promise.reject(new LockLost('the lock of the state in memory has been removed'));
    },
    lockHolder: () => Promise.resolve(shared.lock),
    unlock(id) {
      if (shared.lock?.id !== id) return Promise.reject(new Error('state not locked'));
      shared.lock = undefined;
      return Promise.resolve();
    },
  };
}

async function concatenate(data: Iterable<Uint8Array>): Promise<Uint8Array> {
  const chunks: Uint8Array[] = [];
  for (const chunk of data) {
    chunks.push(chunk);
    await Promise.resolve();
  }
  return new Uint8Array(Buffer.concat(chunks));
}
