import { join, relative } from 'node:path';
import type { BuildOptions, Plugin } from 'esbuild';
import { minifiedPages } from '../../scripts/minified-pages.ts';
import { root } from '../../scripts/root.ts';

const here = import.meta.dirname;
const nodeFile = (name: string): string => join(here, 'worker/node', `${name}.ts`);

/** Replacements of modules of Node, by name without `node:`. */
const NODE_MODULES: Readonly<Record<string, string>> = {
  crypto: nodeFile('crypto'),
  events: nodeFile('events'),
  net: nodeFile('net'),
  path: join(root, 'node_modules/path-browserify/index.js'),
  'path/posix': join(root, 'node_modules/path-browserify/index.js'),
  string_decoder: nodeFile('string-decoder'),
  url: nodeFile('url'),
  util: nodeFile('util'),
  zlib: nodeFile('zlib'),
};

/** Sources that are of no use in a browser and import much of Node. */
const MACHINE = /^packages\/host\/src\/(?:node-host|own-process)\.ts$/;

/** Dynamic imports that lead outside of the browser, with the feature that messages name. */
const OUTSIDE: readonly (readonly [target: RegExp, feature: string])[] = [
  [/^@terrane\/plugin$/, 'Provider plugins'],
  [/^@terrane\/provisioners$/, 'Provisioners'],
  [/^@terrane\/encryption$/, 'Encrypted states and plans'],
  [/\/backends\/src\/(?!local|inmem)[\w-]+\/[\w-]+\.ts$/, 'Backends of other machines'],
  [/\/ops\/src\/remote-runs\/(?!plan-bookmark)[\w-]+\.ts$/, 'Runs on other machines'],
  [/\/registry\/src\/modules\/fetch\/[\w-]+-getter\.ts$/, 'Modules of other machines'],
  [/\/registry\/src\/modules\/archives\/|\/unzip\.ts$|\/signature\.ts$/, 'Downloads'],
  [/\/libraries\//, 'Clouds'],
  [/\/tls\/src\/fetch-chain\.ts$/, 'Certificates of servers'],
  [
    /\/commands\/(?:login|logout|shim)\/|\/completion\/|\/traces\//,
    'Commands that change this machine',
  ],
  [/\/commands\/(?:server(?:-\w+)?|agent|mcp(?:-\w+)?)\//, 'Servers'],
  [
    /\/commands\/(?:adopt|drift|history(?:-\w+)?|refactor(?:-\w+)?|state-restore|undo)\//,
    'Commands for large configurations and stored runs',
  ],
  // The page talks to a language server of its own.
  [/\/commands\/lsp\//, 'The command lsp'],
  [/\/commands\/(?:providers-lock|providers-mirror)\//, 'Downloads of providers'],
  [/^(?:https?-proxy-agent|node:.*)$/, 'Connections'],
];

/** Leaves out what only works on a machine; using it fails with an error that names the feature. */
const withoutMachine: Plugin = {
  name: 'without-machine',
  setup({ onResolve, onLoad }) {
    onResolve({ filter: /./ }, ({ path, kind, resolveDir }) => {
      if (kind !== 'dynamic-import') return undefined;
      const target = path.startsWith('.') ? join(resolveDir, path) : path;
      const feature = OUTSIDE.find(([pattern]) => pattern.test(target))?.[1];
      return feature === undefined ? undefined : { path: feature, namespace: 'outside' };
    });
    onLoad({ filter: /./, namespace: 'outside' }, ({ path }) => ({
      contents: `import { NotInBrowser } from ${JSON.stringify(join(here, 'worker/not-in-browser.ts'))};\nthrow new NotInBrowser(${JSON.stringify(path)});`,
      resolveDir: root,
    }));
    onResolve({ filter: /^node:/ }, ({ path, importer }) => {
      const name = path.replace(/^node:/, '');
      const replacement = NODE_MODULES[name];
      if (replacement !== undefined) return { path: replacement };
      return { path: `${name} for ${relative(root, importer)}`, namespace: 'machine' };
    });
    onResolve({ filter: /\/[\w-]+\.ts$/ }, ({ path, resolveDir }) => {
      const target = relative(root, join(resolveDir, path));
      return MACHINE.test(target) ? { path: nodeFile('absent') } : undefined;
    });
    // No signature is verified here, and keys hardly compress.
    onLoad({ filter: /\/hashicorp-keys\.ts$/ }, () => ({
      contents: "export const HASHICORP_KEY = '';\nexport const HASHICORP_PARTNERS_KEY = '';",
    }));
    onLoad({ filter: /./, namespace: 'machine' }, () => ({
      contents: `export * from ${JSON.stringify(nodeFile('absent'))};`,
      resolveDir: root,
    }));
  },
};

/**
 * Build options of the worker, or of another entry for tests: one script without Node. Parts that are loaded on demand
 * would be smaller alone, but larger together, as each is compressed by itself.
 */
export function workerBuild(outfile: string, entry?: string): BuildOptions {
  return {
    absWorkingDir: root,
    entryPoints: [join(here, entry ?? 'worker/worker.ts')],
    outfile,
    bundle: true,
    format: entry === undefined ? 'iife' : 'esm',
    platform: 'browser',
    target: 'es2024',
    supported: { using: false },
    conditions: ['terrane-source'],
    inject: [nodeFile('globals')],
    alias: { yaml: join(root, 'node_modules/yaml/browser/dist/index.js') },
    plugins: [withoutMachine, minifiedPages],
    minify: true,
    charset: 'utf8',
    legalComments: 'none',
    metafile: true,
    logLevel: 'warning',
    define: { 'import.meta.dirname': '"/"' },
  };
}
