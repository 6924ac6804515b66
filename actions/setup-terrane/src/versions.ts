// Version files, and versions of releases.
import { existsSync, readFileSync } from 'node:fs';
import { dirname, join, relative, resolve } from 'node:path';

/** A version that a file or an input states. */
export interface StatedVersion {
  readonly version: string;
  /** file or input that states it */
  readonly source: string;
  readonly product: 'terraform' | 'opentofu';
}

/** Versions that the files of a repository state. */
export interface FileVersions {
  readonly terrane?: string;
  readonly language?: StatedVersion;
}

/** Returns the first line of a version file that is neither empty nor a comment, without a leading "v". */
export function versionLine(text: string): string | undefined {
  const lines = text.split(/\r?\n/).map((line) => line.replace(/#.*/, '').trim());
  return lines.find((line) => line !== '')?.replace(/^v(?=\d)/, '');
}

/** Returns the first version of each tool in a `.tool-versions` file of asdf and mise, without a leading "v". */
export function toolVersions(text: string): ReadonlyMap<string, string> {
  const versions = new Map<string, string>();
  for (const line of text.split(/\r?\n/)) {
    const [tool = '', version] = line.replace(/#.*/, '').trim().split(/\s+/);
    if (version !== undefined && !versions.has(tool))
      versions.set(tool, version.replace(/^v(?=\d)/, ''));
  }
  return versions;
}

/**
 * Returns the versions in the version files of a directory and of those above it, up to the workspace. The nearest
 * file wins; in one directory `.terraform-version` precedes `.opentofu-version` and `.tool-versions`.
 */
export function findVersions(directory: string, workspace: string): FileVersions {
  let found: { terrane?: string; language?: StatedVersion } = {};
  for (const folder of foldersUp(directory, workspace)) {
    const read = (name: string): string | undefined => {
      const path = join(folder, name);
      return existsSync(path) ? readFileSync(path, 'utf8') : undefined;
    };
    const tools = toolVersions(read('.tool-versions') ?? '');
    const candidates = [
      ['.terraform-version', 'terraform', versionLine(read('.terraform-version') ?? '')],
      ['.opentofu-version', 'opentofu', versionLine(read('.opentofu-version') ?? '')],
      ['.tool-versions', 'terraform', tools.get('terraform')],
      // mise has both names.
      ['.tool-versions', 'opentofu', tools.get('opentofu') ?? tools.get('tofu')],
    ] as const;
    for (const [name, product, version] of candidates) {
      if (version === undefined || found.language !== undefined) continue;
      const source = relative(workspace, join(folder, name));
      found = { ...found, language: { version, source, product } };
    }
    const terrane = found.terrane ?? tools.get('terrane');
    if (terrane !== undefined) found = { ...found, terrane };
  }
  return found;
}

/** Returns a directory and those above it up to the workspace; only itself if it is outside of the workspace. */
function foldersUp(directory: string, workspace: string): readonly string[] {
  const top = resolve(workspace);
  const first = resolve(directory);
  if (relative(top, first).startsWith('..')) return [first];
  const folders = [first];
  for (let folder = first; folder !== top;) {
    folder = dirname(folder);
    folders.push(folder);
  }
  return folders;
}

/** Returns true for a complete version such as "1.2.3" or "v1.2.3-rc1". */
export function isExact(version: string): boolean {
  return /^v?\d+\.\d+\.\d+(?:[-+][\w.-]+)?$/.test(version);
}

/** Returns the digests in `SHA256SUMS` by file. */
export function checksumsOf(text: string): ReadonlyMap<string, string> {
  const lines = Array.from(text.matchAll(/^([0-9a-f]{64}) [ *](.+)$/gm));
  return new Map(lines.map(([, digest = '', file = '']) => [file.trim(), digest]));
}

/** Returns the version of a release from the names of its files; undefined if they do not state it. */
export function releasedVersion(checksums: ReadonlyMap<string, string>): string | undefined {
  for (const file of checksums.keys()) {
    const [, version] =
      /^terrane_([^_]+)_(?:node|[a-z]+_[a-z\d]+)\.(?:tar\.gz|zip)$/.exec(file) ?? [];
    if (version !== undefined) return version;
  }
  return undefined;
}
