import { readdirSync, readFileSync } from 'node:fs';
import { join, posix } from 'node:path';
import { parseSync, type ImportDeclaration, type Program } from 'oxc-parser';

/** The number of lines of a resource type of the AWS provider. */
export interface ResourceLines {
  /** "aws_sqs_queue" */
  readonly type: string;
  /** formatted lines of all its modules */
  readonly lines: number;
  /** the module that declares it, and those that only it imports, with the lines of each */
  readonly modules: ReadonlyMap<string, number>;
}

/** The sources of a provider: paths from its `src` folder, and their texts. */
export type Sources = ReadonlyMap<string, string>;

/** Reads the modules of a folder, without tests. */
export function readSources(folder: string): Sources {
  const paths = readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .map((path) => path.replaceAll('\\', '/'))
    .filter((path) => path.endsWith('.ts') && !path.endsWith('.test.ts'));
  return new Map(paths.sort().map((path) => [path, readFileSync(join(folder, path), 'utf8')]));
}

/**
 * The length of every resource type that the `index.ts` of a service lists: that of the module that declares it and,
 * as helpers that only it uses count, of all modules that nothing else needs. A module that declares two types counts
 * for both.
 */
export function resourceLines(sources: Sources): readonly ResourceLines[] {
  const programs = new Map(
    [...sources].map(([path, text]) => [path, parseSync(path, text).program] as const),
  );
  const indexes = new Set([...programs.keys()].filter((path) => /^[^/]+\/index\.ts$/.test(path)));
  const imports = new Map([...programs].map(([path, program]) => [path, importsOf(path, program)]));
  const declared = [...indexes].flatMap((path) => {
    const program = programs.get(path);
    return program === undefined ? [] : declarations(path, program);
  });
  // Everything that is reached from elsewhere belongs to all: entries are what nothing but an index imports.
  const entries = new Map<string, ReadonlySet<string>>();
  for (const path of indexes) {
    for (const entry of imports.get(path) ?? [])
      entries.set(entry, reached([entry], imports, indexes));
  }
  const roots = [...sources.keys()].filter((path) => !path.includes('/'));
  const common = reached(roots, imports, indexes);
  return declared.map(({ type, module }) => {
    const modules = new Map<string, number>();
    for (const path of entries.get(module) ?? []) {
      const shared =
        path !== module &&
        (common.has(path) ||
          [...entries].some(([entry, reach]) => entry !== module && reach.has(path)));
      if (!shared) modules.set(path, linesOf(sources.get(path) ?? ''));
    }
    return { type, modules, lines: [...modules.values()].reduce((sum, lines) => sum + lines, 0) };
  });
}

/** The length in the middle; of an even number, the mean of the two. */
export function medianOf(resources: readonly ResourceLines[]): number {
  const sorted = resources.map(({ lines }) => lines).sort((a, b) => a - b);
  const half = Math.floor(sorted.length / 2);
  const [below = 0, above = 0] = [sorted[half - 1], sorted[half]];
  return sorted.length % 2 === 1 ? above : (below + above) / 2;
}

function linesOf(text: string): number {
  return text.split('\n').length - (text.endsWith('\n') ? 1 : 0);
}

/** All modules that some lead to, themselves included, without passing an index of a service. */
function reached(
  from: readonly string[],
  imports: ReadonlyMap<string, readonly string[]>,
  indexes: ReadonlySet<string>,
): ReadonlySet<string> {
  const seen = new Set<string>();
  const pending = [...from];
  for (let path = pending.pop(); path !== undefined; path = pending.pop()) {
    if (seen.has(path) || indexes.has(path)) continue;
    seen.add(path);
    pending.push(...(imports.get(path) ?? []));
  }
  return seen;
}

function importsOf(path: string, program: Program): readonly string[] {
  const specifiers = program.body.flatMap((node) =>
    (node.type === 'ImportDeclaration' ||
      node.type === 'ExportNamedDeclaration' ||
      node.type === 'ExportAllDeclaration') &&
    node.source !== null
      ? [node.source.value]
      : [],
  );
  return specifiers
    .filter((specifier) => specifier.startsWith('.'))
    .map((specifier) => posix.join(posix.dirname(path), specifier));
}

/** The resource types of an index: the keys of `resources`, and the module that each value comes from. */
function declarations(
  path: string,
  program: Program,
): readonly { readonly type: string; readonly module: string }[] {
  const from = new Map(
    program.body
      .filter((node): node is ImportDeclaration => node.type === 'ImportDeclaration')
      .flatMap(({ specifiers, source }) =>
        specifiers.map(({ local }) => [local.name, source.value] as const),
      ),
  );
  const definitions: { type: string; module: string }[] = [];
  for (const node of program.body) {
    if (
      node.type !== 'ExportNamedDeclaration' ||
      node.declaration?.type !== 'VariableDeclaration'
    ) {
      continue;
    }
    for (const { init } of node.declaration.declarations) {
      if (init?.type !== 'ObjectExpression') continue;
      for (const part of init.properties) {
        const isList =
          part.type === 'Property' &&
          part.key.type === 'Identifier' &&
          part.key.name === 'resources' &&
          part.value.type === 'ObjectExpression';
        if (!isList || part.value.type !== 'ObjectExpression') continue;
        for (const each of part.value.properties) {
          if (each.type !== 'Property' || each.key.type !== 'Identifier') continue;
          const value = each.value.type === 'CallExpression' ? each.value.callee : each.value;
          const source = value.type === 'Identifier' ? from.get(value.name) : undefined;
          if (source === undefined)
            throw new Error(`${path}: where does ${each.key.name} come from?`);
          definitions.push({
            type: each.key.name,
            module: posix.join(posix.dirname(path), source),
          });
        }
      }
    }
  }
  return definitions;
}
