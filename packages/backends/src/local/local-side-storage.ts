import { type Host, pathsOf, type SideStorage, sideNameSegments } from '@terrane/host';

/**
 * Returns the storage of further data beside a local state: files that only their owner can read, in a
 * directory that the first write creates.
 */
export function localSideStorage(
  { files, environment }: Pick<Host, 'files' | 'environment'>,
  directory: string,
): SideStorage {
  const paths = pathsOf(environment);
  const pathOf = (name: string): string => paths.join(directory, ...sideNameSegments(name));
  const created = new Set<string>();
  return {
    async read(name) {
      const path = pathOf(name);
      return (await files.stat(path)) === undefined ? undefined : await files.readFile(path);
    },
    async write(name, content) {
      const path = pathOf(name);
      const parent = paths.dirname(path);
      if (!created.has(parent)) await files.makeDirectory(parent);
      created.add(parent);
      await files.replaceFile(path, content, { mode: 0o600, isPrivate: true });
    },
    async remove(name, options) {
      await files.remove(pathOf(name), options);
    },
  };
}
