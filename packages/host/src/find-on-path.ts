import { pathsOf } from './file-paths.ts';

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
 * entries of `PATH` are skipped: they would run files of the working directory, which may be untrusted. On Windows, the
 * extensions in `PATHEXT` are tried for a name without one, because a file without an extension is not executable.
 */
export async function findOnPath(
  name: string,
  { path = '', platform, endings, isExecutable }: ProgramSearch,
): Promise<string | undefined> {
  const { join } = pathsOf({ platform });
  const suffixes = platform === 'win32' ? suffixesFor(name, endings) : [''];
  for (const directory of absoluteEntries(path, platform)) {
    for (const suffix of suffixes) {
      const candidate = join(directory, `${name}${suffix}`);
      if (await isExecutable(candidate)) return candidate;
    }
  }
  return undefined;
}

/** Extensions to try for a program on Windows; one in the name itself comes first. */
function suffixesFor(name: string, endings: string | undefined): readonly string[] {
  const suffixes = (endings || '.COM;.EXE;.BAT;.CMD').split(';').filter((each) => each !== '');
  const hasSuffix = suffixes.some((each) => name.toLowerCase().endsWith(each.toLowerCase()));
  return hasSuffix ? ['', ...suffixes] : suffixes;
}

function absoluteEntries(path: string, platform: string): readonly string[] {
  const { delimiter, isAbsolute } = pathsOf({ platform });
  // In Windows, entries may be quoted, and `\bin` is on the current drive.
  if (platform !== 'win32') return path.split(delimiter).filter((each) => isAbsolute(each));
  const entries = path.split(delimiter).map((each) => each.replaceAll('"', ''));
  return entries.filter((each) => isAbsolute(each) && !/^[/\\](?![/\\])/.test(each));
}

/** Returns a `PATH` without its empty and relative entries, for programs that run in a directory of others. */
export function absolutePathEntries(path: string, platform: string): string {
  return absoluteEntries(path, platform).join(pathsOf({ platform }).delimiter);
}
