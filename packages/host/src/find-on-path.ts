import { isAbsolute, join } from 'node:path';

/** The directories and extensions for program lookup. */
export interface ProgramSearch {
  /** the value of the variable `PATH` */
  readonly path: string | undefined;
  /** as Node's `process.platform` */
  readonly platform: string;
  /** the value of the variable `PATHEXT`, on Windows */
  readonly endings?: string | undefined;
  readonly isExecutable: (path: string) => Promise<boolean>;
}

/**
 * Returns the path of a program by its name, as a shell resolves it; undefined if it is not found. Empty and relative
 * entries of `PATH` are skipped: they would run files of the working directory, which may be untrusted.
 */
export async function findOnPath(
  name: string,
  { path = '', platform, endings, isExecutable }: ProgramSearch,
): Promise<string | undefined> {
  const windows = platform === 'win32';
  const suffixes = windows ? ['', ...(endings ?? '.COM;.EXE').split(';')] : [''];
  for (const directory of path.split(windows ? ';' : ':')) {
    if (!isAbsolute(directory)) continue;
    for (const suffix of suffixes) {
      const candidate = join(directory, `${name}${suffix}`);
      if (await isExecutable(candidate)) return candidate;
    }
  }
  return undefined;
}

/** Returns a `PATH` without its empty and relative entries, for programs that run in a directory of others. */
export function absolutePathEntries(path: string, platform: string): string {
  const separator = platform === 'win32' ? ';' : ':';
  return path.split(separator).filter(isAbsolute).join(separator);
}
