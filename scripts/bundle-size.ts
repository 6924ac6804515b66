import { basename } from 'node:path';

/** The part of esbuild's metafile that sizes are computed from. */
export interface Metafile {
  readonly outputs: Readonly<
    Record<
      string,
      {
        readonly bytes: number;
        readonly entryPoint?: string;
        readonly imports: readonly { readonly path: string; readonly kind: string }[];
      }
    >
  >;
}

/** Sizes in bytes, by the names that the budget uses. */
export interface Sizes {
  readonly startup: number;
  readonly largest: number;
  readonly total: number;
  readonly libraries: number;
}

/**
 * Measures a bundle of `total` bytes, with bundles of `libraries` bytes beside it, of whose parts `meta` tells: what its
 * entry needs at once, and the largest part.
 */
export function measure(meta: Metafile, entry: string, total: number, libraries: number): Sizes {
  const loaded = reached(meta, entry, ({ kind }) => kind !== 'dynamic-import');
  const bytes = Object.values(meta.outputs).map((output) => output.bytes);
  return {
    startup: [...loaded].reduce((sum, path) => sum + (meta.outputs[path]?.bytes ?? 0), 0),
    largest: Math.max(...bytes),
    total,
    libraries,
  };
}

/** The names of the parts that are reached from the entry without those that begin in a source like `left`. */
export function partsWithout(meta: Metafile, entry: string, excluded: RegExp): ReadonlySet<string> {
  const kept = reached(
    meta,
    entry,
    ({ path }) => !excluded.test(meta.outputs[path]?.entryPoint ?? ''),
  );
  return new Set([...kept].map((path) => basename(path)));
}

/** The paths of the entry's output and of all that is reached from it by imports that are followed. */
function reached(
  meta: Metafile,
  entry: string,
  isFollowed: (its: { readonly path: string; readonly kind: string }) => boolean,
): ReadonlySet<string> {
  const first = Object.entries(meta.outputs).find(([, output]) => output.entryPoint === entry);
  if (first === undefined) throw new Error(`the bundle has no entry ${entry}`);
  const paths = new Set([first[0]]);
  for (const path of paths) {
    for (const its of meta.outputs[path]?.imports ?? []) {
      if (meta.outputs[its.path] !== undefined && isFollowed(its)) paths.add(its.path);
    }
  }
  return paths;
}

/** A limit in kilobytes (1,000 bytes) for one of the sizes. */
export type Budget = Readonly<
  Record<keyof Sizes, { readonly limit: number; readonly what: string }>
>;

/** One line for each size, and whether any is over its limit. */
export function judge(sizes: Sizes, budget: Budget): { lines: string[]; over: boolean } {
  const names = ['startup', 'largest', 'total', 'libraries'] as const;
  const isOver = (name: keyof Sizes): boolean => sizes[name] > budget[name].limit * 1_000;
  const lines = names.map((name) => {
    const { limit, what } = budget[name];
    const size = (sizes[name] / 1_000).toFixed(1);
    const verdict = isOver(name) ? 'OVER' : 'ok';
    return `${verdict.padEnd(4)} ${name.padEnd(9)} ${size.padStart(8)} of ${limit} kB: ${what}`;
  });
  return { lines, over: names.some(isOver) };
}
