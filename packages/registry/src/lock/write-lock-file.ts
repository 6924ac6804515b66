import { type Diagnostic, errorDiagnostic } from '@terrane/hcl';
import { type FileSystem, userErrorText } from '@terrane/host';
import { lockFileText, type ProviderLocks } from './dependency-lock.ts';
import { LOCK_FILE } from './lock-file-name.ts';
import type { ModuleLocks } from './module-locks.ts';
import { readDependencyLock } from './read-lock-file.ts';

/** Writes the lock file atomically. By default, the locks of modules that it contains are retained. */
export async function writeDependencyLock(
  files: Pick<FileSystem, 'replaceFile' | 'statSync' | 'readFileSync'>,
  locks: ProviderLocks,
  path: string = LOCK_FILE,
  modules: ModuleLocks = readDependencyLock(files, path).modules,
): Promise<Diagnostic[]> {
  try {
    await files.replaceFile(path, lockFileText(locks, modules), { mode: 0o644 });
    return [];
  } catch (error) {
    return [
      errorDiagnostic(
        'Failed to update dependency lock file',
        `Error while writing new dependency lock information to ${path}: ${userErrorText(error)}.`,
      ),
    ];
  }
}
