import { TERRAFORM_VERSION, TERRANE_VERSION } from '@terrane/engine/version';
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
  const { platform, arch } = project.host.environment;
  return {
    terraform: TERRAFORM_VERSION,
    terrane: TERRANE_VERSION,
    platform: `${platform === 'win32' ? 'windows' : platform}_${goArchitecture(arch)}`,
    selections: await selectedProviders(project),
  };
}

/** What the lock file selects; reading one needs the language, which most calls can do without. */
async function selectedProviders(project: Project): Promise<ReadonlyMap<string, string>> {
  if (project.host.files.statSync(LOCK_FILE) === undefined) return new Map();
  const { readDependencyLock } = await import('./locked-packages.ts');
  const { providers } = readDependencyLock(project.host.files);
  const selections = [...providers].map(([source, { version }]) => [source.text, version] as const);
  return new Map(selections.sort(([a], [b]) => (a < b ? -1 : 1)));
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
