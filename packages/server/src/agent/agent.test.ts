import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { nodeHost } from '@terrane/host';
import { expect, it } from 'vitest';
import { createAgentToken } from '../server.ts';
import { testServer } from '../testing.ts';
import { queueRun, startAgent } from '../testing/test-agent.ts';
import { AgentClient, AgentRejected } from './agent-client.ts';
import type { AgentMessage } from './agent-message.ts';
import { Registration } from './registration.ts';

it('reports what it does, without secrets', async () => {
  await using test = await testServer();
  const token = await createAgentToken(test.server.services, 'test');
  const { run } = await queueRun(test);
  const runTokens: string[] = [];
  const { agent, messages, directory } = await startAgent(
    test.server,
    token,
    async (_args, { environment, directory: root, onOutput, onEvent }) => {
      const { files } = nodeHost();
      const file = await files.readText(environment['TF_CLI_CONFIG_FILE'] ?? '');
      runTokens.push(/token = "(.*)"/.exec(file)?.[1] ?? '');
      expect(environment['password']).toBe('p4ssw0rd');
      await files.writeFile(join(root, '.terrane/plan.tfplan'), 'plan');
      onEvent?.(JSON.stringify({ type: 'log', '@message': 'p4ssw0rd' }));
      onOutput('{}');
      return { code: 0 };
    },
  );
  await agent.stopped;
  const status = await test.call('GET', `/api/v2/runs/${run}`);
  expect(status.json.data.attributes.status).toBe('planned_and_finished');
  const id: unknown = messages[0]?.fields['agent'];
  const subject = { agent: id, run, attempt: 1, kind: 'plan', workspace: 'acme/example' };
  expect(messages).toMatchObject([
    { level: 'info', message: 'agent is waiting', fields: { name: 'builder\n2026-01-01 forged' } },
    { level: 'info', message: 'run started', fields: subject },
    { level: 'info', message: 'run ended', fields: { ...subject, outcome: 'succeeded' } },
  ]);
  expect(messages[2]?.text).toMatch(/^Run run-\w+: plan succeeded after \d+\.\d s$/);
  const text = JSON.stringify(messages);
  expect(new Set(runTokens).size).toBe(1);
  for (const secret of [token, 'p4ssw0rd', ...runTokens]) expect(text).not.toContain(secret);
  expect(await readdir(directory)).toEqual(['providers']);
});

it('reports once that the server cannot be reached, and that it can be again', async () => {
  const messages: AgentMessage[] = [];
  let requests = 0;
  const client = new AgentClient(
    () => {
      requests++;
      return requests <= 5
        ? Promise.reject(new Error('connect ECONNREFUSED'))
        : Promise.resolve({ status: 201, body: Buffer.from('{"id": "agent-1"}') });
    },
    'secret',
    { monotonicMs: () => 0, sleep: () => Promise.resolve() },
    (message) => messages.push(message),
  );
  const { signal } = new AbortController();
  expect(await client.register('builder', signal)).toBe('agent-1');
  expect(requests).toBe(6);
  expect(messages.map(({ level, text }) => [level, text])).toEqual([
    ['warn', 'The server cannot be reached, and the agent goes on trying: connect ECONNREFUSED'],
    ['info', 'The server can be reached again.'],
  ]);
});

it('ends if the server rejects its token', async () => {
  await using test = await testServer();
  const { agent, messages } = await startAgent(test.server, 'wrong', () =>
    Promise.reject(new Error('Nothing is executed.')),
  );
  await expect(agent.stopped).rejects.toBeInstanceOf(AgentRejected);
  expect(messages).toEqual([]);
});

it('registers again after it was deleted, and ends if the server never knows it', async () => {
  const registered: string[] = [];
  const claims: string[] = [];
  const unknown = Buffer.from('{"errors": [{"detail": "Resource not found."}]}');
  const messages: AgentMessage[] = [];
  const signal = new AbortController().signal;
  let isKnown = true;
  const client = new AgentClient(
    (_method, path, { body }) => {
      if (path.endsWith('/agents')) {
        registered.push(`agent-${registered.length + 1}`);
        return Promise.resolve({
          status: 201,
          body: Buffer.from(JSON.stringify({ id: registered.at(-1) })),
        });
      }
      const { agent } = JSON.parse(Buffer.from(body ?? []).toString('utf8'));
      claims.push(String(agent));
      return Promise.resolve(
        isKnown && agent === registered.at(-1)
          ? { status: 204, body: new Uint8Array() }
          : { status: 404, body: unknown },
      );
    },
    'secret',
    { monotonicMs: () => 0, sleep: () => Promise.resolve() },
  );
  const registration = await Registration.open(
    client,
    'builder',
    (message) => messages.push(message),
    signal,
  );
  const claim = () => registration.claim(0, signal);
  await claim();
  // Deleted: two slots of the agent register it again once.
  registered.push('agent-of-nobody');
  await Promise.all([claim(), claim()]);
  expect(registered).toEqual(['agent-1', 'agent-of-nobody', 'agent-3']);
  expect(messages.map(({ text }) => text)).toEqual([
    'Agent agent-1 was deleted at the server. It is registered again, as agent-3.',
  ]);
  isKnown = false;
  await expect(claim()).rejects.toThrow('The server does not know agent agent-4');
  expect(registered.at(-1)).toBe('agent-4');
  await expect(claim()).rejects.toBeInstanceOf(AgentRejected);
  expect(claims.slice(-3)).toEqual(['agent-3', 'agent-4', 'agent-4']);
});
