import { posix } from 'node:path';
import type { DirectoryEntry, FileStat, FileSystem } from '@terrane/host';

/** Returns the files of a configuration at the time of its plan, which replace the directory. */
export function snapshotFiles(
  sources: ReadonlyMap<string, string>,
): Pick<FileSystem, 'readFileSync' | 'readDirectorySync' | 'statSync'> {
  const texts = new Map<string, string>();
  const directories = new Map<string, Map<string, DirectoryEntry['kind']>>([['.', new Map()]]);
  for (const [name, text] of sources) {
    const path = posix.normalize(name);
    texts.set(path, text);
    let child = path;
    let kind: DirectoryEntry['kind'] = 'file';
    for (;;) {
      const parent = posix.dirname(child);
      // Parents of the configuration directory have no name in it.
      if (parent === child || posix.basename(child) === '..') break;
      let entries = directories.get(parent);
      if (entries === undefined) directories.set(parent, (entries = new Map()));
      entries.set(posix.basename(child), kind);
      if (parent === '.') break;
      child = parent;
      kind = 'directory';
    }
  }
  const stat = (kind: FileStat['kind'], size: number): FileStat => ({
    kind,
    size,
    mtimeMs: 0,
    mode: 0o600,
    inode: 0,
  });
  return {
    readFileSync(path) {
      const text = texts.get(posix.normalize(path));
      if (text === undefined) throw new Error(`the plan has no file ${path}`);
      return Buffer.from(text);
    },
    readDirectorySync(path) {
      const entries = directories.get(directoryKey(path));
      if (entries === undefined) throw new Error(`the plan has no directory ${path}`);
      return [...entries].map(([name, kind]) => ({ name, kind }));
    },
    statSync(path) {
      const text = texts.get(posix.normalize(path));
      if (text !== undefined) return stat('file', text.length);
      return directories.has(directoryKey(path)) ? stat('directory', 0) : undefined;
    },
  };
}

function directoryKey(path: string): string {
  return posix.normalize(path).replace(/(?<=.)\/$/, '');
}
