import { type Diagnostic, errorDiagnostic } from '@terrane/hcl';
import { type FileSystem, userErrorText } from '@terrane/host';
import { lockFileText, type ProviderLocks } from './dependency-lock.ts';
import { LOCK_FILE } from './lock-file-name.ts';

/** Writes the lock file atomically. */
export async function writeDependencyLock(
  files: Pick<FileSystem, 'replaceFile'>,
  locks: ProviderLocks,
  path: string = LOCK_FILE,
): Promise<Diagnostic[]> {
  try {
    await files.replaceFile(path, lockFileText(locks), { mode: 0o644 });
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
