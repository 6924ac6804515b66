import { isAbsolute, type ProjectFiles, resolvePath } from '@terrane/analysis';
import type { FileSystem } from '@terrane/host';

/**
 * Files of a directory in which open documents replace those on disk. Reading is redirected to `files`, which takes
 * absolute paths; everything else goes to `disk`.
 */
export function overlayFiles(disk: FileSystem, files: ProjectFiles, directory: string): FileSystem {
  const absolute = (path: string): string => {
    const plain = path.replaceAll('\\', '/');
    return isAbsolute(plain) ? plain : resolvePath(directory, plain);
  };
  const reading: Partial<FileSystem> = {
    readFileSync: (path) => files.readFileSync(absolute(path)),
    readFile: (path) => Promise.resolve().then(() => files.readFileSync(absolute(path))),
    readText: (path) =>
      Promise.resolve().then(() => new TextDecoder().decode(files.readFileSync(absolute(path)))),
    readDirectorySync: (path) => files.readDirectorySync(absolute(path)),
    statSync: (path) => files.statSync(absolute(path)),
  };
  return new Proxy(disk, {
    get(target, property) {
      const own = Reflect.get(reading, property);
      if (own !== undefined) return own;
      const value: unknown = Reflect.get(target, property, target);
      return typeof value === 'function' ? value.bind(target) : value;
    },
  });
}
