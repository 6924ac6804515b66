import { LOCK_FILE } from '@terrane/registry/lock-file-name';
import { type OwnVersions, ownVersions } from './own-versions.ts';
import type { Project } from './project.ts';

/** Versions of the program and its selected providers. */
export interface Versions extends OwnVersions {
  /** versions in the lock file, sorted by source address */
  readonly selections: ReadonlyMap<string, string>;
}

/** Returns the versions of the program and of the providers in the lock file. */
export async function versions(project: Project): Promise<Versions> {
  const program = ownVersions(project.host.environment);
  return { ...program, selections: await selectedProviders(project) };
}

/** Returns the provider selections of the lock file. Loads the parser only if there is one, which most calls avoid. */
async function selectedProviders(project: Project): Promise<ReadonlyMap<string, string>> {
  if (project.host.files.statSync(LOCK_FILE) === undefined) return new Map();
  const { readDependencyLock } = await import('./locked-packages.ts');
  const { providers } = readDependencyLock(project.host.files);
  const selections = [...providers].map(([source, { version }]) => [source.text, version] as const);
  return new Map(selections.sort(([a], [b]) => (a < b ? -1 : 1)));
}
