import { TERRAFORM_VERSION, TERRANE_VERSION } from '@terrane/engine/version';
import type { DependencyLock } from '@terrane/registry';
import { LOCK_FILE } from '@terrane/registry/lock-file-name';
import type { Project } from './project.ts';

/** What `version` tells. */
export interface Versions {
  /** the version of Terraform whose language, states and plans are met */
  readonly terraform: string;
  readonly terrane: string;
  /** "linux_amd64", as Go names platforms */
  readonly platform: string;
  /** versions in the lock file, by source address, in order */
  readonly selections: ReadonlyMap<string, string>;
}

/** Versions of the program and of the providers that the lock file selects. */
export async function versions(project: Project): Promise<Versions> {
  const lock = await selectedProviders(project);
  const { platform, arch } = project.host.environment;
  const selections = [...lock.providers].map(
    ([source, { version }]) => [source.text, version] as const,
  );
  return {
    terraform: TERRAFORM_VERSION,
    terrane: TERRANE_VERSION,
    platform: `${platform === 'win32' ? 'windows' : platform}_${goArchitecture(arch)}`,
    selections: new Map(selections.sort(([a], [b]) => (a < b ? -1 : 1))),
  };
}

/** What the lock file selects; reading one needs the language, which most calls can do without. */
async function selectedProviders(project: Project): Promise<Pick<DependencyLock, 'providers'>> {
  if (project.host.files.statSync(LOCK_FILE) === undefined) return { providers: new Map() };
  return (await import('@terrane/registry')).readDependencyLock(project.host.files);
}

function goArchitecture(arch: string): string {
  switch (arch) {
    case 'x64':
      return 'amd64';
    case 'ia32':
      return '386';
    default:
      return arch;
  }
}
