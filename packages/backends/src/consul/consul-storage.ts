import { createHash } from 'node:crypto';
import { promisify } from 'node:util';
import { gunzip, gzip } from 'node:zlib';
import { StateConflict } from '../backend.ts';
import { joined } from '../joined.ts';
import { ConsulError, type ConsulClient, type Operation, type Pair } from './consul-client.ts';
import { sessionLost, type ConsulLock } from './consul-lock.ts';

/** Consul's default limit for a value. */
const CHUNK_BYTES = 524_288;
const GZIP_FIRST_BYTE = 0x1f;
const ATTEMPTS = 3;

/** The index of a state that is split into several keys. */
interface Chunked {
  readonly hash: string;
  readonly chunks: readonly string[];
}

/** The state at a path: in a single key, or in several if it is too large, as in Terraform. */
export class ConsulState {
  readonly #client: ConsulClient;
  readonly #path: string;
  readonly #compresses: boolean;
  readonly #lock: ConsulLock;
  /** the modification index of the key when last read; 0 if it was missing */
  #index: number | undefined;

  constructor(client: ConsulClient, path: string, compresses: boolean, lock: ConsulLock) {
    this.#client = client;
    this.#path = path;
    this.#compresses = compresses;
    this.#lock = lock;
  }

  async read(): Promise<Uint8Array | undefined> {
    for (let attempt = 1; ; attempt++) {
      const pair = await this.#client.get(this.#path);
      this.#index = pair?.modifyIndex ?? 0;
      if (pair === undefined) return undefined;
      const chunked = chunkedBy(pair);
      if (chunked === undefined) return await uncompressed(pair.value);
      const parts: Uint8Array[] = [];
      let missing: string | undefined;
      for (const key of chunked.chunks) {
        const part = await this.#client.get(key);
        if (part === undefined) missing = key;
        else parts.push(part.value);
      }
      if (missing === undefined) {
        const state = await uncompressed(Buffer.concat(parts));
        if (state !== undefined && md5Of(state) === chunked.hash) return state;
        throw new Error('The remote state does not match the expected hash');
      }
      // Another client may have replaced the state meanwhile.
      if (attempt === ATTEMPTS)
        throw new Error(`Key ${JSON.stringify(missing)} could not be found`);
    }
  }

  async write(data: Iterable<Uint8Array>, beforeCommit?: () => Promise<void>): Promise<void> {
    const state = joined(data);
    const payload = this.#compresses ? await promisify(gzip)(state) : state;
    const old = await this.#client.get(this.#path);
    const before = old === undefined ? undefined : chunkedBy(old);
    const hash = md5Of(state);
    if (payload.length > CHUNK_BYTES) {
      await this.#storeChunks(payload, hash, beforeCommit);
    } else {
      await beforeCommit?.();
      try {
        await this.#store(payload);
      } catch (error) {
        // Consul limits the size of the request, which is a third larger than the state because of base64.
        if (!(error instanceof ConsulError) || !/too large/.test(error.message)) throw error;
        await this.#storeChunks(payload, hash, undefined);
      }
    }
    // Leftover chunks do no harm.
    if (before !== undefined && before.hash !== hash)
      await this.#client
        .delete(this.#chunkFolder(before.hash), { recurse: '' })
        .catch(() => undefined);
  }

  async #storeChunks(
    payload: Uint8Array,
    hash: string,
    beforeCommit: (() => Promise<void>) | undefined,
  ): Promise<void> {
    const chunks: string[] = [];
    for (let at = 0; at < payload.length; at += CHUNK_BYTES) {
      const key = `${this.#chunkFolder(hash)}${chunks.length}`;
      await this.#client.put(key, payload.subarray(at, at + CHUNK_BYTES));
      chunks.push(key);
    }
    await beforeCommit?.();
    await this.#store(Buffer.from(JSON.stringify({ chunks, 'current-hash': hash })));
  }

  #chunkFolder(hash: string): string {
    return `${this.#path.replace(/\/+$/, '')}/tfstate.${hash}/`;
  }

  /** Writes the key if it has not changed since it was read and, when locked, if the session still holds the lock. */
  async #store(payload: Uint8Array): Promise<void> {
    const Value = Buffer.from(payload).toString('base64');
    const Key = this.#path;
    const session = this.#lock.session;
    const index = this.#index;
    const operations: Operation[] = [
      ...(session === undefined
        ? []
        : [{ Verb: 'check-session' as const, Key: this.#lock.key, Session: session }]),
      index === undefined ? { Verb: 'set', Key, Value } : { Verb: 'cas', Key, Value, Index: index },
    ];
    const result = await this.#client.transact(operations);
    if (typeof result === 'number') {
      this.#index = result;
      return;
    }
    if (/too large/.test(result.what)) throw new ConsulError(413, result.what);
    if (session !== undefined && result.operation === 0) throw sessionLost();
    throw new StateConflict(
      `consul CAS failed with transaction errors: ${result.what}. Somebody else has written the state since it was read here.`,
    );
  }

  async delete(): Promise<void> {
    const pair = await this.#client.get(this.#path);
    const chunked = pair === undefined ? undefined : chunkedBy(pair);
    await this.#client.delete(this.#path);
    if (chunked !== undefined)
      await this.#client.delete(this.#chunkFolder(chunked.hash), { recurse: '' });
    this.#index = undefined;
  }
}

function chunkedBy({ value }: Pair): Chunked | undefined {
  if (value[0] === GZIP_FIRST_BYTE) return undefined;
  // A state that is stored directly in the key may be large, so only a value that starts like an index is parsed.
  const text = new TextDecoder().decode(value);
  if (!text.includes('"current-hash"')) return undefined;
  try {
    const parsed: unknown = JSON.parse(text);
    if (typeof parsed !== 'object' || parsed === null) return undefined;
    const fields = new Map<string, unknown>(Object.entries(parsed));
    const [hash, chunks] = [fields.get('current-hash'), fields.get('chunks')];
    return typeof hash === 'string' && Array.isArray(chunks)
      ? { hash, chunks: chunks.map(String) }
      : undefined;
  } catch {
    return undefined;
  }
}

async function uncompressed(payload: Uint8Array): Promise<Uint8Array | undefined> {
  if (payload.length === 0) return undefined;
  return payload[0] === GZIP_FIRST_BYTE ? await promisify(gunzip)(payload) : payload;
}

function md5Of(state: Uint8Array): string {
  return createHash('md5').update(state).digest('hex');
}
