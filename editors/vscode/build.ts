/**
 * Builds the extension: its folder, as VS Code loads it, and the package for installation. The program must have been
 * built. Options: --out=DIR.
 */
import { cpSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { build, type BuildOptions } from 'esbuild';
import { root } from '../../scripts/root.ts';
import { thirdPartyNotices } from '../../scripts/third-party-notices.ts';
import { workerBuild } from '../../site/playground/build-worker.ts';
import { packVsix, type Manifest } from './vsix.ts';

const here = import.meta.dirname;

/** Files of the source that are part of the package. */
const STATIC = [
  'package.json',
  'package.nls.json',
  'README.md',
  'CHANGELOG.md',
  'LICENSE',
  'language-configuration.json',
  'media',
  'syntaxes',
];

/** Result of the build. */
export interface BuiltExtension {
  /** the folder of the extension */
  readonly folder: string;
  /** the package */
  readonly vsix: string;
}

function bundle(entry: string, outfile: string, options: BuildOptions): BuildOptions {
  return {
    absWorkingDir: root,
    entryPoints: [join(here, 'src', entry)],
    outfile,
    bundle: true,
    format: 'cjs',
    external: ['vscode'],
    minify: true,
    charset: 'utf8',
    legalComments: 'none',
    metafile: true,
    logLevel: 'warning',
    conditions: ['terrane-source'],
    ...options,
  };
}

/** Build options of the language server for browsers, a web worker. */
export function serverBuild(outfile: string): BuildOptions {
  return { ...workerBuild(outfile, 'worker/virtual-server.ts'), format: 'iife' };
}

/** Copies the built program, without code that V8 compiled for the pinned Node. */
function copyProgram(target: string): void {
  const source = join(root, 'packages/cli/dist');
  mkdirSync(target, { recursive: true });
  for (const name of readdirSync(source)) {
    if (name.endsWith('.cache') || name === 'terraform.js' || name === 'tofu.js') continue;
    cpSync(join(source, name), join(target, name), { recursive: true });
  }
}

/** Builds the extension into a folder. */
export async function buildExtension(out: string): Promise<BuiltExtension> {
  rmSync(out, { recursive: true, force: true });
  const folder = join(out, 'extension');
  mkdirSync(join(folder, 'dist'), { recursive: true });
  for (const name of STATIC) cpSync(join(here, name), join(folder, name), { recursive: true });
  const bundles = [
    bundle('node.ts', join(folder, 'dist/node.cjs'), { platform: 'node', target: 'node22' }),
    bundle('browser.ts', join(folder, 'dist/browser.cjs'), {
      platform: 'browser',
      target: 'es2022',
    }),
    serverBuild(join(folder, 'dist/server.js')),
  ];
  const inputs: string[] = [];
  for (const options of bundles) {
    const { metafile } = await build(options);
    inputs.push(...Object.keys(metafile?.inputs ?? {}));
  }
  writeFileSync(join(folder, 'THIRD-PARTY-NOTICES.txt'), thirdPartyNotices(root, new Set(inputs)));
  copyProgram(join(folder, 'program'));
  const manifest = JSON.parse(readFileSync(join(here, 'package.json'), 'utf8')) as Manifest;
  const vsix = join(out, `${manifest.name}-${manifest.version}.vsix`);
  const names = JSON.parse(readFileSync(join(here, 'package.nls.json'), 'utf8')) as object;
  writeFileSync(vsix, packVsix(folder, manifest, Object.keys(names)));
  return { folder, vsix };
}

if (process.argv[1] === import.meta.filename) {
  const given = process.argv.find((argument) => argument.startsWith('--out='));
  const out = resolve(given?.slice('--out='.length) ?? join(root, '.build/vscode'));
  const { vsix } = await buildExtension(out);
  console.log(`${vsix}: ${(readFileSync(vsix).length / 1e6).toFixed(1)} MB`);
}
