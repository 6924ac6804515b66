import { existsSync, readFileSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import type { Plugin } from 'esbuild';
import {
  type ExportNamedDeclaration,
  type ImportDeclaration,
  type ImportSpecifier,
  type ModuleExportName,
  parseSync,
} from 'oxc-parser';

/** The file that declares an export of an index file, and its name there. */
interface Origin {
  readonly file: string;
  readonly name: string;
}

/**
 * Replaces imports of a package's index file by imports of the files that declare the imported names. esbuild splits a
 * program by the files that each entry reaches: through an index file, every command reaches the whole package and
 * would evaluate all of it at start-up.
 */
export function directImports(root: string): Plugin {
  const packages = new Map<string, ReadonlyMap<string, Origin>>();
  const originsOf = (name: string): ReadonlyMap<string, Origin> => {
    let origins = packages.get(name);
    if (origins === undefined) packages.set(name, (origins = originsIn(root, name)));
    return origins;
  };
  return {
    name: 'direct-imports',
    setup({ onLoad }) {
      onLoad(
        { filter: /[\\/](?:packages|providers)[\\/][\w-]+[\\/]src[\\/].*\.ts$/ },
        async ({ path }) => ({
          contents: withDirectImports(path, await readFile(path, 'utf8'), originsOf),
          loader: 'ts',
        }),
      );
    },
  };
}

/** Returns the text of a source file with direct imports. */
export function withDirectImports(
  path: string,
  text: string,
  originsOf: (packageName: string) => ReadonlyMap<string, Origin>,
): string {
  if (!text.includes('@terrane/')) return text;
  const pieces: string[] = [];
  let at = 0;
  for (const node of parseSync(path, text).program.body) {
    if (node.type !== 'ImportDeclaration' && node.type !== 'ExportNamedDeclaration') continue;
    const name = /^@terrane\/([\w-]+)$/.exec(node.source?.value ?? '')?.[1];
    if (name === undefined) continue;
    const statements =
      node.type === 'ImportDeclaration'
        ? directImport(node, originsOf(name))
        : directExport(node, originsOf(name));
    if (statements === undefined) continue;
    pieces.push(text.slice(at, node.start), statements);
    at = node.end;
  }
  pieces.push(text.slice(at));
  return pieces.join('');
}

/** The statements that replace an import; undefined if it is of types or of the whole module. */
function directImport(
  { specifiers, source, importKind }: ImportDeclaration,
  origins: ReadonlyMap<string, Origin>,
): string | undefined {
  if (importKind === 'type') return undefined;
  const values: ImportSpecifier[] = [];
  for (const specifier of specifiers) {
    if (specifier.type !== 'ImportSpecifier') return undefined;
    if (specifier.importKind !== 'type') values.push(specifier);
  }
  const statements = values.map(({ imported, local }) => {
    const { file, name } = originOf(imported, source.value, origins);
    return `import{${name} as ${local.name}}from${JSON.stringify(file)};`;
  });
  return statements.join('');
}

/** The statements that replace an export of names of another package; undefined if it is of types. */
function directExport(
  { specifiers, source, exportKind }: ExportNamedDeclaration,
  origins: ReadonlyMap<string, Origin>,
): string | undefined {
  if (exportKind === 'type' || source === null) return undefined;
  const statements = specifiers
    .filter((specifier) => specifier.exportKind !== 'type')
    .map(({ local, exported }) => {
      const { file, name } = originOf(local, source.value, origins);
      return `export{${name} as ${nameOf(exported)}}from${JSON.stringify(file)};`;
    });
  return statements.join('');
}

function originOf(
  imported: ModuleExportName,
  file: string,
  origins: ReadonlyMap<string, Origin>,
): Origin {
  const name = nameOf(imported);
  return origins.get(name) ?? { file, name };
}

const nameOf = (its: ModuleExportName): string => (its.type === 'Literal' ? its.value : its.name);

/** The names that the index file of a package exports from others; none if its files have side effects. */
function originsIn(root: string, packageName: string): ReadonlyMap<string, Origin> {
  const origins = new Map<string, Origin>();
  const folder = join(root, 'packages', packageName);
  const index = join(folder, 'src/index.ts');
  if (!existsSync(index)) return origins;
  const manifest: unknown = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8'));
  const isPure =
    typeof manifest === 'object' &&
    manifest !== null &&
    'sideEffects' in manifest &&
    manifest.sideEffects === false;
  if (!isPure) return origins;
  for (const node of parseSync(index, readFileSync(index, 'utf8')).program.body) {
    if (node.type !== 'ExportNamedDeclaration' || node.source === null) continue;
    if (!node.source.value.startsWith('.')) continue;
    const file = join(dirname(index), node.source.value);
    for (const { exported, local } of node.specifiers) {
      if (exported.type === 'Identifier' && local.type === 'Identifier')
        origins.set(exported.name, { file, name: local.name });
    }
  }
  return origins;
}
