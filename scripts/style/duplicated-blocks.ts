/** A file's path and text. */
export interface SourceText {
  readonly path: string;
  readonly text: string;
}

/** Two places with the same run of lines. Lines are one-based and inclusive. */
export interface DuplicatedBlock {
  readonly first: BlockRange;
  readonly second: BlockRange;
  /** Number of significant lines that the places share. */
  readonly lines: number;
}

/** A place in a file. */
export interface BlockRange {
  readonly path: string;
  readonly from: number;
  readonly to: number;
}

/** Number of significant lines from which an identical block counts as a repetition. */
export const BLOCK_LINES = 6;

/** The same for blocks that differ in names and literals; shorter ones are mostly idioms of the language. */
export const RENAMED_BLOCK_LINES = 10;

/** A run that stands in more places than this is an idiom of the language or the library, and is not listed. */
const MAX_PLACES = 8;

interface Line {
  readonly file: number;
  readonly number: number;
  readonly text: string;
}

/**
 * Returns the pairs of places with at least `BLOCK_LINES` identical significant lines, longest first. Blank lines,
 * comments, imports and lines without a letter are no significant lines; indentation is ignored. With `renamed`,
 * identifiers, strings and numbers match any other, and a block has `RENAMED_BLOCK_LINES` lines.
 */
export function duplicatedBlocks(
  files: readonly SourceText[],
  options: { readonly renamed?: boolean } = {},
): DuplicatedBlock[] {
  const size = options.renamed === true ? RENAMED_BLOCK_LINES : BLOCK_LINES;
  const lines = files.flatMap(({ text }, file) => significantLines(text, file, options.renamed));
  const places = new Map<string, number[]>();
  for (let index = 0; index + size <= lines.length; index++) {
    const window = lines.slice(index, index + size);
    if (window[0]?.file !== window.at(-1)?.file) continue;
    const key = window.map(({ text }) => text).join('\n');
    const list = places.get(key);
    if (list === undefined) places.set(key, [index]);
    else list.push(index);
  }
  return maximalRuns(places, lines, size).map(({ a, b, length }) => ({
    first: rangeOf(lines, a, length, files),
    second: rangeOf(lines, b, length, files),
    lines: length,
  }));
}

interface Run {
  readonly a: number;
  readonly b: number;
  readonly length: number;
}

/** Joins windows that repeat at the same distance into runs. */
function maximalRuns(
  places: ReadonlyMap<string, readonly number[]>,
  lines: readonly Line[],
  size: number,
): Run[] {
  const byDistance = new Map<number, number[]>();
  for (const list of places.values()) {
    if (list.length < 2 || list.length > MAX_PLACES) continue;
    for (const [position, a] of list.entries()) {
      for (const b of list.slice(position + 1)) {
        const starts = byDistance.get(b - a);
        if (starts === undefined) byDistance.set(b - a, [a]);
        else starts.push(a);
      }
    }
  }
  const runs: Run[] = [];
  for (const [distance, starts] of byDistance) {
    starts.sort((x, y) => x - y);
    for (let from = 0; from < starts.length;) {
      let to = from;
      while (isNext(starts[to], starts[to + 1], distance, lines)) to++;
      const a = starts[from] ?? 0;
      const length = to - from + size;
      // A run that overlaps its own repetition is a list of like lines, not a copied block.
      if (distance >= length || lines[a]?.file !== lines[a + distance]?.file) {
        runs.push({ a, b: a + distance, length });
      }
      from = to + 1;
    }
  }
  return runs.sort((x, y) => y.length - x.length || x.a - y.a || x.b - y.b);
}

function isNext(
  at: number | undefined,
  next: number | undefined,
  distance: number,
  lines: readonly Line[],
): boolean {
  if (at === undefined || next !== at + 1) return false;
  return (
    lines[at]?.file === lines[next]?.file &&
    lines[at + distance]?.file === lines[next + distance]?.file
  );
}

function significantLines(text: string, file: number, renamed = false): Line[] {
  let comment = false;
  let importing = false;
  return text.split('\n').flatMap((raw, index) => {
    const line = raw.trim().replace(/\s+/g, ' ');
    if (importing) {
      importing = !line.includes(' from ') && !line.startsWith('} from');
      return [];
    }
    if (comment || line.startsWith('/*')) {
      comment = !line.includes('*/');
      return [];
    }
    if (/^(import|export (\*|type \{|\{))/.test(line)) {
      importing = line.includes('{') && !line.includes('}');
      return [];
    }
    if (line.startsWith('//') || !/[\p{L}]/u.test(line)) return [];
    return [{ file, number: index + 1, text: renamed ? shapeOf(line) : line }];
  });
}

const KEYWORDS =
  /^(?:async|await|break|case|catch|class|const|continue|default|do|else|export|extends|finally|for|function|get|if|implements|in|instanceof|interface|let|new|of|override|private|protected|readonly|return|set|static|switch|this|throw|true|false|null|undefined|try|type|typeof|void|while|yield)$/;

/** The line with every name, string and number replaced. */
function shapeOf(line: string): string {
  return line
    .replace(/'(?:[^'\\]|\\.)*'|"(?:[^"\\]|\\.)*"|`(?:[^`\\]|\\.)*`/g, '"')
    .replace(/[\p{L}_$#][\p{L}\p{N}_$]*/gu, (word) => (KEYWORDS.test(word) ? word : 'x'))
    .replace(/\b\d[\d_.]*\b/g, '0');
}

function rangeOf(
  lines: readonly Line[],
  start: number,
  length: number,
  files: readonly SourceText[],
): BlockRange {
  const first = lines[start];
  const last = lines[start + length - 1];
  return {
    path: files[first?.file ?? 0]?.path ?? '',
    from: first?.number ?? 0,
    to: last?.number ?? 0,
  };
}
