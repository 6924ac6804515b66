import { isAbsolute, type ProjectFiles, resolvePath } from '@terrane/analysis';
import type { FileSystem } from '@terrane/host';

/** The size up to which the configuration and functions such as `file` read files. */
const MAX_BYTES = 64 * 1024 * 1024;

/**
 * Files of a directory in which open documents replace those on disk. Reading is redirected to `files`, which takes
 * absolute paths; everything else goes to `disk`.
 */
export function overlayFiles(disk: FileSystem, files: ProjectFiles, directory: string): FileSystem {
  const absolute = (path: string): string => {
    const plain = path.replaceAll('\\', '/');
    return isAbsolute(plain) ? plain : resolvePath(directory, plain);
  };
  const read = (path: string, limit = Number.POSITIVE_INFINITY): Uint8Array => {
    const absolutePath = absolute(path);
    const stat = files.statSync(absolutePath);
    // A device or pipe that an expression names would block the server, or never end.
    if (stat !== undefined && (stat.kind === 'other' || stat.size > limit))
      throw Object.assign(new Error(`EINVAL: invalid argument, open '${path}'`), {
        code: 'EINVAL',
      });
    return files.readFileSync(absolutePath);
  };
  const reading: Partial<FileSystem> = {
    readFileSync: (path) => read(path, MAX_BYTES),
    readFile: (path) => Promise.resolve().then(() => read(path)),
    readText: (path) => Promise.resolve().then(() => new TextDecoder().decode(read(path))),
    readDirectorySync: (path) => files.readDirectorySync(absolute(path)),
    statSync: (path) => files.statSync(absolute(path)),
  };
  return new Proxy(disk, {
    get(target, property) {
      const override = Reflect.get(reading, property);
      if (override !== undefined) return override;
      const value: unknown = Reflect.get(target, property, target);
      return typeof value === 'function' ? value.bind(target) : value;
    },
  });
}
