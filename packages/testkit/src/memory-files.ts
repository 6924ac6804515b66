import type {
  AppendFile,
  Clock,
  DirectoryEntry,
  DurabilityOptions,
  FileContent,
  FileLock,
  FileLockResult,
  FileStat,
  FileSystem,
  ReadFile,
  ReplaceOptions,
  WriteOptions,
} from '@terrane/host';
import { MemoryDisk, parentOf, type MemoryNode } from './memory-disk.ts';

/** A file system operation, the unit of fault injection. */
export interface FileStep {
  readonly kind: 'create' | 'write' | 'sync' | 'rename' | 'syncDirectory' | 'remove' | 'read';
  readonly path: string;
}

/** The error of every operation after the injected end of the process. */
export class ProcessEnded extends Error {
  constructor() {
    super('the process has ended');
  }
}

/** Returns a system error as the files of a host report it. */
export function systemError(code: string, path: string): Error {
  const error = new Error(`open ${path}: ${MESSAGES[code] ?? code}`);
  return Object.assign(error, { code, syscall: 'open', path });
}

const MESSAGES: Readonly<Record<string, string>> = {
  ENOENT: 'no such file or directory',
  EEXIST: 'file exists',
  ENOSPC: 'no space left on device',
  EACCES: 'permission denied',
  EIO: 'input/output error',
};

/** Decides on a step: no fault, an error code, or the end of the process before or after it. */
export type Fault = (step: FileStep, index: number) => string | undefined;

/** Result of a fault function that ends the process just before the step. */
export const END_BEFORE = 'end-before';
/** Result of a fault function that ends the process after half of a write, or after all of another step. */
export const END_WITHIN = 'end-within';

/** Result of a fault function that fails a write with ENOSPC after half of the data. */
export const SHORT_WRITE = 'short-write';

/** Options of a memory file system. */
export interface MemoryFilesOptions {
  readonly disk?: MemoryDisk;
  readonly cwd?: string;
  readonly clock?: Pick<Clock, 'now'>;
  readonly fault?: Fault;
  /** false: a platform without locks of the operating system */
  readonly locks?: boolean;
}

/** Files in memory, on a disk that distinguishes synced from unsynced content, as one process sees them. */
export class MemoryFiles implements FileSystem {
  readonly disk: MemoryDisk;
  readonly #cwd: string;
  readonly #clock: Pick<Clock, 'now'> | undefined;
  readonly #locks: boolean;
  fault: Fault | undefined;
  /** executed steps, in order */
  steps: FileStep[] = [];
  #ended = false;

  constructor(options: MemoryFilesOptions = {}) {
    this.disk = options.disk ?? new MemoryDisk();
    this.#cwd = options.cwd ?? '/project';
    this.#clock = options.clock;
    this.#locks = options.locks ?? true;
    this.fault = options.fault;
    this.disk.directories.add(this.#cwd);
  }

  /** Returns true if the process has ended. */
  get ended(): boolean {
    return this.#ended;
  }

  /** Ends the process between two steps. */
  end(): void {
    this.#ended = true;
  }

  /** Returns the absolute path, without `.` and `..`. */
  at(path: string): string {
    const parts: string[] = [];
    for (const part of (path.startsWith('/') ? path : `${this.#cwd}/${path}`).split('/')) {
      if (part === '..') parts.pop();
      else if (part !== '' && part !== '.') parts.push(part);
    }
    return `/${parts.join('/')}`;
  }

  /** Returns the part of the step to execute, or throws the injected fault. */
  #step(kind: FileStep['kind'], path: string): 'whole' | 'half' | 'short' {
    if (this.#ended) throw new ProcessEnded();
    const step = { kind, path };
    const index = this.steps.length;
    this.steps.push(step);
    const outcome = this.fault?.(step, index);
    if (outcome === undefined) return 'whole';
    if (outcome === END_BEFORE) this.#ended = true;
    if (outcome === END_WITHIN) return 'half';
    if (outcome === SHORT_WRITE) return 'short';
    throw outcome === END_BEFORE ? new ProcessEnded() : systemError(outcome, path);
  }

  #endWithin(outcome: 'whole' | 'half' | 'short', path: string): void {
    if (outcome === 'whole') return;
    if (outcome === 'short') throw systemError('ENOSPC', path);
    this.#ended = true;
    throw new ProcessEnded();
  }

  #node(path: string): MemoryNode {
    if (this.#ended) throw new ProcessEnded();
    const node = this.disk.names.get(this.at(path));
    if (node === undefined) throw systemError('ENOENT', path);
    return node;
  }

  #create(path: string, mode: number): MemoryNode {
    const outcome = this.#step('create', path);
    if (!this.disk.directories.has(parentOf(path))) throw systemError('ENOENT', path);
    const node = this.disk.newNode(mode, this.#clock?.now().getTime() ?? 0);
    this.disk.names.set(path, node);
    this.#endWithin(outcome, path);
    return node;
  }

  #write(node: MemoryNode, path: string, data: Uint8Array): void {
    const outcome = this.#step('write', path);
    const length = outcome !== 'whole' ? Math.floor(data.length / 2) : data.length;
    const content = new Uint8Array(node.content.length + length);
    content.set(node.content);
    content.set(data.subarray(0, length), node.content.length);
    node.content = content;
    node.mtimeMs = this.#clock?.now().getTime() ?? 0;
    this.#endWithin(outcome, path);
  }

  #sync(node: MemoryNode, path: string): void {
    const outcome = this.#step('sync', path);
    node.durable = node.content;
    this.#endWithin(outcome, path);
  }

  #syncDirectory(directory: string): void {
    const outcome = this.#step('syncDirectory', directory);
    this.disk.syncNames(directory);
    this.#endWithin(outcome, directory);
  }

  readFile(path: string): Promise<Uint8Array> {
    return attempt(() => this.readFileSync(path));
  }

  readFileSync(path: string): Uint8Array {
    this.#step('read', this.at(path));
    return this.#node(path).content;
  }

  async readText(path: string): Promise<string> {
    return new TextDecoder().decode(await this.readFile(path));
  }

  writeFile(path: string, data: Uint8Array | string, options?: WriteOptions): Promise<void> {
    return attempt(() => {
      const target = this.at(path);
      const node = this.disk.names.get(target) ?? this.#create(target, options?.mode ?? 0o644);
      node.content = new Uint8Array();
      this.#write(node, target, bytesOf(data));
    });
  }

  replaceFile(path: string, data: FileContent, options?: ReplaceOptions): Promise<void> {
    return this.#replace(this.at(path), data, options, () => {});
  }

  async #replace(
    target: string,
    data: FileContent,
    options: ReplaceOptions | undefined,
    fresh: (node: MemoryNode) => void,
  ): Promise<void> {
    const old = this.disk.names.get(target)?.mode;
    const kept = old !== undefined && options?.isPrivate === true ? old & 0o700 : old;
    const mode = kept ?? options?.mode ?? 0o644;
    const temporary = `${temporaryPrefix(target)}${this.steps.length}.tmp`;
    const node = this.#create(temporary, mode);
    fresh(node);
    try {
      if (typeof data === 'string' || data instanceof Uint8Array) {
        this.#write(node, temporary, bytesOf(data));
      } else {
        for await (const piece of data) this.#write(node, temporary, piece);
      }
      if (options?.isDurable !== false) this.#sync(node, temporary);
      await options?.beforeCommit?.();
      const outcome = this.#step('rename', target);
      this.disk.names.delete(temporary);
      this.disk.names.set(target, node);
      this.#endWithin(outcome, target);
    } catch (error) {
      if (!this.#ended) this.disk.names.delete(temporary);
      throw error;
    }
    if (options?.isDurable !== false) this.#syncDirectory(parentOf(target));
  }

  removeLeftovers(path: string): Promise<void> {
    return attempt(() => {
      const prefix = temporaryPrefix(this.at(path));
      for (const name of this.disk.names.keys()) {
        if (name.startsWith(prefix) && name.endsWith('.tmp')) this.disk.names.delete(name);
      }
    });
  }

  async openAppend(path: string, options?: WriteOptions): Promise<AppendFile> {
    await Promise.resolve();
    const target = this.at(path);
    let node = this.disk.names.get(target);
    if (node === undefined) {
      node = this.#create(target, options?.mode ?? 0o644);
      this.#syncDirectory(parentOf(target));
    }
    const file = node;
    return {
      write: (data) => attempt(() => this.#write(file, target, data)),
      sync: () => attempt(() => this.#sync(file, target)),
      close: () => Promise.resolve(),
    };
  }

  async openRead(path: string): Promise<ReadFile> {
    const content = await this.readFile(path);
    return {
      size: content.length,
      read: (offset, length) => attempt(() => content.subarray(offset, offset + length)),
      close: () => Promise.resolve(),
    };
  }

  readDirectory(path: string): Promise<readonly DirectoryEntry[]> {
    return attempt(() => this.readDirectorySync(path));
  }

  readDirectorySync(path: string): readonly DirectoryEntry[] {
    const directory = this.at(path);
    if (!this.disk.directories.has(directory)) throw systemError('ENOENT', path);
    const prefix = directory === '/' ? '/' : `${directory}/`;
    const entries = new Map<string, DirectoryEntry>();
    const add = (full: string, kind: DirectoryEntry['kind']): void => {
      if (!full.startsWith(prefix) || full === directory) return;
      const name = full.slice(prefix.length);
      if (!name.includes('/')) entries.set(name, { name, kind });
    };
    for (const full of this.disk.directories) add(full, 'directory');
    for (const full of this.disk.names.keys()) add(full, 'file');
    return [...entries.values()].sort((a, b) => (a.name < b.name ? -1 : 1));
  }

  stat(path: string): Promise<FileStat | undefined> {
    return attempt(() => this.statSync(path));
  }

  statSync(path: string): FileStat | undefined {
    if (this.#ended) throw new ProcessEnded();
    const target = this.at(path);
    const node = this.disk.names.get(target);
    if (node !== undefined) {
      const { content, mtimeMs, mode, id } = node;
      return { kind: 'file', size: content.length, mtimeMs, mode, inode: id };
    }
    if (!this.disk.directories.has(target)) return undefined;
    return { kind: 'directory', size: 0, mtimeMs: 0, mode: 0o755, inode: 0 };
  }

  createExclusive(path: string, data: string, mode?: number): Promise<boolean> {
    return attempt(() => {
      const target = this.at(path);
      if (this.disk.names.has(target)) return false;
      const node = this.#create(target, mode ?? 0o644);
      this.#write(node, target, bytesOf(data));
      return true;
    });
  }

  makeDirectory(path: string): Promise<void> {
    return attempt(() => {
      let directory = this.at(path);
      while (directory !== '/') {
        this.disk.directories.add(directory);
        directory = parentOf(directory);
      }
    });
  }

  remove(path: string, { isDurable = true }: DurabilityOptions = {}): Promise<void> {
    return attempt(() => {
      const target = this.at(path);
      if (this.#ended) throw new ProcessEnded();
      if (!this.disk.names.has(target)) return;
      const outcome = this.#step('remove', target);
      this.disk.names.delete(target);
      this.#endWithin(outcome, path);
      if (isDurable) this.#syncDirectory(parentOf(target));
    });
  }

  removeTree(path: string): Promise<void> {
    return attempt(() => {
      const target = this.at(path);
      for (const name of this.disk.names.keys()) {
        if (name !== target && !name.startsWith(`${target}/`)) continue;
        const outcome = this.#step('remove', name);
        this.disk.names.delete(name);
        this.#endWithin(outcome, name);
      }
      for (const name of this.disk.directories) {
        if (name === target || name.startsWith(`${target}/`)) this.disk.directories.delete(name);
      }
    });
  }

  rename(from: string, to: string): Promise<void> {
    return attempt(() => {
      const node = this.#node(from);
      const outcome = this.#step('rename', this.at(to));
      this.disk.names.delete(this.at(from));
      this.disk.names.set(this.at(to), node);
      this.#endWithin(outcome, to);
      this.#syncDirectory(parentOf(this.at(to)));
    });
  }

  chmod(path: string, mode: number): Promise<void> {
    return attempt(() => {
      this.#node(path).mode = mode;
    });
  }

  copyFile(from: string, to: string): Promise<void> {
    return attempt(() => {
      const { content, mode } = this.#node(from);
      const target = this.at(to);
      const node = this.disk.names.get(target) ?? this.#create(target, mode);
      node.content = new Uint8Array();
      this.#write(node, target, content);
    });
  }

  readLinkSync(): undefined {
    return undefined;
  }

  realPath(path: string): Promise<string> {
    return attempt(() => this.at(path));
  }

  symbolicLink(_target: string, path: string): Promise<void> {
    return attempt(() => {
      throw systemError('ENOTSUP', path);
    });
  }

  readLink(): Promise<string | undefined> {
    return attempt(() => undefined);
  }

  lock(path: string): Promise<FileLockResult> {
    return attempt((): FileLockResult => {
      if (!this.#locks) return { kind: 'unsupported' };
      const target = this.at(path);
      const existing = this.disk.names.get(target);
      const node = existing ?? this.#create(target, 0o600);
      if (this.disk.locks.has(node)) return { kind: 'held' };
      this.disk.locks.set(node, this);
      return { kind: 'locked', lock: this.#heldLock(target, node, existing === undefined) };
    });
  }

  #heldLock(target: string, first: MemoryNode, created: boolean): FileLock {
    let node = first;
    let untouched = created;
    return {
      created,
      replace: async (data, options) => {
        let next: MemoryNode | undefined;
        await this.#replace(target, data, options, (fresh) => {
          next = fresh;
          this.disk.locks.set(fresh, this);
        });
        this.disk.locks.delete(node);
        node = next ?? node;
        untouched = false;
      },
      isIntact: () => attempt(() => this.disk.names.get(target) === node),
      release: () =>
        attempt(() => {
          if (this.#ended) throw new ProcessEnded();
          this.disk.locks.delete(node);
          if (untouched && node.content.length === 0 && this.disk.names.get(target) === node) {
            this.disk.names.delete(target);
          }
        }),
    };
  }
}

function temporaryPrefix(target: string): string {
  const slash = target.lastIndexOf('/');
  return `${target.slice(0, slash + 1)}.${target.slice(slash + 1)}.`;
}

function bytesOf(data: Uint8Array | string): Uint8Array {
  return typeof data === 'string' ? new TextEncoder().encode(data) : data;
}

/** Runs a function like an asynchronous one: errors become rejections. */
async function attempt<T>(run: () => T): Promise<T> {
  await Promise.resolve();
  return run();
}
