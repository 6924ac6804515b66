import type { Identity } from './identity.ts';

type Targets = Readonly<Record<string, string>>;
type Exports = Readonly<Record<string, string | Targets>>;

/** The parts of a package manifest that a release reads or changes. */
export interface Manifest {
  readonly name: string;
  readonly version: string;
  readonly description?: string;
  readonly private?: boolean;
  readonly license?: string;
  readonly bin?: Targets;
  readonly files?: readonly string[];
  readonly exports?: Exports;
  readonly scripts?: Targets;
  readonly dependencies?: Targets;
  readonly devDependencies?: Targets;
  readonly optionalDependencies?: Targets;
  readonly peerDependencies?: Targets;
  readonly engines?: Targets;
  readonly [key: string]: unknown;
}

/** A package in the repository. */
export interface SourcePackage {
  /** such as "packages/cty" */
  readonly folder: string;
  readonly manifest: Manifest;
}

/** The condition under which packages of a clone export their sources. */
const SOURCE = 'terrane-source';

/** Returns exports without the condition for sources, and without those that nothing is left of. */
function publishedExports(exports: Exports): Exports {
  const published: Record<string, string | Targets> = {};
  for (const [path, target] of Object.entries(exports)) {
    if (typeof target === 'string') {
      published[path] = target;
      continue;
    }
    const { [SOURCE]: _source, ...conditions } = target;
    if (Object.keys(conditions).length > 0) published[path] = conditions;
  }
  return { ...published, './package.json': './package.json' };
}

/**
 * Returns the manifest to publish: with the addresses of the project, without anything that only a clone uses.
 *
 * @param folder the place of the package in the repository, such as "packages/cty"
 */
export function publishedManifest(source: Manifest, folder: string, identity: Identity): Manifest {
  const { scripts: _scripts, devDependencies: _development, sideEffects, ...kept } = source;
  const built = Array.isArray(sideEffects)
    ? sideEffects.filter((path) => !String(path).startsWith('./src/'))
    : sideEffects;
  return {
    ...kept,
    ...(built === undefined ? {} : { sideEffects: built }),
    ...(source.exports === undefined ? {} : { exports: publishedExports(source.exports) }),
    homepage: identity.homepage,
    repository: { type: 'git', url: `git+${identity.repository}.git`, directory: folder },
    bugs: { url: `${identity.repository}/issues` },
    publishConfig: { access: 'public' },
  };
}

/** Returns a README whose relative links lead to the repository at the released version. */
export function publishedReadme(text: string, folder: string, identity: Identity): string {
  return text.replace(/\]\((?!\w+:|#)([^)\s]+)\)/g, (_link, target: string) => {
    const { pathname, hash } = new URL(target, `https://repository/${folder}/`);
    return `](${identity.repository}/blob/v${identity.version}${pathname}${hash})`;
  });
}

/** Returns a declaration file whose relative imports name the published modules. */
export function publishedDeclarations(text: string): string {
  return text.replace(/((?:from|import\()\s*['"]\.{1,2}\/[^'"]*)\.ts(['"])/g, '$1.js$2');
}
