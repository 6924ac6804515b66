/** The content of a file: `content` as programs see it, `durable` as it would be after a power failure. */
export interface MemoryNode {
  readonly id: number;
  content: Uint8Array;
  durable: Uint8Array;
  mode: number;
  mtimeMs: number;
}

/**
 * The unsynced data that survives a crash: `nothing`; `everything`, as when only the process is killed; `names`, new
 * names without their unsynced bytes; `torn`, names and half of the unsynced bytes.
 */
export type Survival = 'nothing' | 'everything' | 'names' | 'torn';

/** The persistent content of a machine: files by absolute path, and directories. Shared by its processes. */
export class MemoryDisk {
  /** names as programs see them */
  names: Map<string, MemoryNode> = new Map();
  /** names on the disk after a crash */
  durableNames: Map<string, MemoryNode> = new Map();
  readonly directories: Set<string> = new Set(['/']);
  /** the lock holder of each locked file */
  readonly locks: Map<MemoryNode, unknown> = new Map();
  #nextId = 1;

  /** Creates an empty file without a name. */
  newNode(mode: number, mtimeMs: number): MemoryNode {
    return {
      id: this.#nextId++,
      content: new Uint8Array(),
      durable: new Uint8Array(),
      mode,
      mtimeMs,
    };
  }

  /** Makes the visible names in a directory durable. */
  syncNames(directory: string): void {
    for (const path of this.durableNames.keys()) {
      if (parentOf(path) === directory && !this.names.has(path)) this.durableNames.delete(path);
    }
    for (const [path, node] of this.names) {
      if (parentOf(path) === directory) this.durableNames.set(path, node);
    }
  }

  /** Returns the disk after a crash of the machine or process at this point. It has no locks. */
  survive(survival: Survival): MemoryDisk {
    const disk = new MemoryDisk();
    disk.#nextId = this.#nextId;
    for (const directory of this.directories) disk.directories.add(directory);
    const names = survival === 'nothing' ? this.durableNames : this.names;
    for (const [path, node] of names) {
      const content = survivingContent(node, survival);
      const copy: MemoryNode = { ...node, content, durable: content };
      disk.names.set(path, copy);
      disk.durableNames.set(path, copy);
    }
    return disk;
  }
}

function survivingContent(node: MemoryNode, survival: Survival): Uint8Array {
  switch (survival) {
    case 'everything':
      return node.content;
    case 'nothing':
    case 'names':
      return node.durable;
    case 'torn': {
      if (node.content.length <= node.durable.length) return node.durable;
      const lost = Math.ceil((node.content.length - node.durable.length) / 2);
      return node.content.subarray(0, node.content.length - lost);
    }
  }
}

/** Returns the directory of an absolute path. */
export function parentOf(path: string): string {
  const slash = path.lastIndexOf('/');
  return slash <= 0 ? '/' : path.slice(0, slash);
}
