import type { FileStat, FileSystem } from '@terrane/host';
import { gzipSync } from 'node:zlib';
import { packTar, type TarEntry } from 'modern-tar';
import { basename, dirname, isAbsolute, join, relative, resolve } from 'node:path/posix';
import { ignoreRules, type IgnoreRules } from './terraform-ignore.ts';

/**
 * Packs a directory for upload: a gzipped tar archive without the files that `.terraformignore` excludes. Internal
 * links are kept; targets of other links are copied. Rejects if a file cannot be read.
 */
export async function packConfiguration(files: FileSystem, directory: string): Promise<Uint8Array> {
  const root = await files.realPath(directory);
  const packer = new Packer(files, root, ignoreRules(await ignoreFile(files, root)));
  await packer.pack(root, root);
  return archiveOf(packer.entries);
}

/** Packs an empty directory, with a subdirectory in which the server expects the configuration. */
export async function packNothing(workingDirectory: string): Promise<Uint8Array> {
  const parts = workingDirectory.split('/').filter((part) => part !== '' && part !== '.');
  return archiveOf(
    parts.map((_, index) => ({
      header: {
        name: `${parts.slice(0, index + 1).join('/')}/`,
        type: 'directory',
        mode: 0o700,
        size: 0,
      },
    })),
  );
}

async function archiveOf(entries: readonly TarEntry[]): Promise<Uint8Array> {
  return gzipSync(await packTar([...entries]), { level: 1 });
}

async function ignoreFile(files: FileSystem, root: string): Promise<string> {
  const path = join(root, '.terraformignore');
  const stat = await files.stat(path);
  return stat?.kind === 'file' ? await files.readText(path) : '';
}

class Packer {
  readonly entries: TarEntry[] = [];
  readonly #files: FileSystem;
  readonly #root: string;
  readonly #rules: IgnoreRules;

  constructor(files: FileSystem, root: string, rules: IgnoreRules) {
    this.#files = files;
    this.#root = root;
    this.#rules = rules;
  }

  /** Packs the content of a directory under the path `as`. */
  async pack(directory: string, as: string, within = directory): Promise<void> {
    for (const { name, kind } of await this.#files.readDirectory(directory)) {
      const path = join(directory, name);
      const subpath = relative(within, path);
      if (this.#rules(subpath).isLeftOut) continue;
      const at = relative(this.#root, join(as, name));
      if (kind === 'directory') {
        const { isLeftOut, isFinal } = this.#rules(`${subpath}/`);
        if (isFinal) continue;
        if (!isLeftOut) await this.#directory(path, at);
        await this.pack(path, join(as, name), within);
      } else if (kind === 'file') {
        await this.#file(path, at);
      } else if (kind === 'link') {
        await this.#link(path, at, join(as, name));
      }
    }
  }

  async #directory(path: string, at: string): Promise<void> {
    const stat = await this.#stat(path);
    this.entries.push({
      header: { ...headerOf(stat), name: `${at}/`, type: 'directory', size: 0 },
    });
  }

  async #file(path: string, at: string): Promise<void> {
    const stat = await this.#stat(path);
    const body = await this.#files.readFile(path);
    this.entries.push({
      header: { ...headerOf(stat), name: at, type: 'file', size: body.length },
      body,
    });
  }

  async #link(path: string, at: string, as: string): Promise<void> {
    const target = (await this.#files.readLink(path)) ?? '';
    const leadsTo = isAbsolute(target) ? resolve(target) : join(dirname(path), target);
    if (leadsTo.startsWith(this.#root)) {
      this.entries.push({
        header: { name: at, type: 'symlink', linkname: target, mode: 0o777, size: 0 },
      });
      return;
    }
    const stat = await this.#files.stat(path);
    if (stat === undefined) {
      throw new Error(
        `failed to get file info from file ${JSON.stringify(target)}: it does not exist`,
      );
    }
    if (stat.kind === 'file') await this.#file(path, at);
    else if (stat.kind === 'directory') {
      const real = await this.#files.realPath(path);
      await this.pack(real, join(dirname(as), basename(as)), real);
    }
  }

  async #stat(path: string): Promise<FileStat> {
    const stat = await this.#files.stat(path);
    if (stat === undefined) throw new Error(`${path} has gone while it was read`);
    return stat;
  }
}

function headerOf({ mode, mtimeMs }: FileStat): { readonly mode: number; readonly mtime: Date } {
  return { mode: mode & 0o777, mtime: new Date(Math.round(mtimeMs / 1000) * 1000) };
}
