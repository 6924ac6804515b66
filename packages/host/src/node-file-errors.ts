import { errorText } from './error-text.ts';
import { fileError } from './file-error.ts';

/** Returns a handler that rethrows file errors with Go's wording and the original path. */
export function throwWithPath(path: string): (error: unknown) => never {
  return (error) => {
    if (error instanceof Error && fileError(error) !== undefined) {
      Object.assign(error, { message: errorText(error, path), path });
    }
    throw error;
  };
}

/** Adds the path to errors of operations on open files, which do not name it. */
export function addPath(error: unknown, path: string): unknown {
  return error instanceof Error && !('path' in error) ? Object.assign(error, { path }) : error;
}
