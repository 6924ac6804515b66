// Runs and agents of tests.
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { packTar } from 'modern-tar';
import { nodeHost } from '@terrane/host';
import { onTestFinished } from 'vitest';
import { type Agent, runAgent } from '../agent/agent.ts';
import type { AgentMessage } from '../agent/agent-message.ts';
import type { Execute } from '../agent/execute.ts';
import type { Server } from '../server.ts';
import type { TestServer } from '../testing.ts';

const document = (type: string, attributes: object, relationships: object = {}): object => ({
  data: { type, attributes, relationships },
});

/** Queues a run with a sensitive variable, in a new workspace. Returns their IDs. */
export async function queueRun(
  test: TestServer,
  {
    name = 'example',
    ...settings
  }: { readonly name?: string; readonly [setting: string]: unknown } = {},
): Promise<{ readonly run: string; readonly workspace: string }> {
  const created = await test.call(
    'POST',
    '/api/v2/organizations/acme/workspaces',
    document('workspaces', { name, ...settings }),
  );
  const workspace: string = created.json.data.id;
  const path = `/api/v2/workspaces/${workspace}`;
  const secret = { key: 'password', value: 'p4ssw0rd', category: 'env', sensitive: true };
  await test.call('POST', `${path}/vars`, document('vars', secret));
  const version = await test.call(
    'POST',
    `${path}/configuration-versions`,
    document('configuration-versions', { 'auto-queue-runs': false }),
  );
  const { attributes, id } = version.json.data;
  const archive = gzipSync(await packTar([{ header: { name: 'main.tf', size: 0, type: 'file' } }]));
  await test.call('PUT', attributes['upload-url'], archive, null);
  const related = (type: string, of: string) => ({ data: { type, id: of } });
  const run = await test.call(
    'POST',
    '/api/v2/runs',
    document(
      'runs',
      {},
      {
        workspace: related('workspaces', workspace),
        'configuration-version': related('configuration-versions', id),
      },
    ),
  );
  return { run: run.json.data.id, workspace };
}

/** Starts an agent for one job, with a directory of its own. */
export async function startAgent(
  server: Pick<Server, 'fetch'>,
  token: string,
  execute: Execute,
  programsDirectory?: string,
): Promise<{
  readonly agent: Agent;
  readonly messages: AgentMessage[];
  readonly directory: string;
}> {
  const directory = await mkdtemp(join(tmpdir(), 'terrane-agent-'));
  onTestFinished(() => rm(directory, { recursive: true }));
  const messages: AgentMessage[] = [];
  const agent = runAgent({
    host: nodeHost(),
    async transport(method, path, { headers, body, signal }) {
      const response = await server.fetch(
        new Request(new URL(path, 'https://server.test'), {
          method,
          headers,
          ...(body !== undefined && { body: Buffer.from(body) }),
          ...(signal !== undefined && { signal }),
        }),
      );
      return { status: response.status, body: new Uint8Array(await response.arrayBuffer()) };
    },
    token,
    name: 'builder\n2026-01-01 forged',
    execute,
    directory,
    serverHost: 'server.test',
    version: '1.0.0',
    passedEnvironment: { PATH: process.env['PATH'] ?? '' },
    ...(programsDirectory !== undefined && { programsDirectory }),
    single: true,
    signal: new AbortController().signal,
    report: (message) => messages.push(message),
  });
  return { agent, messages, directory };
}
