// The language server of the extension for VS Code in browsers, as it is bundled, in Node.
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { runInNewContext } from 'node:vm';
import { build } from 'esbuild';
import { expect, it } from 'vitest';
import { serverBuild } from '../../editors/vscode/build.ts';

interface Message {
  readonly id?: number;
  readonly method?: string;
  readonly params?: { readonly uri: string; readonly diagnostics: readonly unknown[] };
  readonly result?: unknown;
}

/** The global scope of the worker, as the page sees it. */
interface WorkerScope {
  onmessage?: (event: { readonly data: unknown }) => void;
  postMessage: (message: Message) => void;
  /** for errors, of which there are none */
  addEventListener: () => void;
}

async function startServer(onMessage: (message: Message) => void): Promise<WorkerScope> {
  const folder = mkdtempSync(join(tmpdir(), 'terrane-web-'));
  try {
    const bundle = join(folder, 'server.js');
    await build(serverBuild(bundle));
    const scope: WorkerScope = { postMessage: onMessage, addEventListener: () => undefined };
    const globals = {
      ...{ AbortController, AbortSignal, MessageChannel, TextDecoder, TextEncoder, URL, crypto },
      ...{ clearTimeout, performance, queueMicrotask, setTimeout },
    };
    runInNewContext(readFileSync(bundle, 'utf8'), Object.assign(scope, globals));
    return scope;
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

it('works on the files that the client sends, in a virtual workspace', async () => {
  const answers = new Map<number, (result: unknown) => void>();
  let report: (message: Message) => void = () => undefined;
  const scope = await startServer((message) => {
    if (message.method === undefined) answers.get(message.id ?? 0)?.(message.result);
    else if (message.method === 'textDocument/publishDiagnostics') report(message);
  });
  let id = 0;
  const post = (message: object): void =>
    scope.onmessage?.({ data: { jsonrpc: '2.0', ...message } });
  const ask = async (method: string, params: object): Promise<string> =>
    await new Promise((resolve) => {
      answers.set(++id, (result) => resolve(JSON.stringify(result)));
      post({ id, method, params });
    });
  const diagnostics = (count: number): Promise<void> =>
    new Promise((resolve) => {
      report = ({ params }) => params?.diagnostics.length === count && resolve();
    });
  const root = 'vscode-vfs://github/example/infrastructure';
  await ask('initialize', {
    processId: null,
    rootUri: root,
    workspaceFolders: [{ uri: root, name: 'infrastructure' }],
    capabilities: {},
  });
  post({ method: 'initialized', params: {} });
  const uri = `${root}/main.tf`;
  const broken = diagnostics(1);
  post({
    method: 'textDocument/didOpen',
    params: {
      textDocument: {
        uri,
        languageId: 'terraform',
        version: 1,
        text: 'output "a" {\n  value = var.town\n}\n',
      },
    },
  });
  await broken;
  const sound = diagnostics(0);
  const text = 'variable "town" {\n  default = "Bree"\n}\n';
  post({
    method: 'terrane/files',
    params: {
      files: [
        { uri: `${root}/variables.tf`, text },
        { uri: `${root}/gone.tf`, text: null },
      ],
    },
  });
  await sound;
  const position = { line: 1, character: 15 };
  expect(await ask('textDocument/definition', { textDocument: { uri }, position })).toContain(
    `${root}/variables.tf`,
  );
  expect(await ask('workspace/symbol', { query: 'town' })).toContain('var.town');
});
