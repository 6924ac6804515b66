import { isBuiltin } from 'node:module';
import { join, relative } from 'node:path';
import { build, type Plugin } from 'esbuild';
import { root } from '../root.ts';
import { thirdPartyNotices } from '../third-party-notices.ts';
import type { ArchiveFile } from './archive.ts';
import type { SourcePackage } from './manifest.ts';

/**
 * Third-party packages that are bundled into the library that uses them: installed, they have ten times as many bytes
 * as the library needs.
 */
export const BUNDLED: Readonly<Record<string, readonly string[]>> = {
  '@terrane/plugin': ['@grpc/grpc-js', 'fflate', 'protobufjs'],
};

const nameOf = (specifier: string): string =>
  specifier
    .split('/')
    .slice(0, specifier.startsWith('@') ? 2 : 1)
    .join('/');

/** Leaves everything out of the bundle but the own modules and the bundled packages with what they require. */
function onlyBundled(bundled: readonly string[]): Plugin {
  return {
    name: 'only-bundled',
    setup({ onLoad, onResolve }) {
      // Reads `.proto` files, which nothing does.
      onResolve({ filter: /^@grpc\/proto-loader$/ }, ({ path }) => ({ path, namespace: 'absent' }));
      onLoad({ filter: /./, namespace: 'absent' }, ({ path }) => ({
        contents: `throw new Error(${JSON.stringify(`${path} is not bundled`)});`,
      }));
      // A dynamic import of CommonJS has named exports in Node, but only a default export in a bundle.
      onLoad({ filter: /./, namespace: 'named' }, async ({ path }) => {
        const keys = Object.keys(Object(await import(path)));
        const names = keys.filter((name) => /^(?!default$)[a-z_$][\w$]*$/i.test(name));
        return {
          contents: `import * as library from ${JSON.stringify(path)};\nexport const { ${names.join(', ')} } = library.default ?? library;\nexport default library.default ?? library;`,
          resolveDir: root,
        };
      });
      onResolve({ filter: /^[^./]/ }, ({ path, importer, kind, namespace }) => {
        if (kind === 'dynamic-import' && bundled.includes(nameOf(path)) && namespace === 'file')
          return { path, namespace: 'named' };
        const inside = importer.includes('node_modules') || bundled.includes(nameOf(path));
        return inside && !isBuiltin(path) ? undefined : { path, external: true };
      });
    },
  };
}

/** Bundles the compiled code of a library with third-party packages, keeping the files that its manifest names. */
export async function bundleLibrary(
  { folder, manifest }: SourcePackage,
  bundled: readonly string[],
): Promise<{ readonly outputs: readonly ArchiveFile[]; readonly notices: string }> {
  const targets = [...Object.values(manifest.exports ?? {}), ...Object.values(manifest.bin ?? {})];
  const entries = targets
    .map((target) => (typeof target === 'string' ? target : target['default']))
    .filter((target) => target?.endsWith('.js') === true)
    .map((target) => join(root, folder, String(target)));
  const { outputFiles, metafile } = await build({
    absWorkingDir: root,
    entryPoints: [...new Set(entries)],
    outbase: join(root, folder, 'dist'),
    outdir: join(root, folder, 'dist'),
    bundle: true,
    splitting: true,
    format: 'esm',
    platform: 'node',
    target: 'node22.18',
    // Bundled packages in CommonJS require built-in modules.
    banner: {
      js: "import { createRequire as __createRequire } from 'node:module';\nconst require = __createRequire(import.meta.url);",
    },
    chunkNames: 'chunks/[name]-[hash]',
    minifyWhitespace: true,
    legalComments: 'none',
    metafile: true,
    write: false,
    logLevel: 'warning',
    // Modules without a default export are used as they are.
    logOverride: { 'import-is-undefined': 'silent' },
    plugins: [onlyBundled(bundled)],
  });
  const outputs = outputFiles.map(({ path, contents }) => ({
    path: relative(join(root, folder), path).replaceAll('\\', '/'),
    contents,
  }));
  return { outputs, notices: thirdPartyNotices(root, Object.keys(metafile.inputs)) };
}
