import { fileError } from '@terrane/host';

/** Says of an error of the file system what was done to which path: `open a/b: permission denied`. */
export function pathProblem(action: string, path: string, error: unknown): Error {
  const reason =
    fileError(error)?.reason ?? (error instanceof Error ? error.message : String(error));
  return new Error(`${action} ${path}: ${reason}`);
}
