/** The archive format of a package. */
export type ArchiveKind = 'zip' | 'tar.gz' | 'tar.bz2' | 'tar.xz' | 'gz' | 'bz2' | 'xz';

/** Archive formats by file name extension and value of `?archive=`. */
const NAMES: ReadonlyMap<string, ArchiveKind> = new Map([
  ['zip', 'zip'],
  ['tar.gz', 'tar.gz'],
  ['tgz', 'tar.gz'],
  ['tar.bz2', 'tar.bz2'],
  ['tar.tbz2', 'tar.bz2'],
  ['tbz2', 'tar.bz2'],
  ['tar.xz', 'tar.xz'],
  ['txz', 'tar.xz'],
  ['gz', 'gz'],
  ['bz2', 'bz2'],
  ['xz', 'xz'],
]);

/** Returns the archive kind for `?archive=`; undefined for other names, with which the file is not unpacked. */
export function archiveKind(name: string): ArchiveKind | undefined {
  return NAMES.get(name);
}

/** Returns the archive kind of the longest matching file extension; undefined if none matches. */
export function archiveKindOfPath(path: string): ArchiveKind | undefined {
  let longest = '';
  for (const name of NAMES.keys()) {
    if (path.endsWith(`.${name}`) && name.length > longest.length) longest = name;
  }
  return NAMES.get(longest);
}
