import { type Diagnostic, errorDiagnostic, formatSource } from '@terrane/hcl';
import { type FileSystem, userErrorText } from '@terrane/host';

/** A file to write: its text before and after. */
export interface FileChange {
  /** relative to the working directory */
  readonly path: string;
  /** undefined if the file is new */
  readonly before: string | undefined;
  readonly after: string;
}

/**
 * Writes files, atomically one by one, in order. A file that changed since it was read is an error, before anything is
 * written. After a failure, the files that were already written are named.
 */
export async function writeFiles(
  files: FileSystem,
  changes: readonly FileChange[],
  mode: number = 0o644,
): Promise<readonly Diagnostic[]> {
  for (const { path, before } of changes) {
    const fileExists = (await files.stat(path)) !== undefined;
    const isSame =
      before === undefined ? !fileExists : fileExists && (await files.readText(path)) === before;
    if (isSame) continue;
    return [
      errorDiagnostic(
        'File changed in the meantime',
        `The file ${path} was changed while the refactoring was prepared, so nothing was written. Run the command again.`,
      ),
    ];
  }
  const written: string[] = [];
  for (const { path, after } of changes) {
    try {
      const slash = path.lastIndexOf('/');
      if (slash > 0) await files.makeDirectory(path.slice(0, slash));
      await files.replaceFile(path, after, { mode });
      written.push(path);
    } catch (error) {
      const rest =
        written.length === 0
          ? 'No file was changed.'
          : `These files were already written: ${written.join(', ')}.`;
      return [
        errorDiagnostic(
          'Failed to write configuration',
          `Error while writing ${path}: ${userErrorText(error)}. ${rest}`,
        ),
      ];
    }
  }
  return [];
}

/** Returns true if a text is in canonical style, which edits must preserve. */
export function keepsFormat(text: string | undefined): boolean {
  return text === undefined || formatSource(text) === text;
}

/** Formats the new text of a file if the old one is formatted; other files are left as they are. */
export function keepFormatted(before: string | undefined, after: string): string {
  return keepsFormat(before) ? formatSource(after) : after;
}
