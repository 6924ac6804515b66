// The language server in the worker as it is bundled for the browser, in Node.
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { runInNewContext } from 'node:vm';
import { build } from 'esbuild';
import { expect, it } from 'vitest';
import { workerBuild } from '../../site/playground/build-worker.ts';
import type { Reply, Request } from '../../site/playground/protocol.ts';

interface Message {
  readonly id?: number;
  readonly method?: string;
  readonly params?: unknown;
  readonly result?: unknown;
}

/** Starts the bundled worker and returns how to send it messages of the page. */
async function startWorker(onReply: (reply: Reply) => void): Promise<(request: Request) => void> {
  const folder = mkdtempSync(join(tmpdir(), 'terrane-worker-'));
  try {
    const bundle = join(folder, 'worker.js');
    await build(workerBuild(bundle));
    let listener: ((event: { readonly data: Request }) => void) | undefined;
    const scope = {
      ...{ AbortController, AbortSignal, MessageChannel, TextDecoder, TextEncoder, URL, crypto },
      ...{ clearTimeout, performance, queueMicrotask, setTimeout },
      addEventListener: (_: string, called: typeof listener) => (listener = called),
      postMessage: onReply,
    };
    runInNewContext(readFileSync(bundle, 'utf8'), scope);
    return (request) => listener?.({ data: request });
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

it('answers about the files of the page, and reports errors while typing', async () => {
  let ended: (() => void) | undefined;
  const send = await startWorker((reply) => {
    if (reply.kind === 'done') ended?.();
  });
  const files = { 'variables.tf': 'variable "town" {\n  description = "Where"\n}\n' };
  await new Promise<void>((resolve) => {
    ended = resolve;
    const run = { kind: 'run', id: 1, args: ['validate'], files } as const;
    send({ ...run, environment: {}, input: '', columns: 78 });
  });
  const { port1, port2 } = new MessageChannel();
  send({ kind: 'language-server', port: port2 });
  const answers = new Map<number, (result: unknown) => void>();
  const reported: ((text: string) => void)[] = [];
  port1.addEventListener('message', ({ data }: MessageEvent<Message>) => {
    if (data.method === undefined) answers.get(data.id ?? 0)?.(data.result);
    else if (data.method === 'textDocument/publishDiagnostics')
      for (const note of reported) note(JSON.stringify(data.params));
  });
  port1.start();
  let id = 0;
  const post = (message: object): void => port1.postMessage({ jsonrpc: '2.0', ...message });
  const ask = async (method: string, params: object): Promise<string> =>
    await new Promise((resolve) => {
      answers.set(++id, (result) => resolve(JSON.stringify(result)));
      post({ id, method, params });
    });
  await ask('initialize', { processId: null, rootUri: 'file:///project', capabilities: {} });
  post({ method: 'initialized', params: {} });
  const uri = 'file:///project/main.tf';
  const text = 'output "a" {\n  value = var.town\n}\n\noutput "b" {\n  value = var.\n}\n';
  const errors = new Promise<string>((resolve) => {
    reported.push((found) => found.includes('Invalid attribute name') && resolve(found));
  });
  post({
    method: 'textDocument/didOpen',
    params: { textDocument: { uri, languageId: 'terraform', version: 1, text } },
  });
  const textDocument = { uri };
  expect(
    await ask('textDocument/completion', { textDocument, position: { line: 5, character: 14 } }),
  ).toContain('"label":"town"');
  expect(
    await ask('textDocument/hover', { textDocument, position: { line: 1, character: 15 } }),
  ).toContain('Where');
  expect(await errors).toContain(uri);
  port1.close();
});
