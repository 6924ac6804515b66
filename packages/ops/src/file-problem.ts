/** Why a file could not be read, with its path as it was given, in Go's words. */
export function fileProblem(path: string, error: unknown): string {
  const code = error instanceof Error && 'code' in error ? error.code : undefined;
  switch (code) {
    case 'ENOENT':
      return `open ${path}: no such file or directory`;
    case 'ENOTDIR':
      return `open ${path}: not a directory`;
    case 'EACCES':
      return `open ${path}: permission denied`;
    case 'EISDIR':
      return `read ${path}: is a directory`;
    default:
      return error instanceof Error ? error.message : String(error);
  }
}
