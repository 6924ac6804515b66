import { pathsOf, type Environment } from '@terrane/host';

/** Files in the directory of a local state that belong to it. */
export interface LocalStateFiles {
  /** the file with the lock holder, named as in Terraform */
  readonly lockInfo: string;
  readonly journal: string;
  /** directory of the side storage for the history of runs */
  readonly history: string;
  /** Terraform's default for `-backup` */
  readonly backup: string;
}

/** The files beside the state at `path`. */
export function localStateFiles(
  path: string,
  environment: Pick<Environment, 'platform'>,
): LocalStateFiles {
  const { basename, dirname, join } = pathsOf(environment);
  const name = basename(path).replace(/^\./, '');
  return {
    lockInfo: join(dirname(path), `.${name}.lock.info`),
    journal: join(dirname(path), `.${name}.journal`),
    history: join(dirname(path), `.${name}.history`),
    backup: `${path}.backup`,
  };
}

/** Returns the path of the backup that `state mv`, `state rm` and similar commands write. */
export function timestampedBackupPath(path: string, now: Date): string {
  return `${path}.${Math.floor(now.getTime() / 1000)}.backup`;
}
