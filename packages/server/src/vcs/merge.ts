import { diff3Merge } from 'node-diff3';
import { type ArchiveEntry, entriesOf, packEntries } from './archive.ts';

/** Limits of a merge; beyond them there is none. */
const LARGEST = {
  /** of a repository when unpacked: three of them are in memory */
  bytes: 64 * 1024 * 1024,
  /** of a file that both sides changed */
  fileBytes: 1024 * 1024,
  lines: 5_000,
  /** pairs of equal lines in all such files, which determine the time that the comparison takes */
  pairs: 500_000,
};

/** The archives of the commits of a merge. */
export interface MergeInput {
  /** a common ancestor */
  readonly ancestor: Uint8Array;
  readonly base: Uint8Array;
  readonly head: Uint8Array;
}

/**
 * Returns the archive of the merge of two commits, as Git merges them without renames: file by file, and line by line
 * where both have changed a file. Undefined if there are conflicts, or the repository is too large.
 */
export async function mergedArchive({
  ancestor,
  base,
  head,
}: MergeInput): Promise<Buffer | undefined> {
  let inputs: readonly Files[];
  try {
    inputs = await Promise.all([ancestor, base, head].map(filesOf));
  } catch (error) {
    // The limit of zlib for the size when unpacked.
    if (error instanceof RangeError) return undefined;
    throw error;
  }
  const [before = new Map(), ours = new Map(), theirs = new Map()] = inputs;
  const merged = mergedFiles(before, ours, theirs);
  return merged === undefined ? undefined : await packEntries([...merged.values()]);
}

/** Files and links by path. Git has no directories of their own. */
type Files = ReadonlyMap<string, ArchiveEntry>;

async function filesOf(archive: Uint8Array): Promise<Files> {
  const entries = await entriesOf(archive, LARGEST.bytes);
  return new Map(
    entries
      .filter(({ header: { type } }) => type !== 'directory')
      .map((entry) => [entry.header.name, entry]),
  );
}

/** Returns the files of a merge; undefined if there are conflicts. */
function mergedFiles(before: Files, ours: Files, theirs: Files): Files | undefined {
  const merged = new Map<string, ArchiveEntry>();
  let pairs = LARGEST.pairs;
  for (const path of new Set([...ours.keys(), ...theirs.keys()])) {
    const [old, our, their] = [before.get(path), ours.get(path), theirs.get(path)];
    let entry: ArchiveEntry | undefined;
    if (isSame(our, their) || isSame(old, their)) entry = our;
    else if (isSame(old, our)) entry = their;
    else if (old === undefined || our === undefined || their === undefined) return undefined;
    else {
      const lines = mergedLines(old, our, their, pairs);
      if (lines === undefined) return undefined;
      pairs -= lines.pairs;
      // The mode as well is that of the side that has changed it.
      const { header } = old.header.mode === our.header.mode ? their : our;
      entry = { header, data: lines.data };
    }
    if (entry !== undefined) merged.set(path, entry);
  }
  return hasFileAsDirectory(merged) ? undefined : merged;
}

/** Returns true if a path of one side is a directory on the other. */
function hasFileAsDirectory(files: Files): boolean {
  for (const path of files.keys()) {
    for (let at = path.lastIndexOf('/'); at > 0; at = path.lastIndexOf('/', at - 1)) {
      if (files.has(path.slice(0, at))) return true;
    }
  }
  return false;
}

const isFile = ({ header: { type } }: ArchiveEntry): boolean =>
  type === 'file' || type === undefined;
const bytesOf = ({ data }: ArchiveEntry): Buffer<ArrayBuffer> =>
  Buffer.from(data ?? new Uint8Array());

function isSame(one: ArchiveEntry | undefined, other: ArchiveEntry | undefined): boolean {
  if (one === undefined || other === undefined) return one === other;
  return (
    isFile(one) === isFile(other) &&
    one.header.mode === other.header.mode &&
    (one.header.linkname ?? '') === (other.header.linkname ?? '') &&
    bytesOf(one).equals(bytesOf(other))
  );
}

interface MergedLines {
  readonly data: Buffer<ArrayBuffer>;
  /** the pairs of equal lines that were compared */
  readonly pairs: number;
}

/** Merges a text file that both sides have changed; undefined if they changed the same lines. */
function mergedLines(
  old: ArchiveEntry,
  our: ArchiveEntry,
  their: ArchiveEntry,
  mostPairs: number,
): MergedLines | undefined {
  const contents = [old, our, their].map(bytesOf);
  const isText = (bytes: Buffer): boolean =>
    bytes.length <= LARGEST.fileBytes &&
    !bytes.includes(0) &&
    Buffer.from(bytes.toString('utf8')).equals(bytes);
  if (![old, our, their].every(isFile) || !contents.every(isText)) return undefined;
  const texts = contents.map((bytes) => bytes.toString('utf8').split(/(?<=\n)/));
  const start = commonLength(texts);
  const tails = texts.map((lines) => lines.slice(start));
  const end = commonLength(tails.map((lines) => lines.toReversed()));
  const [before = [], ours = [], theirs = []] = tails.map((lines) =>
    lines.slice(0, lines.length - end),
  );
  const pairs = equalPairs(before, ours) + equalPairs(before, theirs);
  const isTooLong = [before, ours, theirs].some(({ length }) => length > LARGEST.lines);
  if (isTooLong || pairs > mostPairs) return undefined;
  const middle: string[] = [];
  for (const { ok, conflict } of diff3Merge(ours, before, theirs)) {
    if (conflict !== undefined) return undefined;
    middle.push(...(ok ?? []));
  }
  const [whole = []] = texts;
  const text = [...whole.slice(0, start), ...middle, ...whole.slice(whole.length - end)].join('');
  return { data: Buffer.from(text), pairs };
}

/** Returns the number of lines that texts have in common at their beginning. */
function commonLength(texts: readonly (readonly string[])[]): number {
  const [first = []] = texts;
  let length = 0;
  while (length < first.length && texts.every((lines) => lines[length] === first[length])) length++;
  return length;
}

/** Returns the number of pairs of equal lines of two texts. */
function equalPairs(one: readonly string[], other: readonly string[]): number {
  const counts = new Map<string, number>();
  for (const line of one) counts.set(line, (counts.get(line) ?? 0) + 1);
  return other.reduce((sum, line) => sum + (counts.get(line) ?? 0), 0);
}
