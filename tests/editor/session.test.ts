import { execFile, spawn } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import { promisify } from 'node:util';
import {
  createProtocolConnection,
  type CodeLens,
  type Hover,
  StreamMessageReader,
  StreamMessageWriter,
} from 'vscode-languageserver/node';
import { expect, it } from 'vitest';

const PROGRAM = resolve(import.meta.dirname, '../../bin/terrane');
const run = promisify(execFile);

const MAIN = `variable "size" {
  type    = number
  default = 1
}

resource "terraform_data" "web" {
  input = "size \${var.size}"
}
`;

it('serves an editor: lenses of a saved plan with causes, values of the state, orderly end', async () => {
  const directory = mkdtempSync(join(tmpdir(), 'terrane-lsp-'));
  try {
    writeFileSync(join(directory, 'main.tf'), MAIN);
    await run(PROGRAM, ['init'], { cwd: directory });
    await run(PROGRAM, ['apply', '-auto-approve'], { cwd: directory });
    await run(PROGRAM, ['plan', '-var', 'size=2', '-out=next.tfplan'], { cwd: directory });
    const server = spawn(PROGRAM, ['lsp', '-trusted'], {
      cwd: directory,
      stdio: ['pipe', 'pipe', 'ignore'],
    });
    const exit = new Promise<number | null>((resolve) => server.once('exit', resolve));
    const connection = createProtocolConnection(
      new StreamMessageReader(server.stdout),
      new StreamMessageWriter(server.stdin),
    );
    let refreshed = (): void => undefined;
    connection.onRequest('workspace/codeLens/refresh', () => {
      refreshed();
      return null;
    });
    connection.listen();
    const uri = pathToFileURL(join(directory, 'main.tf')).href;
    await connection.sendRequest('initialize', {
      processId: null,
      rootUri: pathToFileURL(directory).href,
      capabilities: { workspace: { codeLens: { refreshSupport: true } } },
      initializationOptions: { state: { enabled: true } },
    });
    await connection.sendNotification('initialized', {});
    const evaluated = new Promise<void>((resolve) => {
      refreshed = resolve;
    });
    await connection.sendNotification('textDocument/didOpen', {
      textDocument: { uri, languageId: 'terraform', version: 1, text: MAIN },
    });
    await evaluated;
    const hover = await connection.sendRequest<Hover>('textDocument/hover', {
      textDocument: { uri },
      position: { line: 5, character: 28 },
    });
    expect(JSON.stringify(hover.contents)).toContain('size 1');
    const planned = new Promise<void>((resolve) => {
      refreshed = resolve;
    });
    await connection.sendNotification('terrane/plan', {
      uri: pathToFileURL(directory).href,
      file: join(directory, 'next.tfplan'),
    });
    await planned;
    const [lens] = await connection.sendRequest<CodeLens[]>('textDocument/codeLens', {
      textDocument: { uri },
    });
    expect(lens?.command?.title).toMatch(/^1 to change: .+/);
    const explained = await connection.sendRequest('workspace/executeCommand', {
      command: lens?.command?.command,
      arguments: lens?.command?.arguments,
    });
    expect(explained).toContain('var.size');
    await connection.sendRequest('shutdown');
    await connection.sendNotification('exit');
    expect(await exit).toBe(0);
  } finally {
    rmSync(directory, { recursive: true, force: true });
  }
});

it('ends when the input ends inside a message', async () => {
  const server = spawn(PROGRAM, ['lsp'], { stdio: ['pipe', 'ignore', 'ignore'] });
  const exit = new Promise<number | null>((resolve) => server.once('exit', resolve));
  server.stdin.end('Content-Length: 50\r\n\r\n{}');
  expect(await exit).toBe(1);
});
