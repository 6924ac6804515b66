import type { Type } from '@terrane/cty';
import type { StateStore } from '@terrane/provider';
import { numberOf } from '../client/from-wire.ts';
import { fromDynamic } from '../client/values.ts';
import type { StateChunk, Streams } from '../wire/messages.ts';
import { diagnosticsOf, Refused, unsupportedError } from './answering.ts';
import type { Answering, CallHandlers } from './answering.ts';
import { wireDiagnostics } from './to-wire.ts';

/** The default chunk size of a state. */
const CHUNK_SIZE = 8 * 1024 * 1024;
/** The maximum chunk size that a caller may propose. */
const MAX_CHUNK_SIZE = 128 * 1024 * 1024;

interface StoredStore {
  readonly store: StateStore;
  readonly type: Type;
  /** agreed upon when the store was configured */
  chunkSize: number | undefined;
}

/** The state stores of a provider, each of which is configured once and used repeatedly. */
export class StateStores {
  readonly #answering: Answering;
  readonly #kept = new Map<string, StoredStore>();

  constructor(answering: Answering) {
    this.#answering = answering;
  }

  /** Returns a store with the type of its configuration. @throws Refused if the type does not exist */
  async find(name: string): Promise<StoredStore> {
    const existing = this.#kept.get(name);
    if (existing !== undefined) return existing;
    const { type } = await this.#answering.target('stateStores', name);
    const store = this.#answering.provider.stateStore?.(name);
    if (store === undefined) throw unsupportedError('state stores');
    const kept = { store, type, chunkSize: undefined };
    this.#kept.set(name, kept);
    return kept;
  }

  /** Returns a configured store. @throws Refused if it is not configured */
  async configured(name: string): Promise<StoredStore & { readonly chunkSize: number }> {
    const { chunkSize, ...kept } = await this.find(name);
    if (chunkSize !== undefined) return { ...kept, chunkSize };
    throw new Refused(
      'State Store Not Configured',
      `The state store ${name} was asked for a state before it was configured. This is a bug in the program that asked, which should be reported to its developers.`,
    );
  }
}

/** Returns the handlers of unary calls about state stores. */
export function stateStoreCalls(
  stores: StateStores,
): Pick<
  CallHandlers,
  | 'ValidateStateStoreConfig'
  | 'ConfigureStateStore'
  | 'LockState'
  | 'UnlockState'
  | 'GetStates'
  | 'DeleteState'
> {
  return {
    ValidateStateStoreConfig: async ({ typeName, config }) => {
      const { store, type } = await stores.find(typeName);
      return diagnosticsOf(await store.validateConfig({ config: fromDynamic(config, type) }));
    },
    ConfigureStateStore: async ({ typeName, config, capabilities }) => {
      const existing = await stores.find(typeName);
      const answer = await existing.store.configure({ config: fromDynamic(config, existing.type) });
      const proposed = numberOf(capabilities?.chunkSize);
      const chunkSize = proposed > 0 ? Math.min(proposed, MAX_CHUNK_SIZE) : CHUNK_SIZE;
      const { diagnostics } = diagnosticsOf(answer);
      if (!(answer.diagnostics ?? []).some(({ severity }) => severity === 'error')) {
        existing.chunkSize = chunkSize;
      }
      return { diagnostics, capabilities: { chunkSize } };
    },
    LockState: async ({ typeName, stateId, operation }) => {
      const { store } = await stores.configured(typeName);
      const answer = await store.lock(stateId, operation);
      return { ...diagnosticsOf(answer), lockId: answer.lockId };
    },
    UnlockState: async ({ typeName, stateId, lockId }) => {
      const { store } = await stores.configured(typeName);
      return diagnosticsOf(await store.unlock(stateId, lockId));
    },
    GetStates: async ({ typeName }) => {
      const { store } = await stores.configured(typeName);
      const answer = await store.states();
      return { ...diagnosticsOf(answer), stateId: answer.ids };
    },
    DeleteState: async ({ typeName, stateId }) => {
      const { store } = await stores.configured(typeName);
      return diagnosticsOf(await store.delete(stateId));
    },
  };
}

/** Yields a state in chunks of the negotiated size; nothing if the state does not exist. */
export async function readState(
  stores: StateStores,
  { typeName, stateId }: Streams['ReadStateBytes']['request'],
  send: (chunk: StateChunk) => Promise<void>,
): Promise<void> {
  const { store, chunkSize } = await stores.configured(typeName);
  const answer = await store.read(stateId);
  const { bytes = new Uint8Array() } = answer;
  // Diagnostics are sent with the first chunk, or alone if there is no state.
  let diagnostics = wireDiagnostics(answer.diagnostics);
  const totalLength = bytes.length;
  for (let start = 0; start < totalLength || diagnostics.length > 0; start += chunkSize) {
    const part = bytes.subarray(start, start + chunkSize);
    const range = { start, end: Math.max(start + part.length - 1, 0) };
    await send({ bytes: part, totalLength, range, diagnostics });
    diagnostics = [];
  }
}

/** Assembles a state from its chunks and stores it once it is complete. @throws Refused for an incomplete state */
export async function writeState(
  stores: StateStores,
  chunks: readonly StateChunk[],
): Promise<ReturnType<typeof diagnosticsOf>> {
  const { typeName = '', stateId = '' } = chunks[0]?.meta ?? {};
  if (typeName === '' || stateId === '') {
    throw notWritten('The first part of it does not say which state it is');
  }
  const { store, chunkSize } = await stores.configured(typeName);
  const total = numberOf(chunks[0]?.totalLength);
  const parts: Uint8Array[] = [];
  let length = 0;
  for (const { bytes = new Uint8Array(), range } of chunks) {
    if (numberOf(range?.start) !== length) {
      throw notWritten(
        `A part of it begins at byte ${numberOf(range?.start)}, where ${length} was expected`,
      );
    }
    if (bytes.length > chunkSize) {
      throw notWritten(`A part of it has ${bytes.length} bytes, more than the ${chunkSize} agreed`);
    }
    parts.push(bytes);
    length += bytes.length;
  }
  if (length !== total) throw notWritten(`${length} bytes of it arrived, of ${total}`);
  return diagnosticsOf(await store.write(stateId, Buffer.concat(parts, length)));
}

function notWritten(reason: string): Refused {
  return new Refused(
    'Error Writing State',
    `A state was not stored, since it did not arrive whole: ${reason}. This is a bug in the program that sent it, which should be reported to its developers.`,
  );
}
