import { createHash } from 'node:crypto';
import { crc32 } from 'node:zlib';
import type { Environment, FileSystem } from '@terrane/host';
import type { ProtocolVersion } from '../wire/definitions.ts';

/** What a plugin answered when it was asked for its schemas, as it came. */
export interface SchemaAnswers {
  readonly version: ProtocolVersion;
  /** of `GetProviderSchema` */
  readonly schemas: Uint8Array;
  /** of `GetResourceIdentitySchemas`; empty where the plugin has no such call */
  readonly identities: Uint8Array;
}

/** Where the schemas of one plugin are kept from run to run. */
export interface SchemaCache {
  /** Undefined where there are none that are good. */
  read(): Promise<SchemaAnswers | undefined>;
  /** Keeps them for later runs; where that can't be done, nothing happens. */
  write(answers: SchemaAnswers): Promise<void>;
}

/** What the cache needs of the outside world. */
export interface SchemaCachePorts {
  readonly files: FileSystem;
  readonly environment: Environment;
}

/** How what is written is laid out; it changes together with that. */
const FORMAT = 2;
const EXTENSION = '.schema';
/** The most that all entries may take together, and how many there may be. */
const MAX_BYTES = 512 * 1024 * 1024;
const MAX_ENTRIES = 200;

/**
 * The place for the schemas of a plugin's executable in the user's cache directory; undefined where there is
 * no such directory, or `TERRANE_SCHEMA_CACHE` is `off`. It may also name the directory.
 *
 * @param checksum of the package that the executable is in, where it was verified: equal packages share an
 * entry wherever they lie. Without it the executable is known by its path, size, time and inode
 */
export async function schemaCacheOf(
  path: string,
  checksum: string | undefined,
  ports: SchemaCachePorts,
): Promise<SchemaCache | undefined> {
  const directory = cacheDirectory(ports.environment);
  if (directory === undefined) return undefined;
  let identity: unknown = checksum;
  if (checksum === undefined) {
    const stat = await ports.files.stat(path);
    if (stat === undefined) return undefined;
    identity = [path, stat.size, stat.mtimeMs, stat.inode];
  }
  const key = JSON.stringify([FORMAT, identity, switches(ports.environment)]);
  return new CacheFile(directory, key, ports.files);
}

function cacheDirectory(environment: Environment): string | undefined {
  const given = environment.get('TERRANE_SCHEMA_CACHE') ?? '';
  if (given.toLowerCase() === 'off') return undefined;
  if (given !== '') return given;
  const caches = environment.get('XDG_CACHE_HOME') ?? '';
  if (caches !== '') return `${caches}/terrane/schemas`;
  const home = environment.homeDirectory;
  return home === undefined ? undefined : `${home}/.cache/terrane/schemas`;
}

/** Some providers have other schemas when a switch of theirs is on in the environment. */
function switches(environment: Environment): readonly (readonly [string, string])[] {
  return [...environment.entries()]
    .filter(
      ([name, value]) => name !== 'SHLVL' && /^(?:true|false|yes|no|on|off|0|1)$/i.test(value),
    )
    .sort(([a], [b]) => (a < b ? -1 : 1));
}

/** The first line of an entry. What follows are the bytes of the answers. */
interface Head {
  readonly key: string;
  readonly version: ProtocolVersion;
  /** how long each of the answers is */
  readonly lengths: readonly [schemas: number, identities: number];
  readonly crc32: number;
}

class CacheFile implements SchemaCache {
  readonly #directory: string;
  readonly #key: string;
  readonly #path: string;
  readonly #files: FileSystem;

  constructor(directory: string, key: string, files: FileSystem) {
    this.#directory = directory;
    this.#key = key;
    this.#path = `${directory}/${createHash('sha256').update(key).digest('hex')}${EXTENSION}`;
    this.#files = files;
  }

  async read(): Promise<SchemaAnswers | undefined> {
    try {
      return this.#parse(await this.#files.readFile(this.#path));
    } catch {
      // Not there, not readable, or no entry: the plugin is asked, and the entry written anew.
      return undefined;
    }
  }

  #parse(content: Uint8Array): SchemaAnswers | undefined {
    const start = content.indexOf(0x0a) + 1;
    const head = JSON.parse(Buffer.from(content.subarray(0, start)).toString()) as Head;
    const { key, version, lengths } = head;
    const body = content.subarray(start);
    if (key !== this.#key || (version !== 5 && version !== 6)) return undefined;
    const [schemas, identities] = lengths;
    if (body.length !== schemas + identities) return undefined;
    if (crc32(body) !== head.crc32) return undefined;
    return {
      version,
      schemas: body.subarray(0, schemas),
      identities: body.subarray(schemas),
    };
  }

  async write({ version, schemas, identities }: SchemaAnswers): Promise<void> {
    const head: Head = {
      key: this.#key,
      version,
      lengths: [schemas.length, identities.length],
      crc32: crc32(identities, crc32(schemas)),
    };
    const files = this.#files;
    try {
      await files.makeDirectory(this.#directory);
      // Where the system has no such thing, the file's own mode has to do.
      await files.chmod(this.#directory, 0o700).catch(() => undefined);
      const first = Buffer.from(`${JSON.stringify(head)}\n`);
      const content = [first, schemas, identities];
      await files.replaceFile(this.#path, content, { mode: 0o600 });
      await files.removeLeftovers(this.#path);
      await this.#prune();
    } catch {
      // A run that can't keep schemas is none the worse.
    }
  }

  /** Removes what was written longest ago where there is too much. */
  async #prune(): Promise<void> {
    const files = this.#files;
    const entries: { readonly path: string; readonly size: number; readonly mtimeMs: number }[] =
      [];
    for (const { name, kind } of await files.readDirectory(this.#directory)) {
      if (kind !== 'file' || !name.endsWith(EXTENSION)) continue;
      const path = `${this.#directory}/${name}`;
      const stat = await files.stat(path);
      if (stat !== undefined) entries.push({ path, size: stat.size, mtimeMs: stat.mtimeMs });
    }
    entries.sort((a, b) => b.mtimeMs - a.mtimeMs);
    let total = 0;
    for (const [i, { path, size }] of entries.entries()) {
      total += size;
      if (path === this.#path) continue;
      if (i >= MAX_ENTRIES || total > MAX_BYTES) await files.remove(path);
    }
  }
}
