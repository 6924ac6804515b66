/** A package that could not be had; the message says why, in the words of Terraform where it has some. */
export class FetchFailed extends Error {
  constructor(message: string, cause?: unknown) {
    super(message, { cause });
    this.name = 'FetchFailed';
  }
}

/** What to tell of an error: what it says, and for errors of files also what was tried, as Go does. */
export function failureText(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  const { code, syscall, path } = error as Error & Record<'code' | 'syscall' | 'path', unknown>;
  if (typeof code === 'string' && typeof syscall === 'string' && typeof path === 'string') {
    return `${syscall} ${path}: ${FILE_ERRORS[code] ?? code}`;
  }
  return error.message;
}

const FILE_ERRORS: Readonly<Record<string, string>> = {
  EACCES: 'permission denied',
  EEXIST: 'file exists',
  EISDIR: 'is a directory',
  ELOOP: 'too many levels of symbolic links',
  ENOENT: 'no such file or directory',
  ENOSPC: 'no space left on device',
  ENOTDIR: 'not a directory',
  EPERM: 'operation not permitted',
  EROFS: 'read-only file system',
};
