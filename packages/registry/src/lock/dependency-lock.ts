/** The entry of one provider in the lock file. */
import { compareProviderSources, type ProviderSource } from '@terrane/addresses';
import { moduleBlocksText, type ModuleLocks } from './module-locks.ts';
export interface LockedProvider {
  /** in its normal form */
  readonly version: string;
  /** the constraints of the selection, in their normal form; empty without constraints */
  readonly constraints: string;
  /** sorted, without duplicates, including their scheme (`h1:`, `zh:`) */
  readonly hashes: readonly string[];
}

/** The versions chosen for providers. */
export type ProviderLocks = ReadonlyMap<ProviderSource, LockedProvider>;

/** Hashes as a lock file has them: each once, in order of their bytes. */
export function normalHashes(hashes: Iterable<string>): string[] {
  return [...new Set(hashes)].sort();
}

/** Returns true if a provider is recorded in lock files: all except built-in ones and those of Terraform 0.12. */
export function isLockable(source: ProviderSource): boolean {
  return !source.isBuiltin && source.namespace !== '-';
}

/** Returns true if two lock files select the same packages; constraints are ignored. */
export function sameLocks(a: ProviderLocks, b: ProviderLocks): boolean {
  return (
    sameLockedProviders(a, b) &&
    [...a].every(([source, locked]) => {
      const other = b.get(source);
      return (
        other !== undefined &&
        locked.version === other.version &&
        locked.hashes.length === other.hashes.length &&
        locked.hashes.every((hash, i) => hash === other.hashes[i])
      );
    })
  );
}

/** Returns true if two lock files are about the same providers. */
export function sameLockedProviders(a: ProviderLocks, b: ProviderLocks): boolean {
  return a.size === b.size && [...a.keys()].every((source) => b.has(source));
}

const HEADER = `# This file is maintained automatically by "terraform init".
# Manual edits may be lost in future updates.
`;

/** The lock file as Terraform writes it, byte for byte; locks of modules, if any, follow the providers. */
export function lockFileText(locks: ProviderLocks, modules: ModuleLocks = new Map()): string {
  const blocks = [...locks]
    .sort(([a], [b]) => compareProviderSources(a, b))
    .map(([source, lock]) => `\n${blockText(source, lock)}`);
  return `${HEADER}${blocks.join('')}${moduleBlocksText(modules)}`;
}

function blockText(source: ProviderSource, lock: LockedProvider): string {
  const { version, constraints, hashes } = lock;
  const attributes: [name: string, value: string][] = [['version', JSON.stringify(version)]];
  if (constraints !== '') attributes.push(['constraints', JSON.stringify(constraints)]);
  const width = Math.max(...attributes.map(([name]) => name.length));
  const lines = attributes.map(([name, value]) => `  ${name.padEnd(width)} = ${value}\n`);
  if (hashes.length > 0) {
    lines.push(
      `  hashes = [\n${hashes.map((each) => `    ${JSON.stringify(each)},\n`).join('')}  ]\n`,
    );
  }
  return `provider ${JSON.stringify(source.text)} {\n${lines.join('')}}\n`;
}
