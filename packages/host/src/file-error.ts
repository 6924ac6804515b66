/** File system error messages by code, worded as in Go. */
const REASONS: ReadonlyMap<string, string> = new Map([
  ['EACCES', 'permission denied'],
  ['EBUSY', 'device or resource busy'],
  ['EDQUOT', 'disk quota exceeded'],
  ['EEXIST', 'file exists'],
  ['EFBIG', 'file too large'],
  ['EIO', 'input/output error'],
  ['EISDIR', 'is a directory'],
  ['ELOOP', 'too many levels of symbolic links'],
  ['EMFILE', 'too many open files'],
  ['ENAMETOOLONG', 'file name too long'],
  ['ENFILE', 'too many open files in system'],
  ['ENOENT', 'no such file or directory'],
  ['ENOSPC', 'no space left on device'],
  ['ENOTDIR', 'not a directory'],
  ['ENOTEMPTY', 'directory not empty'],
  ['EPERM', 'operation not permitted'],
  ['EROFS', 'read-only file system'],
  ['ESTALE', 'stale file handle'],
  ['ETXTBSY', 'text file busy'],
  ['EXDEV', 'invalid cross-device link'],
]);

/** A file system error: the operation, the path, the system's message and its code. */
export interface FileError {
  readonly action: string;
  readonly path: string;
  readonly code: string;
  /** the message text of the code */
  readonly reason: string;
}

/** Returns the details of a file system error; undefined for other errors. */
export function fileError(error: unknown): FileError | undefined {
  if (!(error instanceof Error)) return undefined;
  const { code, syscall, path } = error as Error & Record<'code' | 'syscall' | 'path', unknown>;
  if (typeof code !== 'string' || typeof syscall !== 'string') return undefined;
  const reason = REASONS.get(code);
  // Sockets and programs fail with such codes too.
  if (reason === undefined || OTHER_ACTIONS.has(syscall.split(' ')[0] ?? '')) return undefined;
  return {
    action: syscall === 'scandir' ? 'open' : syscall,
    path: typeof path === 'string' ? path : '',
    code,
    reason,
  };
}

const OTHER_ACTIONS = new Set(['connect', 'listen', 'bind', 'spawn']);

/** Returns advice on how to resolve a file system error. */
export function fileErrorAdvice({ code }: FileError): string {
  switch (code) {
    case 'EACCES':
    case 'EPERM':
      return 'Check who owns it and which permissions it and the directories above it have.';
    case 'ENOSPC':
    case 'EDQUOT':
      return 'Make room on that disk, or work on another one.';
    case 'EROFS':
      return 'Work in a directory that can be written to; TF_DATA_DIR moves the directory ".terraform".';
    case 'ENOTDIR':
    case 'EEXIST':
      return 'There is a file where a directory is needed: move it away, or choose another place.';
    case 'EISDIR':
      return 'There is a directory where a file is needed: move it away, or choose another place.';
    case 'EMFILE':
    case 'ENFILE':
      return 'Allow more open files ("ulimit -n"), or lower -parallelism.';
    case 'ENOENT':
      return 'Check the path, and that nothing removes files meanwhile.';
    default:
      return 'Check that path, and the disk that it is on.';
  }
}
