import { LOCK_FILE } from '@terrane/registry/lock-file-name';
import { type OwnVersions, ownVersions } from './own-versions.ts';
import type { Project } from './project.ts';

/** What `version` tells. */
export interface Versions extends OwnVersions {
  /** versions in the lock file, by source address, in order */
  readonly selections: ReadonlyMap<string, string>;
}

/** Versions of the program and of the providers that the lock file selects. */
export async function versions(project: Project): Promise<Versions> {
  const program = ownVersions(project.host.environment);
  return { ...program, selections: await selectedProviders(project) };
}

/** What the lock file selects; reading one needs the language, which most calls can do without. */
async function selectedProviders(project: Project): Promise<ReadonlyMap<string, string>> {
  if (project.host.files.statSync(LOCK_FILE) === undefined) return new Map();
  const { readDependencyLock } = await import('./locked-packages.ts');
  const { providers } = readDependencyLock(project.host.files);
  const selections = [...providers].map(([source, { version }]) => [source.text, version] as const);
  return new Map(selections.sort(([a], [b]) => (a < b ? -1 : 1)));
}
