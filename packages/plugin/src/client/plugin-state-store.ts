import { quoteText } from '@terrane/cty';
import type { Type, Value } from '@terrane/cty';
import { impliedType } from '@terrane/provider';
import type {
  Answer,
  LockAnswer,
  ProviderDiagnostic,
  ProviderSchema,
  StateStore,
} from '@terrane/provider';
import type { AllCalls, StateChunk } from '../wire/messages.ts';
import type { Connection } from './connection.ts';
import { diagnosticsOf, numberOf } from './from-wire.ts';
import { failure } from './plugin-pool.ts';
import { toDynamic } from './values.ts';

/** The proposed and maximum size of the chunks in which a state is sent. */
const CHUNK_SIZE = 8 * 1024 * 1024;
const MAX_CHUNK_SIZE = 128 * 1024 * 1024;

interface Failed {
  readonly diagnostics: readonly ProviderDiagnostic[];
}

/** The interface of a state store to its provider. */
export interface StoreProvider {
  connect(call: string): Promise<Connection | Failed>;
  schema(): Promise<ProviderSchema | Failed>;
  failure(connection: Connection, call: string, error: unknown): Promise<ProviderDiagnostic>;
}

/** A state store of a provider in a separate process. */
export class PluginStateStore implements StateStore {
  readonly #type: string;
  readonly #provider: StoreProvider;
  /** agreed upon when the store was configured */
  #chunkSize: number | undefined;

  constructor(type: string, provider: StoreProvider) {
    this.#type = type;
    this.#provider = provider;
  }

  validateConfig({ config }: { readonly config: Value }): Promise<Answer> {
    return this.#call('ValidateStateStoreConfig', (type) => ({
      typeName: this.#type,
      config: toDynamic(config, type),
    })).then(failureOf);
  }

  async configure({ config }: { readonly config: Value }): Promise<Answer> {
    const answer = await this.#call('ConfigureStateStore', (type) => ({
      typeName: this.#type,
      config: toDynamic(config, type),
      capabilities: { chunkSize: CHUNK_SIZE },
    }));
    if ('failed' in answer || hasError(diagnosticsOf(answer.diagnostics))) return failureOf(answer);
    const size = numberOf(answer.capabilities?.chunkSize);
    if (size > 0 && size <= MAX_CHUNK_SIZE) {
      this.#chunkSize = size;
      return failureOf(answer);
    }
    const detail = `Expected size > 0 and <= ${MAX_CHUNK_SIZE} bytes, provider wants ${size} bytes`;
    const problem = failure('Failed to negotiate acceptable chunk size', detail);
    return { diagnostics: [...diagnosticsOf(answer.diagnostics), problem] };
  }

  async read(stateId: string): Promise<Answer & { readonly bytes?: Uint8Array }> {
    const diagnostics: ProviderDiagnostic[] = [];
    const parts: Uint8Array[] = [];
    let length = 0;
    let expected = 0;
    const target = await this.#target('ReadStateBytes');
    if ('failed' in target) return failureOf(target);
    const size = this.#chunkSize;
    if (size === undefined) return { diagnostics: [this.#unconfigured()] };
    const take = (chunk: StateChunk): 'enough' | undefined => {
      diagnostics.push(...diagnosticsOf(chunk.diagnostics));
      if (hasError(diagnostics)) return 'enough';
      const bytes = chunk.bytes ?? new Uint8Array();
      if (expected === 0) expected = numberOf(chunk.totalLength);
      const sizeProblem = oddSize(chunk, bytes.length, size, this.#type);
      if (sizeProblem !== undefined) diagnostics.push(sizeProblem);
      parts.push(Uint8Array.from(bytes));
      length += bytes.length;
      return undefined;
    };
    try {
      const request = { typeName: this.#type, stateId };
      await target.connection.stream('ReadStateBytes', request, take);
    } catch (error) {
      diagnostics.push(await this.#provider.failure(target.connection, 'ReadStateBytes', error));
    }
    if (hasError(diagnostics)) return { diagnostics };
    if (length !== expected) {
      const problem = `expected state file of total ${expected} bytes, received ${length} bytes`;
      return { diagnostics: [...diagnostics, failure(problem, '')] };
    }
    return { bytes: Buffer.concat(parts), diagnostics };
  }

  async write(stateId: string, bytes: Uint8Array): Promise<Answer> {
    const target = await this.#target('WriteStateBytes');
    if ('failed' in target) return failureOf(target);
    if (this.#chunkSize === undefined) return { diagnostics: [this.#unconfigured()] };
    const meta = { typeName: this.#type, stateId };
    try {
      return failureOf(await target.connection.writeState(chunksOf(bytes, this.#chunkSize, meta)));
    } catch (error) {
      const problem = await this.#provider.failure(target.connection, 'WriteStateBytes', error);
      return { diagnostics: [problem] };
    }
  }

  async lock(stateId: string, operation: string): Promise<LockAnswer> {
    const answer = await this.#call('LockState', () => ({
      typeName: this.#type,
      stateId,
      operation,
    }));
    return { ...failureOf(answer), lockId: 'failed' in answer ? '' : (answer.lockId ?? '') };
  }

  unlock(stateId: string, lockId: string): Promise<Answer> {
    return this.#call('UnlockState', () => ({ typeName: this.#type, stateId, lockId })).then(
      failureOf,
    );
  }

  async states(): Promise<Answer & { readonly ids: readonly string[] }> {
    const answer = await this.#call('GetStates', () => ({ typeName: this.#type }));
    return { ...failureOf(answer), ids: 'failed' in answer ? [] : [...(answer.stateId ?? [])] };
  }

  delete(stateId: string): Promise<Answer> {
    return this.#call('DeleteState', () => ({ typeName: this.#type, stateId })).then(failureOf);
  }

  #unconfigured(): ProviderDiagnostic {
    const problem = `Unable to determine chunk size for provider ${this.#type}; this is a bug in Terraform - please report it`;
    return failure(problem, '');
  }

  async #target(
    call: string,
  ): Promise<{ readonly connection: Connection; readonly type: Type } | NotAsked> {
    const schema = await this.#provider.schema();
    if (!('provider' in schema)) return notAsked(schema);
    const stores = schema.stateStores ?? {};
    const storeSchema = Object.hasOwn(stores, this.#type) ? stores[this.#type] : undefined;
    if (storeSchema === undefined) {
      const problem = failure(`unknown state store type ${quoteText(this.#type)}`, '');
      return notAsked({ diagnostics: [problem] });
    }
    const connection = await this.#provider.connect(call);
    if ('diagnostics' in connection) return notAsked(connection);
    return { connection, type: impliedType(storeSchema.block) };
  }

  async #call<K extends StoreCall>(
    call: K,
    request: (type: Type) => AllCalls[K]['request'],
  ): Promise<AllCalls[K]['response'] | NotAsked> {
    const target = await this.#target(call);
    if ('failed' in target) return target;
    try {
      return await target.connection.call(call, request(target.type));
    } catch (error) {
      const problem = await this.#provider.failure(target.connection, call, error);
      return notAsked({ diagnostics: [problem] });
    }
  }
}

type StoreCall =
  | 'ValidateStateStoreConfig'
  | 'ConfigureStateStore'
  | 'LockState'
  | 'UnlockState'
  | 'GetStates'
  | 'DeleteState';

/** A failed request with its diagnostics. */
interface NotAsked {
  readonly failed: Failed;
}

function notAsked(failed: Failed): NotAsked {
  return { failed };
}

function failureOf(
  answer: NotAsked | { readonly diagnostics?: Parameters<typeof diagnosticsOf>[0] },
): Failed {
  return 'failed' in answer ? answer.failed : { diagnostics: diagnosticsOf(answer.diagnostics) };
}

function hasError(diagnostics: readonly ProviderDiagnostic[]): boolean {
  return diagnostics.some(({ severity }) => severity === 'error');
}

/** All chunks but the last have the negotiated size, and the last is not larger. */
function oddSize(
  { totalLength, range }: StateChunk,
  actualSize: number,
  size: number,
  type: string,
): ProviderDiagnostic | undefined {
  const isLast = numberOf(range?.end) >= numberOf(totalLength) - 1;
  if (isLast ? actualSize <= size : actualSize === size) return undefined;
  const warning = (summary: string, detail: string): ProviderDiagnostic => ({
    severity: 'warning',
    summary,
    detail: `${detail}; this is a bug in the provider ${type} - please report it there`,
    sourceless: true,
  });
  return isLast
    ? warning(
        'Unexpected size of last chunk received',
        `Last chunk exceeded agreed size, expected ${size}, given ${actualSize}`,
      )
    : warning(
        'Unexpected size of chunk received',
        `Unexpected chunk of size ${actualSize} was received, expected ${size}`,
      );
}

/** Yields the chunks of a state; the first contains its identification. */
function* chunksOf(
  bytes: Uint8Array,
  size: number,
  meta: NonNullable<StateChunk['meta']>,
): Iterable<StateChunk> {
  for (let start = 0; start < bytes.length; start += size) {
    const part = bytes.subarray(start, start + size);
    yield {
      ...(start === 0 ? { meta } : {}),
      bytes: part,
      totalLength: bytes.length,
      range: { start, end: start + part.length - 1 },
    };
  }
}
