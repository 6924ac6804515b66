// Builds the playground: a folder of static files. Options: --out=DIR.
import { createHash } from 'node:crypto';
import { cpSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { runInNewContext } from 'node:vm';
import { brotliCompressSync, constants, gzipSync, zstdCompressSync } from 'node:zlib';
import { build, type BuildOptions } from 'esbuild';
import { DESIGN } from '../../packages/render/src/graph/page-style.ts';
import { root } from '../../scripts/root.ts';
import { thirdPartyNotices } from '../../scripts/third-party-notices.ts';
import { workerBuild } from './build-worker.ts';
import type { Reply, Request } from './protocol.ts';

/** Limit of the whole playground as a server sends it, compressed with Brotli or gzip. */
export const MAX_COMPRESSED = 900_000;

/** Limit of the files that the page needs before it is shown, compressed: all but the worker and what it loads later. */
export const MAX_FIRST_PAINT = 150_000;

/** Sizes in bytes as a server sends them. */
export interface PlaygroundSize {
  /** all files, compressed with Brotli */
  readonly brotli: number;
  /** all files, compressed with gzip */
  readonly gzip: number;
  /** the files that the page needs before it is shown, compressed with gzip */
  readonly firstPaint: number;
}

const here = import.meta.dirname;

/** Builds the playground and returns its size. */
export async function buildPlayground(out: string): Promise<PlaygroundSize> {
  rmSync(out, { recursive: true, force: true });
  mkdirSync(out, { recursive: true });
  cpSync(join(here, 'static'), out, { recursive: true });
  writeFileSync(
    join(out, 'style.css'),
    DESIGN + readFileSync(join(here, 'page/style.css'), 'utf8'),
  );
  const engine = await build({ ...workerBuild(join(out, 'engine.js')), write: false });
  const [engineFile] = engine.outputFiles ?? [];
  if (engineFile === undefined) throw new Error('the engine was not built');
  writeFileSync(join(out, 'engine.bin'), packedEngine(engineFile.contents));
  const shared: BuildOptions = {
    absWorkingDir: root,
    bundle: true,
    platform: 'browser',
    target: 'es2022',
    minify: true,
    charset: 'utf8',
    legalComments: 'none',
    metafile: true,
    logLevel: 'warning',
  };
  const worker = await build({
    ...shared,
    entryPoints: [join(here, 'worker/load-engine.ts')],
    outfile: join(out, 'worker.js'),
    format: 'iife',
  });
  const page = await build({
    ...shared,
    entryPoints: [join(here, 'page/main.ts')],
    outdir: out,
    entryNames: 'page',
    // The client of the language server is loaded after the page is shown.
    splitting: true,
    chunkNames: '[name]-[hash]',
    format: 'esm',
  });
  const inputs = [engine, worker, page].flatMap(({ metafile }) =>
    Object.keys(metafile?.inputs ?? {}),
  );
  const notices = thirdPartyNotices(root, new Set(inputs));
  await allowGraphScript(out, engineFile.text);
  writeServiceWorker(out);
  const files = readdirSync(out).map((name) => ({ name, bytes: readFileSync(join(out, name)) }));
  const sizeOf = (names: RegExp, compress: (bytes: Uint8Array) => Uint8Array): number =>
    files.reduce(
      (sum, { name, bytes }) => (names.test(name) ? sum + compress(bytes).length : sum),
      0,
    );
  const size = {
    brotli: sizeOf(/./, brotliCompressSync),
    gzip: sizeOf(/./, gzipSync),
    firstPaint: sizeOf(/^(?!engine\.bin$|worker\.js$|service-worker\.js$|language-)/, gzipSync),
  };
  // Not part of what a visit loads.
  writeFileSync(join(out, 'THIRD-PARTY-NOTICES.txt'), notices);
  return size;
}

/**
 * Compresses the engine with Zstandard, which is 16 % smaller than what servers make of it with gzip. The worker
 * decompresses it, as browsers do not.
 */
function packedEngine(script: Uint8Array): Uint8Array {
  const { ZSTD_c_compressionLevel: level, ZSTD_c_windowLog: window } = constants;
  return zstdCompressSync(script, { params: { [level]: 19, [window]: 23 } });
}

/**
 * Allows the script of graph pages in the content security policy, by its digest: their frame inherits the policy of
 * the page. The script is the text of functions in the built engine, so the engine is asked for a page.
 */
async function allowGraphScript(out: string, engine: string): Promise<void> {
  const html = await graphPage(engine);
  const script = /<script>([\s\S]*?)<\/script>/.exec(html)?.[1];
  if (script === undefined) throw new Error('the graph page has no script');
  const path = join(out, 'index.html');
  const source = `'sha256-${createHash('sha256').update(script).digest('base64')}'`;
  writeFileSync(path, readFileSync(path, 'utf8').replace('GRAPH_SCRIPT', source));
}

async function graphPage(engine: string): Promise<string> {
  let html = '';
  let listener: ((event: { readonly data: Request }) => void) | undefined;
  await new Promise<void>((resolve) => {
    const scope = {
      ...{ AbortController, AbortSignal, MessageChannel, TextDecoder, TextEncoder, URL, crypto },
      ...{ clearTimeout, performance, queueMicrotask, setTimeout },
      addEventListener: (_: string, called: typeof listener) => (listener = called),
      postMessage: (reply: Reply) => {
        if (reply.kind === 'output') html += reply.text;
        else resolve();
      },
    };
    runInNewContext(engine, scope);
    const files = { 'main.tf': 'resource "terraform_data" "a" {}\n' };
    const run = { kind: 'run', id: 1, args: ['graph', '-html'], files } as const;
    listener?.({ data: { ...run, environment: {}, input: '', columns: 78 } });
  });
  return html;
}

function writeServiceWorker(out: string): void {
  const path = join(out, 'service-worker.js');
  const names = readdirSync(out).filter((name) => name !== 'service-worker.js');
  const digest = createHash('sha256');
  for (const name of names.sort()) digest.update(name).update(readFileSync(join(out, name)));
  const files = ['./', ...names].map((name) => JSON.stringify(name)).join(', ');
  const text = readFileSync(path, 'utf8')
    .replace('/* files */', files)
    .replace('/* version */', digest.digest('hex').slice(0, 16));
  writeFileSync(path, text);
}

if (process.argv[1] === import.meta.filename) {
  const given = process.argv.find((argument) => argument.startsWith('--out='));
  const out = resolve(given?.slice('--out='.length) ?? join(root, '.build/playground'));
  const { brotli, gzip, firstPaint } = await buildPlayground(out);
  const kilobytes = (bytes: number): string => `${(bytes / 1000).toFixed(1)} kB`;
  console.log(
    `${out}: ${kilobytes(brotli)} with Brotli, ${kilobytes(gzip)} with gzip, of ${kilobytes(MAX_COMPRESSED)}; until it is shown ${kilobytes(firstPaint)}, of ${kilobytes(MAX_FIRST_PAINT)}`,
  );
  if (Math.max(brotli, gzip) > MAX_COMPRESSED || firstPaint > MAX_FIRST_PAINT) process.exitCode = 1;
}
