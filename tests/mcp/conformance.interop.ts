// The protocol's conformance suite and its inspector examine the server.
import { execFile, execFileSync } from 'node:child_process';
import { createServer } from 'node:http';
import { readFileSync } from 'node:fs';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { createMcpHandler } from '@modelcontextprotocol/server';
import { createTerraneServer } from '@terrane/mcp';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { root } from '../../scripts/root.ts';
import { DriftBench } from '../drift/drift-bench.ts';
import { projectOf } from './session.ts';

const run = promisify(execFile);

/** The scenarios of the suite that do not require tools, resources or prompts of the suite's own example server. */
const SCENARIOS = ['server-initialize', 'ping', 'tools-list'] as const;

/** Why the other scenarios do not apply, by the beginning of their names. */
const REASONS: Readonly<Record<string, string>> = {
  'tools-call-': 'calls tools of the example server by their names',
  'json-schema-2020-12': 'examines the schema of a tool of the example server',
  'elicitation-': 'calls tools of the example server that ask the client',
  'resources-': 'the server has no resources; its tools page through what there is',
  'prompts-': 'the server has no prompts',
  'logging-set-level': 'the server sends no log messages; it records calls in a file',
  'completion-complete': 'completion is for prompts and resources',
  'server-sse-': 'concerns HTTP, and the server speaks over standard streams',
  'dns-rebinding-protection': 'concerns HTTP, and the server speaks over standard streams',
};

let bench: DriftBench;
let cache: string;
let url: string;
let stop: () => void;

beforeAll(async () => {
  cache = execFileSync(join(root, 'scripts/install-mcp-conformance.sh'), {
    encoding: 'utf8',
  }).trim();
  bench = new DriftBench('resource "life_thing" "a" {\n  name = "a"\n}\n');
  const project = projectOf(bench);
  const record = (): Promise<void> => Promise.resolve();
  const handler = createMcpHandler(() =>
    createTerraneServer(project, { version: '0.1.0', record }),
  );
  // The suite speaks HTTP only, so the server for standard streams is put behind the library's HTTP handler.
  const server = createServer((request, response) => {
    const pieces: Buffer[] = [];
    request.on('data', (piece: Buffer) => pieces.push(piece));
    request.on('end', () => {
      const { method = 'GET' } = request;
      const headers = Object.entries(request.headers).map(([name, value]): [string, string] => [
        name,
        String(value),
      ]);
      const body = method === 'GET' || method === 'HEAD' ? {} : { body: Buffer.concat(pieces) };
      void handler
        .fetch(new Request(`http://127.0.0.1${request.url ?? '/'}`, { method, headers, ...body }))
        .then(async (answer) => {
          response.writeHead(answer.status, Object.fromEntries(answer.headers));
          response.end(Buffer.from(await answer.arrayBuffer()));
        });
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  // A listening server of an address has an address of this kind.
  url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/mcp`;
  stop = () => {
    server.closeAllConnections();
    server.close();
  };
});

afterAll(() => {
  stop();
  bench.dispose();
});

describe('conformance', () => {
  it('covers every scenario of the suite', async () => {
    const suite = join(cache, 'node_modules/@modelcontextprotocol/conformance/dist/index.js');
    const { stdout } = await run(process.execPath, [suite, 'list', '--server']);
    const names = [...stdout.matchAll(/^ +- (\S+)/gm)].map(([, name = '']) => name);
    expect(names).toEqual(expect.arrayContaining([...SCENARIOS]));
    const isExplained = (name: string): boolean =>
      Object.keys(REASONS).some((beginning) => name.startsWith(beginning));
    const applying: readonly string[] = SCENARIOS;
    expect(names.filter((name) => !applying.includes(name) && !isExplained(name))).toEqual([]);
  });

  it.each(SCENARIOS)('%s', async (scenario) => {
    const suite = join(cache, 'node_modules/@modelcontextprotocol/conformance/dist/index.js');
    const { stdout } = await run(
      process.execPath,
      [suite, 'server', '--url', url, '--scenario', scenario],
      { cwd: bench.directory },
    );
    expect(stdout).toMatch(/Passed: (\d+)\/\1/);
  });
});

describe('the inspector', () => {
  it('lists and calls tools over the standard streams of the built program', async () => {
    const manifest = JSON.parse(
      readFileSync(
        join(cache, 'node_modules/@modelcontextprotocol/inspector/package.json'),
        'utf8',
      ),
    ) as { bin: { inspector: string } };
    const inspector = join(
      cache,
      'node_modules/@modelcontextprotocol/inspector',
      manifest.bin.inspector,
    );
    const inspect = async (...args: readonly string[]): Promise<unknown> => {
      const { stdout } = await run(
        process.execPath,
        [inspector, '--cli', join(root, 'bin/terrane'), 'mcp', ...args],
        { cwd: bench.directory, timeout: 300_000 },
      );
      return JSON.parse(stdout);
    };
    expect(await inspect('--method', 'tools/list')).toMatchObject({
      tools: expect.arrayContaining([expect.objectContaining({ name: 'propose_apply' })]),
    });
    expect(await inspect('--method', 'tools/call', '--tool-name', 'versions')).toMatchObject({
      content: [{ type: 'text', text: expect.stringContaining('"terrane"') }],
    });
  });
});
