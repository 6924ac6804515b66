import { dirname } from 'node:path';
import { build, type Plugin } from 'esbuild';

/**
 * Replaces the script of graph pages, which is the text of functions, with the same functions as one minified script.
 * It is half as large, in the program and in each page.
 */
export const minifiedPages: Plugin = {
  name: 'minified-pages',
  setup({ onLoad }) {
    onLoad({ filter: /[\\/]render[\\/]src[\\/]graph[\\/]page-script\.ts$/ }, async ({ path }) => {
      const { outputFiles } = await build({
        stdin: {
          contents: `import { PARTS } from './page-script.ts';
import { showPage } from './page/show-page.ts';
showPage(window, document, JSON.parse(document.getElementById('data').textContent), PARTS);`,
          resolveDir: dirname(path),
        },
        bundle: true,
        minify: true,
        format: 'iife',
        target: 'es2022',
        charset: 'ascii',
        write: false,
      });
      const script = outputFiles[0]?.text ?? '';
      return {
        contents: `export const pageScript = () => ${JSON.stringify(script)};`,
        loader: 'js',
      };
    });
  },
};
