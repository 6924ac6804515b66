import { compareText } from '@terrane/cty';

/** The lock of the package of one module. */
export interface LockedModule {
  /** the names of the calls that lead to it, joined by dots */
  readonly path: string;
  /** the source address as `moduleSourceText` prints it, without secrets */
  readonly source: string;
  /** only of modules from a registry, in its normal form */
  readonly version?: string;
  /** the commit of a Git repository, for people; not verified, as the hash determines the content */
  readonly commit?: string;
  /** accepted `h1:` hashes of the package, sorted */
  readonly hashes: readonly string[];
}

/** Locks of modules by path. */
export type ModuleLocks = ReadonlyMap<string, LockedModule>;

/** The name of the file with the locks of modules, in the directory of the root module. No other program reads it. */
export const MODULE_LOCK_FILE = '.terraform.modules.lock.hcl';

const HEADER = `# This file is maintained automatically by "terrane init".
# Manual edits may be lost in future updates.
`;

/** The text of a file that contains only locks of modules. */
export function moduleLockFileText(locks: ModuleLocks): string {
  return `${HEADER}${moduleBlocksText(locks)}`;
}

/** The `module` blocks of a lock file, sorted by path, each after an empty line. */
export function moduleBlocksText(locks: ModuleLocks): string {
  return [...locks.values()]
    .sort((a, b) => compareText(a.path, b.path))
    .map((lock) => `\n${blockText(lock)}`)
    .join('');
}

/** Returns true if two files have the same locks. */
export function sameModuleLocks(a: ModuleLocks, b: ModuleLocks): boolean {
  return moduleBlocksText(a) === moduleBlocksText(b);
}

function blockText({ path, source, version, commit, hashes }: LockedModule): string {
  const attributes: [name: string, value: string][] = [['source', source]];
  if (version !== undefined) attributes.push(['version', version]);
  if (commit !== undefined) attributes.push(['commit', commit]);
  const width = Math.max(...attributes.map(([name]) => name.length));
  const lines = attributes.map(([name, value]) => `  ${name.padEnd(width)} = ${quoted(value)}\n`);
  const list = hashes.map((hash) => `    ${quoted(hash)},\n`).join('');
  return `module ${quoted(path)} {\n${lines.join('')}  hashes = [\n${list}  ]\n}\n`;
}

/** A string of HCL: template sequences are escaped, so that addresses from elsewhere stay literal. */
function quoted(text: string): string {
  return JSON.stringify(text).replaceAll(/[$%](?=\{)/g, (sign) => sign + sign);
}
