import type {
  AppendFile,
  DurabilityOptions,
  FileContent,
  FileSystem,
  ReplaceOptions,
} from '@terrane/host';

/** The copy of a state and its journal at the server. */
export interface StateMirror {
  /** Stores the new state. Resolves when the server has it. */
  putState(bytes: Uint8Array): Promise<void>;
  /** Writes a part of the journal; at offset 0, a new journal. Resolves when the server has it. */
  putJournal(offset: number, bytes: Uint8Array): Promise<void>;
}

/** The files to replicate. */
export interface MirroredPaths {
  readonly state: string;
  readonly journal: string;
}

/**
 * Returns a file system that replicates a state and its journal to the server as the engine writes them. When a
 * write or sync resolves, the data is on disk and at the server: in particular, the intent of every change, before its
 * provider is called. The server therefore has the same sequence of files as the disk, and another agent continues from
 * its copy as the engine does after a crash.
 */
export function mirroredFiles(
  files: FileSystem,
  { state, journal }: MirroredPaths,
  mirror: StateMirror,
  resolve: (path: string) => string,
): FileSystem {
  const isState = (path: string): boolean => resolve(path) === state;
  const isJournal = (path: string): boolean => resolve(path) === journal;
  /** Replaces a state, and uploads it after the data is written and before the file is renamed. */
  const replacedState = async (
    data: FileContent,
    options: ReplaceOptions | undefined,
    replace: (data: FileContent, options: ReplaceOptions) => Promise<void>,
  ): Promise<void> => {
    const bytes = await bytesOf(data);
    await replace(bytes, {
      ...options,
      async beforeCommit() {
        await options?.beforeCommit?.();
        await mirror.putState(bytes);
      },
    });
  };
  // A spread would lose methods of the class, so the prototype delegates them.
  const wrapped: FileSystem = Object.create(files);
  return Object.assign(wrapped, {
    async replaceFile(path: string, data: FileContent, options?: ReplaceOptions): Promise<void> {
      if (isState(path)) {
        await replacedState(data, options, (bytes, more) => files.replaceFile(path, bytes, more));
        return;
      }
      if (!isJournal(path)) {
        await files.replaceFile(path, data, options);
        return;
      }
      const bytes = await bytesOf(data);
      await files.replaceFile(path, bytes, options);
      await mirror.putJournal(0, bytes);
    },
    async remove(path: string, options?: DurabilityOptions): Promise<void> {
      await files.remove(path, options);
      if (isJournal(path)) await mirror.putJournal(0, new Uint8Array());
    },
    async openAppend(path: string, options?: { readonly mode?: number }): Promise<AppendFile> {
      const file = await files.openAppend(path, options);
      if (!isJournal(path)) return file;
      const { size } = (await files.stat(path)) ?? { size: 0 };
      return new MirroredAppend(file, size, mirror);
    },
    async lock(path: string) {
      const result = await files.lock(path);
      if (result.kind !== 'locked' || !isState(path)) return result;
      const { lock } = result;
      return {
        kind: 'locked' as const,
        lock: {
          created: lock.created,
          replace: (data: FileContent, options?: ReplaceOptions) =>
            replacedState(data, options, (bytes, more) => lock.replace(bytes, more)),
          isIntact: () => lock.isIntact(),
          release: () => lock.release(),
        },
      };
    },
  } satisfies Partial<FileSystem>);
}

/** A journal whose synced records are uploaded to the server. */
class MirroredAppend implements AppendFile {
  readonly #file: AppendFile;
  readonly #mirror: StateMirror;
  #offset: number;
  #pending: Uint8Array[] = [];

  constructor(file: AppendFile, offset: number, mirror: StateMirror) {
    this.#file = file;
    this.#offset = offset;
    this.#mirror = mirror;
  }

  async write(data: Uint8Array): Promise<void> {
    await this.#file.write(data);
    this.#pending.push(Uint8Array.from(data));
  }

  async sync(): Promise<void> {
    await Promise.all([this.#file.sync(), this.#upload()]);
  }

  async close(): Promise<void> {
    await this.#file.close();
    await this.#upload();
  }

  async #upload(): Promise<void> {
    if (this.#pending.length === 0) return;
    const bytes = Buffer.concat(this.#pending);
    const offset = this.#offset;
    this.#pending = [];
    this.#offset += bytes.length;
    await this.#mirror.putJournal(offset, bytes);
  }
}

async function bytesOf(data: FileContent): Promise<Uint8Array> {
  if (typeof data === 'string') return Buffer.from(data);
  if (data instanceof Uint8Array) return data;
  const chunks: Uint8Array[] = [];
  for await (const chunk of data) chunks.push(chunk);
  return Buffer.concat(chunks);
}
