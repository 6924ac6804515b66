import { fileKindOf } from '@terrane/analysis';
import type { FileSystem } from '@terrane/host';

/** Limits of a scan, so that opening a home directory does not read it all. */
const MAX_DIRECTORIES = 50_000;
const MAX_DEPTH = 20;
const SKIPPED: ReadonlySet<string> = new Set(['node_modules', 'vendor', 'target', 'dist']);

/** Returns the directories below the folders that contain configuration or test files, without reading the files. */
export async function moduleDirectories(
  files: Pick<FileSystem, 'readDirectory'>,
  folders: readonly string[],
): Promise<readonly string[]> {
  const directories: string[] = [];
  let level = [...folders];
  let visited = 0;
  for (let depth = 0; depth < MAX_DEPTH && level.length > 0; depth++) {
    const next: string[] = [];
    for (const directory of level) {
      if (visited++ >= MAX_DIRECTORIES) return directories;
      let entries;
      try {
        entries = await files.readDirectory(directory);
      } catch {
        // An unreadable directory has no modules for us.
        continue;
      }
      let isModule = false;
      for (const { name, kind } of entries) {
        if (kind === 'directory') {
          // Links are not followed, so that there are no cycles.
          if (!name.startsWith('.') && !SKIPPED.has(name)) next.push(`${directory}/${name}`);
        } else if (!isModule) {
          const role = fileKindOf(name)?.role;
          isModule = role === 'module' || role === 'test' || role === 'query';
        }
      }
      if (isModule) directories.push(directory);
    }
    level = next;
  }
  return directories;
}
