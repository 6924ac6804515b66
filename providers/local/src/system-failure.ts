import { userErrorText } from '@terrane/host';

const TEXTS: Readonly<Record<string, string>> = {
  EACCES: 'permission denied',
  EBUSY: 'device or resource busy',
  EDQUOT: 'disk quota exceeded',
  EEXIST: 'file exists',
  EINVAL: 'invalid argument',
  EIO: 'input/output error',
  EISDIR: 'is a directory',
  ELOOP: 'too many levels of symbolic links',
  EMFILE: 'too many open files',
  ENAMETOOLONG: 'file name too long',
  ENOENT: 'no such file or directory',
  ENOSPC: 'no space left on device',
  ENOTDIR: 'not a directory',
  EPERM: 'operation not permitted',
  EROFS: 'read-only file system',
  ETXTBSY: 'text file busy',
};

/** The code of a system error (`ENOENT`), if it is one. */
export function codeOf(problem: unknown): string | undefined {
  if (!(problem instanceof Error) || !('code' in problem)) return undefined;
  return typeof problem.code === 'string' ? problem.code : undefined;
}

/** Formats a failed file operation as the published provider does: `open x: no such file or directory`. */
export function systemFailure(operation: string, path: string, problem: unknown): string {
  const code = codeOf(problem);
  const text = code === undefined ? undefined : TEXTS[code];
  const fallback = userErrorText(problem);
  return `${operation} ${path}: ${text ?? fallback}`;
}

/** Variant of `systemFailure` for reading a file, for which directories are detected only after opening. */
export function readFailure(path: string, problem: unknown): string {
  return systemFailure(codeOf(problem) === 'EISDIR' ? 'read' : 'open', path, problem);
}
