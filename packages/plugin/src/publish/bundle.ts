import { userErrorText } from '@terrane/host';
import { basename, dirname, resolve } from 'node:path';
import type * as Esbuild from 'esbuild';

/** Options of bundling. */
export interface BundleOptions {
  /** the main file of the provider, which calls `serve` */
  readonly entry: string;
  /** export conditions of packages to prefer, as esbuild's `conditions` */
  readonly conditions?: readonly string[];
  readonly minify?: boolean;
}

/**
 * Bundles a provider into one function, with esbuild, which the author's project must have installed. Output of the
 * provider's modules during loading is kept out of standard output.
 *
 * @throws Error if esbuild is missing or reports errors
 */
export async function bundleProvider({
  entry,
  conditions = [],
  minify = false,
}: BundleOptions): Promise<string> {
  const { build } = await loadEsbuild();
  const path = resolve(entry);
  const result = await build({
    stdin: {
      // In this order: the first one diverts the output of the second.
      contents: `import '@terrane/plugin/server';\nimport ${JSON.stringify(`./${basename(path)}`)};\n`,
      resolveDir: dirname(path),
      sourcefile: 'terrane-provider-entry.js',
    },
    bundle: true,
    write: false,
    platform: 'node',
    target: 'node22.18',
    format: 'iife',
    supported: { 'dynamic-import': false },
    conditions: [...conditions],
    charset: 'utf8',
    legalComments: 'inline',
    minify,
    // The log of a provider has stack traces, in which names should be found.
    keepNames: minify,
    define: { 'import.meta.url': '__terraneUrl' },
    banner: {
      js: 'var __terraneUrl = process.getBuiltinModule("node:url").pathToFileURL(process.argv[1] ?? process.execPath).href, __filename = process.argv[1] ?? process.execPath, __dirname = process.getBuiltinModule("node:path").dirname(__filename);',
    },
    logLevel: 'silent',
  }).catch((error: unknown) => {
    throw new Error(`esbuild can't bundle ${entry}: ${userErrorText(error)}`, { cause: error });
  });
  return result.outputFiles[0]?.text ?? '';
}

async function loadEsbuild(): Promise<Pick<typeof Esbuild, 'build'>> {
  try {
    return await import('esbuild');
  } catch (error) {
    throw new Error(
      'esbuild is not installed: add it to your project with `npm install --save-dev esbuild`, or bundle the provider yourself and give the bundle',
      { cause: error },
    );
  }
}
