import { fileError, userErrorText } from '@terrane/host';

/** Returns a file system error with the operation and the path: `open a/b: permission denied`. */
export function pathProblem(action: string, path: string, error: unknown): Error {
  const reason = fileError(error)?.reason ?? userErrorText(error);
  return new Error(`${action} ${path}: ${reason}`);
}
