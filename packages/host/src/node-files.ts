import { resolve } from 'node:path';
import type { FileSystem } from './file-system.ts';
import { ownPlatform } from './node-environment.ts';
import { throwWithPath } from './node-file-errors.ts';
import { contentReaders, entryReaders } from './node-file-reading.ts';
import { contentWriters, entryWriters } from './node-file-writing.ts';

/**
 * Accesses the files of this machine; relative paths are resolved against `cwd`. Errors are formatted as in Go, with
 * the path as the caller passed it.
 */
export function nodeFiles(cwd: string, platform: string = ownPlatform): FileSystem {
  const nameRules = NAME_RULES.get(platform);
  return { ...inWords(plainFiles(cwd, platform)), ...(nameRules !== undefined && { nameRules }) };
}

const NAME_RULES: ReadonlyMap<string, NonNullable<FileSystem['nameRules']>> = new Map([
  ['win32', 'windows'],
  ['darwin', 'macos'],
]);

/** Wraps a file system so that its errors have messages for users. */
function inWords(files: FileSystem): FileSystem {
  const wrappedMethods = Object.entries(files).map(([name, method]) => {
    const call = (...args: readonly unknown[]): unknown => {
      const paths = args.slice(0, OF_TWO_PATHS.has(name) ? 2 : 1).join(' ');
      try {
        const result: unknown = Reflect.apply(method, files, args);
        return result instanceof Promise ? result.catch(throwWithPath(paths)) : result;
      } catch (error) {
        return throwWithPath(paths)(error);
      }
    };
    return [name, call] as const;
  });
  // Each method is wrapped under its name, with its own arguments.
  return Object.fromEntries(wrappedMethods) as unknown as FileSystem;
}

/** Operations whose errors contain two paths. */
const OF_TWO_PATHS = new Set(['symbolicLink', 'rename', 'copyFile']);

function plainFiles(cwd: string, platform: string): FileSystem {
  const at = (path: string): string => resolve(cwd, path);
  return {
    ...contentReaders(at),
    ...entryReaders(at),
    ...contentWriters(at, platform),
    ...entryWriters(at, platform),
  };
}
