import { readSource } from '../layers/source-file.ts';
import { parseSource } from '../syntax.ts';
import { visitDeclaredNames } from './declared-names.ts';
import { docComments } from './doc-comments.ts';
import {
  BLOCK_LINES,
  duplicatedBlocks,
  RENAMED_BLOCK_LINES,
  type SourceText,
} from './duplicated-blocks.ts';
import { functionLengths } from './function-lengths.ts';
import { importCycles, mutualImports } from './import-cycles.ts';
import { errorFunctions, untypedCatches } from './untyped-catches.ts';

/** Participles, adjectives and numerals that are no names for values. */
export const VAGUE_NAMES = [
  'found',
  'told',
  'said',
  'given',
  'left',
  'own',
  'one',
  'whole',
] as const;

/** Length in lines from which a function is long. */
export const LONG_FUNCTION = 60;

/** Length in lines from which a file is long. */
export const LONG_FILE = 400;

/** A row of the table of counts, with the places that it counts where these can be listed. */
export interface StyleCount {
  readonly name: string;
  readonly count: number;
  readonly places: readonly string[];
}

/** Counts in TypeScript sources what the style of this repository avoids. */
export function styleCounts(files: readonly SourceText[]): StyleCount[] {
  const tree = files.map(({ path, text }) => parseSource(path, text));
  const comments = tree.flatMap((syntax) =>
    docComments(syntax).map((comment) => ({ ...comment, path: syntax.path })),
  );
  const what = comments.filter(({ firstWord }) => firstWord === 'What');
  const whether = comments.filter(
    ({ firstWord, ofFunction }) => firstWord === 'Whether' && ofFunction,
  );
  const names = new Map<string, string[]>(VAGUE_NAMES.map((name) => [name, []]));
  const long: string[] = [];
  for (const syntax of tree) {
    visitDeclaredNames(syntax.program, (name, node) => {
      names.get(name)?.push(`${syntax.path}:${syntax.lineOf(node.start)}`);
    });
    for (const { line, lines } of functionLengths(syntax)) {
      if (lines > LONG_FUNCTION) long.push(`${syntax.path}:${line} (${lines} lines)`);
    }
  }
  const longFiles = files.flatMap(({ path, text }) => {
    const lines = text.split('\n').length - 1;
    return lines > LONG_FILE ? [`${path} (${lines} lines)`] : [];
  });
  const functions = errorFunctions(tree);
  const imports = files.map(({ path, text }) => readSource(path, text));
  const cycles = importCycles(imports).map((group) => group.join(', '));
  const row = (name: string, places: readonly string[]): StyleCount => ({
    name,
    count: places.length,
    places,
  });
  const place = ({ path, line }: { path: string; line: number }): string => `${path}:${line}`;
  return [
    { name: 'files', count: files.length, places: [] },
    { name: 'documentation comments', count: comments.length, places: [] },
    row('documentation comments that start with "What"', what.map(place)),
    row('documentation comments of functions that start with "Whether"', whether.map(place)),
    ...Array.from(names, ([name, places]) => row(`declarations named \`${name}\``, places)),
    row(`functions over ${LONG_FUNCTION} lines`, long),
    row(`files over ${LONG_FILE} lines`, longFiles),
    row('import cycles, type-only and dynamic imports included', cycles),
    { name: 'pairs of files that import each other', count: mutualImports(imports), places: [] },
    row(
      'untyped catches that report internal errors as user errors',
      tree.flatMap((syntax) => untypedCatches(syntax, functions)).map(place),
    ),
    row(`pairs of identical blocks of ${BLOCK_LINES} or more lines`, blockPlaces(files, false)),
    row(
      `pairs of blocks of ${RENAMED_BLOCK_LINES} or more lines that differ in names and literals`,
      blockPlaces(files, true),
    ),
  ];
}

function blockPlaces(files: readonly SourceText[], renamed: boolean): string[] {
  return duplicatedBlocks(files, { renamed }).map(({ first, second, lines }) => {
    const [a, b] = [first, second].map(({ path, from, to }) => `${path}:${from}-${to}`);
    return `${a} ~ ${b} (${lines} lines)`;
  });
}
