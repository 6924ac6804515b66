import { posix } from 'node:path';
import { GraphBuilder, orderOf } from '@terrane/graph';

/** The files that a file refers to, by relative paths: static, dynamic and type-only imports. */
export interface FileImports {
  readonly path: string;
  readonly imports: readonly { readonly specifier: string }[];
}

/** Returns the groups of files that reach each other through imports of any kind, largest first. */
export function importCycles(files: readonly FileImports[]): string[][] {
  const numbers = new Map(files.map((file, number) => [file.path, number]));
  const builder = new GraphBuilder(files.length);
  for (const [from, { path, imports }] of files.entries()) {
    for (const { specifier } of imports) {
      if (!specifier.startsWith('.')) continue;
      const to = numbers.get(posix.join(posix.dirname(path), specifier));
      if (to !== undefined && to !== from) builder.addEdge(from, to);
    }
  }
  return orderOf(builder.build())
    .cycles.map((group) => Array.from(group, (number) => files[number]?.path ?? ''))
    .sort((a, b) => b.length - a.length);
}

/** Counts the pairs of files that import each other. */
export function mutualImports(files: readonly FileImports[]): number {
  const known = new Set(files.map(({ path }) => path));
  const edges = new Set<string>();
  let count = 0;
  for (const { path, imports } of files) {
    const targets = new Set(
      imports
        .filter(({ specifier }) => specifier.startsWith('.'))
        .map(({ specifier }) => posix.join(posix.dirname(path), specifier)),
    );
    for (const target of targets) {
      if (target === path || !known.has(target)) continue;
      if (edges.has(`${target} ${path}`)) count++;
      edges.add(`${path} ${target}`);
    }
  }
  return count;
}
