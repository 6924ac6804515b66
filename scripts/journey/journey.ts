/** Files that an operation passes through, by package, and the boundaries between the packages. */
export interface Journey {
  /** paths in the repository */
  readonly files: ReadonlySet<string>;
  readonly filesByPackage: ReadonlyMap<string, number>;
  /** `from -> to` for packages of which a file of the first imports the second */
  readonly crossings: ReadonlySet<string>;
}

/** Coverage as V8 writes it. */
export interface Coverage {
  readonly result: readonly {
    readonly url: string;
    readonly functions: readonly {
      readonly functionName: string;
      readonly ranges: readonly { readonly startOffset: number; readonly count: number }[];
    }[];
  }[];
}

/** Returns the URLs of the files in which a function was called. */
export function calledFiles({ result }: Coverage): readonly string[] {
  return result
    .filter(({ url, functions }) => {
      // The first function is the module itself, which runs when it is imported.
      const [, ...declared] = functions;
      return url.startsWith('file:') && declared.some(({ ranges }) => (ranges[0]?.count ?? 0) > 0);
    })
    .map(({ url }) => url);
}

/**
 * Counts files and package boundaries.
 *
 * @param files paths below `packages/`
 * @param textOf returns the text of a file
 */
export function journeyOf(files: ReadonlySet<string>, textOf: (path: string) => string): Journey {
  const filesByPackage = new Map<string, number>();
  const crossings = new Set<string>();
  for (const path of files) {
    const from = path.split('/')[1] ?? '';
    filesByPackage.set(from, (filesByPackage.get(from) ?? 0) + 1);
    const imports = textOf(path).matchAll(/from '@terrane\/([a-z-]+)/g);
    for (const [, to = ''] of imports) if (to !== from) crossings.add(`${from} -> ${to}`);
  }
  return { files, filesByPackage, crossings };
}
