import {
  type DirectoryEntry,
  type Environment,
  type FileStat,
  type FileSystem,
  type Host,
  pathsOf,
} from '@terrane/host';

/** Texts of files by path, relative to the working directory or absolute. */
export type FileTexts = ReadonlyMap<string, string>;

/**
 * Returns a read-only host in which texts replace or extend the files on disk, so that a changed configuration can be
 * planned without writing it. `cwd` replaces the working directory.
 */
export function overlayHost(
  host: Host,
  texts: FileTexts,
  cwd: string = host.environment.cwd,
): Host {
  const { environment } = host;
  return {
    ...host,
    environment: withDirectory(environment, cwd),
    files: overlayFiles(host.files, texts, environment, cwd),
  };
}

function withDirectory(environment: Environment, cwd: string): Environment {
  return {
    get: (name) => environment.get(name),
    entries: () => environment.entries(),
    cwd,
    platform: environment.platform,
    arch: environment.arch,
    homeDirectory: environment.homeDirectory,
    hostName: environment.hostName,
    get userName() {
      return environment.userName;
    },
    pid: environment.pid,
    processIdentity: (pid) => environment.processIdentity(pid),
  };
}

function overlayFiles(
  base: FileSystem,
  texts: FileTexts,
  environment: Environment,
  cwd: string,
): FileSystem {
  const paths = pathsOf(environment);
  const at = (path: string): string => paths.resolve(cwd, path);
  const overlaid = new Map(
    [...texts].map(([path, text]) => [
      paths.resolve(environment.cwd, path),
      new TextEncoder().encode(text),
    ]),
  );
  const directories = new Set<string>();
  for (const path of overlaid.keys()) {
    for (let each = paths.dirname(path); !directories.has(each); each = paths.dirname(each)) {
      directories.add(each);
    }
  }
  const statOf = (path: string): FileStat | undefined => {
    const bytes = overlaid.get(at(path));
    const size = bytes?.length ?? 0;
    const kind = bytes === undefined ? 'directory' : 'file';
    if (bytes === undefined && !directories.has(at(path))) return undefined;
    return { kind, size, mtimeMs: 0, mode: 0o644, inode: 0 };
  };
  const inside = (path: string): readonly DirectoryEntry[] => {
    const directory = at(path);
    const entry = (kind: DirectoryEntry['kind']) => (each: string) => ({
      name: paths.basename(each),
      kind,
    });
    const isIn = (each: string): boolean => each !== directory && paths.dirname(each) === directory;
    return [
      ...[...overlaid.keys()].filter(isIn).map(entry('file')),
      ...[...directories].filter(isIn).map(entry('directory')),
    ];
  };
  const merged = (path: string, entries: readonly DirectoryEntry[]): readonly DirectoryEntry[] => {
    const byName = new Map(entries.map((each) => [each.name, each]));
    for (const each of inside(path)) if (!byName.has(each.name)) byName.set(each.name, each);
    return [...byName.values()].sort((a, b) => (a.name < b.name ? -1 : 1));
  };
  const refuse = (path: string): Promise<never> =>
    Promise.reject(
      Object.assign(new Error(`EROFS: read-only file system, open '${path}'`), { code: 'EROFS' }),
    );
  return {
    ...(base.nameRules === undefined ? {} : { nameRules: base.nameRules }),
    async readFile(path) {
      return overlaid.get(at(path)) ?? (await base.readFile(at(path)));
    },
    readFileSync: (path) => overlaid.get(at(path)) ?? base.readFileSync(at(path)),
    async readText(path) {
      const bytes = overlaid.get(at(path));
      return bytes === undefined ? await base.readText(at(path)) : new TextDecoder().decode(bytes);
    },
    async openRead(path) {
      const bytes = overlaid.get(at(path));
      if (bytes === undefined) return await base.openRead(at(path));
      return {
        size: bytes.length,
        read: (offset, length) => Promise.resolve(bytes.subarray(offset, offset + length)),
        close: () => Promise.resolve(),
      };
    },
    async readDirectory(path) {
      const isReal = (await base.stat(at(path))) !== undefined;
      if (!isReal && directories.has(at(path))) return merged(path, []);
      return merged(path, await base.readDirectory(at(path)));
    },
    readDirectorySync(path) {
      const isReal = base.statSync(at(path)) !== undefined;
      if (!isReal && directories.has(at(path))) return merged(path, []);
      return merged(path, base.readDirectorySync(at(path)));
    },
    async stat(path) {
      return overlaid.has(at(path)) ? statOf(path) : ((await base.stat(at(path))) ?? statOf(path));
    },
    statSync: (path) =>
      overlaid.has(at(path)) ? statOf(path) : (base.statSync(at(path)) ?? statOf(path)),
    async realPath(path) {
      return statOf(path) === undefined ? await base.realPath(at(path)) : at(path);
    },
    readLink: async (path) => (overlaid.has(at(path)) ? undefined : await base.readLink(at(path))),
    readLinkSync: (path) => (overlaid.has(at(path)) ? undefined : base.readLinkSync(at(path))),
    writeFile: refuse,
    replaceFile: refuse,
    openAppend: refuse,
    createExclusive: refuse,
    makeDirectory: refuse,
    remove: refuse,
    removeTree: refuse,
    rename: refuse,
    chmod: refuse,
    copyFile: refuse,
    symbolicLink: refuse,
    lock: refuse,
    removeLeftovers: () => Promise.resolve(),
  };
}
