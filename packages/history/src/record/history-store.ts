import { createHash } from 'node:crypto';
import { eventFromJson, eventToJson, readStateFile, writeStateFile } from '@terrane/engine';
import type { StateEvent, StateFile } from '@terrane/engine';
import { hasErrors } from '@terrane/hcl';
import { type Blobs, HistoryError } from './blobs.ts';
import type { RunRecord, RunStart, RunSummary } from './model.ts';
import { CONFIGURATION_FORM, INDEX_FORM, RECORD_FORM, START_FORM } from './record-form.ts';
import type { SensitivePart } from './sensitive-tree.ts';

/** The list of all runs, oldest first, and the sensitive parts of schemas, which runs share. */
export interface HistoryIndex {
  readonly runs: readonly RunSummary[];
  /** sensitive parts of objects, by provider and type; null: none */
  readonly schemas: Readonly<Record<string, SensitivePart | null>>;
}

/** A run with its events. */
export interface StoredRun {
  readonly record: RunRecord;
  readonly events: readonly StateEvent[];
}

/** The files of a configuration by path, and the digest that names them. */
export interface StoredConfiguration {
  readonly digest: string;
  readonly files: ReadonlyMap<string, string>;
}

/** The size of the length prefix of each part of a run. */
const LENGTH_BYTES = 4;
/** The size of the pieces in which a run is encoded. */
const CHUNK_BYTES = 1 << 16;
const INDEX = 'index';
const PENDING = 'pending';
const EMPTY: HistoryIndex = { runs: [], schemas: {} };

const runName = (id: string): string => `runs/${id}`;
const stateName = (id: string): string => `states/${id}`;
const configurationName = (digest: string): string => `configurations/${digest}`;

/**
 * The stored form of a history. Writing order: everything that the index refers to, then the index, so that a crash
 * leaves at most unreferenced data.
 */
export class HistoryStore {
  readonly #blobs: Blobs;

  constructor(blobs: Blobs) {
    this.#blobs = blobs;
  }

  async readIndex(): Promise<HistoryIndex> {
    const bytes = await this.#blobs.read(INDEX);
    return bytes === undefined ? EMPTY : parseRecord(INDEX, bytes, INDEX_FORM);
  }

  writeIndex(index: HistoryIndex): Promise<void> {
    return this.#blobs.write(INDEX, Buffer.from(JSON.stringify(index)));
  }

  /** Returns the run that has started but not ended, if any. */
  async readPending(): Promise<RunStart | undefined> {
    const bytes = await this.#blobs.read(PENDING);
    return bytes === undefined ? undefined : parseRecord(PENDING, bytes, START_FORM);
  }

  writePending(start: RunStart): Promise<void> {
    return this.#blobs.write(PENDING, Buffer.from(JSON.stringify(start)));
  }

  /** Removes the run that has started. It need not be durable: a run that the index has as its last one has ended. */
  removePending(): Promise<void> {
    return this.#blobs.remove(PENDING, { isDurable: false });
  }

  /** Reads a run; undefined if it does not exist. */
  async readRun(id: string): Promise<StoredRun | undefined> {
    const bytes = await this.#blobs.read(runName(id));
    if (bytes === undefined) return undefined;
    const [first, ...rest] = framesOf(bytes, id);
    if (first === undefined) throw damaged(id);
    const record = parseRecord<RunRecord>(runName(id), first, RECORD_FORM);
    try {
      return { record, events: rest.map(eventFromJson) };
    } catch (error) {
      // any-error: the reader of events expects what this program has written.
      throw damaged(id, error);
    }
  }

  writeRun({ record, events }: StoredRun): Promise<void> {
    return this.#blobs.write(runName(record.id), chunksOfRun(record, events));
  }

  removeRun(id: string): Promise<void> {
    return this.#blobs.remove(runName(id));
  }

  /** Reads the state before a run, if it is stored as a whole; undefined also if there was no state. */
  async readState(id: string): Promise<StateFile | undefined> {
    const bytes = await this.#blobs.read(stateName(id));
    if (bytes === undefined) return undefined;
    const { file, diagnostics } = readStateFile(bytes);
    if (hasErrors(diagnostics))
      throw new HistoryError(`The state before run ${id} in the history is damaged.`);
    return file;
  }

  writeState(id: string, file: StateFile): Promise<void> {
    return this.#blobs.write(stateName(id), writeStateFile(file));
  }

  removeState(id: string): Promise<void> {
    return this.#blobs.remove(stateName(id));
  }

  async readConfiguration(digest: string): Promise<StoredConfiguration | undefined> {
    const bytes = await this.#blobs.read(configurationName(digest));
    if (bytes === undefined) return undefined;
    const files: readonly (readonly [string, string])[] = parseRecord(
      configurationName(digest),
      bytes,
      CONFIGURATION_FORM,
    );
    return { digest, files: new Map(files) };
  }

  writeConfiguration({ digest, files }: StoredConfiguration): Promise<void> {
    return this.#blobs.write(configurationName(digest), Buffer.from(JSON.stringify([...files])));
  }

  removeConfiguration(digest: string): Promise<void> {
    return this.#blobs.remove(configurationName(digest));
  }
}

/** Returns the digest that names the files of a configuration. */
export function configurationDigest(files: ReadonlyMap<string, string>): string {
  const hash = createHash('sha256');
  for (const name of [...files.keys()].sort()) {
    const text = files.get(name) ?? '';
    hash.update(`${name.length} ${name} ${text.length} `).update(text);
  }
  return hash.digest('hex');
}

/** Parses stored data whose form `hasForm` checks. */
function parseRecord<T>(name: string, bytes: Uint8Array, hasForm: (value: unknown) => boolean): T {
  try {
    const value: unknown = JSON.parse(Buffer.from(bytes).toString());
    if (!hasForm(value)) throw new SyntaxError('a member is missing or has another type');
    return value as T; // as checked
  } catch (error) {
    // any-error: a value that is nested too deeply exceeds the stack.
    throw new HistoryError(`${name} in the history is damaged.`, { cause: error });
  }
}

/**
 * Yields the record and the events of a run, each with a length prefix, in chunks of whole parts. All chunks use the same
 * buffer, unless a part is larger.
 */
function* chunksOfRun(record: RunRecord, events: readonly StateEvent[]): Iterable<Uint8Array> {
  let chunk = Buffer.alloc(CHUNK_BYTES);
  let used = 0;
  for (const text of textsOfRun(record, events)) {
    // UTF-8 takes at most three bytes for a UTF-16 unit.
    const needed = LENGTH_BYTES + text.length * 3;
    if (used + needed > chunk.length) {
      yield chunk.subarray(0, used);
      if (needed > chunk.length) chunk = Buffer.alloc(needed);
      used = 0;
    }
    const length = chunk.write(text, used + LENGTH_BYTES);
    chunk.writeUInt32BE(length, used);
    used += LENGTH_BYTES + length;
  }
  yield chunk.subarray(0, used);
}

function* textsOfRun(record: RunRecord, events: readonly StateEvent[]): Iterable<string> {
  yield JSON.stringify(record);
  for (const event of events) yield eventToJson(event);
}

/** Splits the content of a run into its parts, each of which has a length prefix. */
function framesOf(bytes: Uint8Array, id: string): Uint8Array[] {
  const view = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const frames: Uint8Array[] = [];
  for (let at = 0; at < bytes.length;) {
    const start = at + LENGTH_BYTES;
    if (start > bytes.length) throw damaged(id);
    const end = start + view.readUInt32BE(at);
    if (end > bytes.length) throw damaged(id);
    frames.push(bytes.subarray(start, end));
    at = end;
  }
  return frames;
}

const damaged = (id: string, cause?: unknown): HistoryError =>
  new HistoryError(`The record of run ${id} in the history is damaged.`, { cause });
