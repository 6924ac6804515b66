const REASONS: ReadonlyMap<unknown, string> = new Map([
  ['ENOENT', 'no such file or directory'],
  ['EACCES', 'permission denied'],
  ['ENOTDIR', 'not a directory'],
  ['EISDIR', 'is a directory'],
]);

/** Says of an error of the file system what was done to which path: `open a/b: permission denied`. */
export function pathProblem(action: string, path: string, error: unknown): Error {
  const code = error instanceof Error && 'code' in error ? error.code : undefined;
  const reason = REASONS.get(code) ?? (error instanceof Error ? error.message : String(error));
  return new Error(`${action} ${path}: ${reason}`);
}
