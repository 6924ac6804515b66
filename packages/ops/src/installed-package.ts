import { createHash } from 'node:crypto';
import type { ProviderSource } from '@terrane/engine';
import type { Environment, FileSystem } from '@terrane/host';
import type { LockedProvider } from './dependency-lock.ts';
import type { Project } from './project.ts';

/** A package of a provider, or why what is there can't be used. */
export type InstalledPackage =
  | { readonly executable: string; readonly version: string }
  | { readonly problem: string };

/**
 * The package that `terraform init` has installed for the version in the lock file; undefined where there is none.
 * It has to match a checksum of the lock file, if that has one of unpacked packages.
 */
export async function installedPackage(
  project: Project,
  source: ProviderSource,
  locked: LockedProvider,
): Promise<InstalledPackage | undefined> {
  const { files, environment } = project.host;
  const base = `${project.dataDirectory}/providers`;
  const place = `${base}/${source.text}/${locked.version}/${platformOf(environment)}`;
  if ((await files.stat(place))?.kind !== 'directory') return undefined;
  // Packages from a mirror are links into it.
  const directory = await files.realPath(place);
  const wanted = locked.hashes.filter((hash) => hash.startsWith('h1:'));
  if (wanted.length > 0 && !wanted.includes(await hashOf(project, directory))) {
    return {
      problem: `the cached package for ${source.text} ${locked.version} (in ${base}) does not match any of the checksums recorded in the dependency lock file`,
    };
  }
  const executable = await executableIn(files, directory, source);
  return executable === undefined
    ? { problem: `could not find executable file starting with terraform-provider-${source.type}` }
    : { executable, version: locked.version };
}

/** The executable of a provider in a directory; undefined where there is none. */
export async function executableIn(
  files: FileSystem,
  directory: string,
  source: ProviderSource,
): Promise<string | undefined> {
  const prefix = `terraform-provider-${source.type}`;
  if ((await files.stat(directory))?.kind !== 'directory') return undefined;
  for (const { name, kind } of await files.readDirectory(directory)) {
    if (kind === 'directory' || !name.startsWith(prefix)) continue;
    if (/^(?:[_.]|$)/.test(name.slice(prefix.length))) return `${directory}/${name}`;
  }
  return undefined;
}

/** The platform in the words of packages: `linux_amd64`. */
function platformOf({ platform, arch }: Environment): string {
  const system = platform === 'win32' ? 'windows' : platform;
  const machine = arch === 'x64' ? 'amd64' : arch === 'ia32' ? '386' : arch;
  return `${system}_${machine}`;
}

/** What tells a file from what it was, without reading it. */
interface FileFacts {
  readonly name: string;
  readonly size: number;
  readonly mtimeMs: number;
  readonly inode: number;
}

/** Packages that were read, by directory, with what they were when they were. */
type Verified = Record<string, { readonly files: string; readonly hash: string }>;

/** The `h1:` checksum of a package; it is computed again only when a file of the package has changed. */
async function hashOf(project: Project, directory: string): Promise<string> {
  const { files } = project.host;
  const cachePath = `${project.dataDirectory}/terrane-verified-packages.json`;
  const facts = await filesIn(files, directory, '');
  const key = JSON.stringify(facts);
  const verified = await readVerified(files, cachePath);
  const known = verified[directory];
  if (known?.files === key) return known.hash;
  const hash = await hashFiles(files, directory, facts);
  verified[directory] = { files: key, hash };
  // Where it can't be written, the next run reads the package again.
  await files.replaceFile(cachePath, JSON.stringify(verified)).catch(() => undefined);
  return hash;
}

async function readVerified(files: FileSystem, path: string): Promise<Verified> {
  try {
    const read: unknown = JSON.parse(await files.readText(path));
    // What is not of this form matches nothing.
    return typeof read === 'object' && read !== null ? { ...(read as Verified) } : {};
  } catch {
    return {};
  }
}

async function filesIn(files: FileSystem, directory: string, prefix: string): Promise<FileFacts[]> {
  const found: FileFacts[] = [];
  for (const { name, kind } of await files.readDirectory(directory)) {
    const path = `${directory}/${name}`;
    if (kind === 'directory') {
      found.push(...(await filesIn(files, path, `${prefix}${name}/`)));
      continue;
    }
    const stat = await files.stat(path);
    if (stat === undefined) continue;
    const { size, mtimeMs, inode } = stat;
    found.push({ name: `${prefix}${name}`, size, mtimeMs, inode });
  }
  return found;
}

/** The checksum of a directory as Go modules have it (`golang.org/x/mod/sumdb/dirhash`, Hash1). */
async function hashFiles(
  files: FileSystem,
  directory: string,
  facts: readonly FileFacts[],
): Promise<string> {
  const whole = createHash('sha256');
  const names = facts.map(({ name }) => name).sort((a, b) => (a < b ? -1 : 1));
  for (const name of names) {
    const content = await files.readFile(`${directory}/${name}`);
    whole.update(`${createHash('sha256').update(content).digest('hex')}  ${name}\n`);
  }
  return `h1:${whole.digest('base64')}`;
}
