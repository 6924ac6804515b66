// Runs the integration tests of go-tfe, the client library of the HCP Terraform API, against the run server.
import { spawn } from 'node:child_process';
import { readdirSync, readFileSync } from 'node:fs';
import { createServer, type IncomingMessage, request, type ServerResponse } from 'node:http';
import { once } from 'node:events';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { findGoTfe } from '../../../scripts/oracle/install-go-tfe.mjs';
import { openApiDocument } from '@terrane/server/testing/api-document';
import { exclusionOf } from './excluded.ts';
import { freePort } from '../../interop/free-port.ts';
import { createInstallation } from '../run-server.ts';

/** The result of a test function. */
export interface GoTfeTest {
  readonly name: string;
  /** the file without `_integration_test.go` */
  readonly group: string;
  /** undefined: the process ended before the test did */
  readonly result: 'pass' | 'fail' | 'skip' | undefined;
  readonly subtests: { readonly pass: number; readonly fail: number; readonly skip: number };
  readonly output: string;
}

export interface GoTfeRun {
  readonly version: string;
  readonly tests: readonly GoTfeTest[];
  /** requests by method, path with placeholders, and status */
  readonly requests: ReadonlyMap<string, number>;
  /** responses that differ from the OpenAPI document, each once */
  readonly differences: readonly string[];
  /** operations of the document whose responses were validated, and the number of responses */
  readonly validated: ReadonlyMap<string, number>;
}

/** Options of a run. */
export interface GoTfeOptions {
  readonly version: string;
  /** a regular expression of names of tests */
  readonly pattern?: string;
  readonly parallel?: number;
  readonly timeout?: string;
  /** begins no other group after this time */
  readonly seconds?: number;
  /** reports what a test function does: `run`, `pass`, `fail`, `skip`, … */
  progress?(test: string, action: string, output: () => string): void;
}

/** The test functions of a release, by name, with the group that they belong to. */
export function goTfeTests(source: string): ReadonlyMap<string, string> {
  const tests = new Map<string, string>();
  for (const file of readdirSync(source)) {
    if (!file.endsWith('_test.go')) continue;
    const text = readFileSync(join(source, file), 'utf8');
    const group = file.replace(/(_integration|_intergration)?(_beta)?_test\.go$/, '');
    for (const [, name = ''] of text.matchAll(/^func (Test\w+)\(t \*testing\.T\)/gm)) {
      tests.set(name, group);
    }
  }
  return tests;
}

/** Runs the tests of a release against a server with PostgreSQL and two agents, all processes on this machine. */
export async function runGoTfe(options: GoTfeOptions): Promise<GoTfeRun> {
  const found = findGoTfe(options.version);
  if (found === undefined) {
    throw new Error('The tests of go-tfe are not installed: scripts/oracle/install-go-tfe.mjs');
  }
  await using installation = await createInstallation();
  const [port, publicPort] = [await freePort(), await freePort()];
  const requests = new Map<string, number>();
  const differences = new Set<string>();
  const document = openApiDocument();
  const proxy = createServer((incoming, response) => {
    forward(incoming, response, port, (method, url, answer, body) => {
      const path = url.replace(/\?.*/, '');
      const status = answer.statusCode ?? 0;
      const shape = path
        .replaceAll(/(?<=\/)(?:tst-)?[\da-f-]{36}|(?<=\/)[a-z]{2,8}-\w{16}/g, '*')
        .replace(/_signed\/[^/]+/, '_signed/*');
      const key = `${method} ${shape} ${status}`;
      requests.set(key, (requests.get(key) ?? 0) + 1);
      const contentType = answer.headers['content-type'] ?? '';
      for (const each of document?.problems({ method, path, status, contentType, body }) ?? [])
        differences.add(each);
    });
  });
  proxy.listen(publicPort, '127.0.0.1');
  await once(proxy, 'listening');
  await installation.startServer(
    port,
    `-url=http://127.0.0.1:${publicPort}`,
    '-allow-destination=127.0.0.0/8',
  );
  await installation.startAgent('one', port, '-concurrency=2');
  const groups = goTfeTests(found.source);
  const selected = new RegExp(options.pattern ?? '.');
  const env = {
    TFE_ADDRESS: `http://127.0.0.1:${publicPort}`,
    TFE_TOKEN: installation.token,
    TFC_RUN_TASK_URL: `http://127.0.0.1:${publicPort}/run-task`,
    TFE_ADMIN_PROVISION_LICENSES_TOKEN: installation.token,
    TFE_ADMIN_SITE_ADMIN_TOKEN: installation.token,
    // The cache of Go is there, without which it builds its tool again.
    HOME: process.env['HOME'],
    PATH: process.env['PATH'],
  };
  const names = [...groups]
    .filter(([name, group]) => selected.test(name) && exclusionOf(name, group) === undefined)
    .map(([name]) => name);
  const results = new Map<string, GoTfeTest>();
  const ends = Date.now() + (options.seconds ?? 3_600) * 1_000;
  const groupOf = (name: string): string | undefined => groups.get(name);
  const alone = (name: string): string => name;
  const missing = (name: string): boolean => results.get(name)?.result === undefined;
  const isBeta = (name: string): boolean =>
    results.get(name)?.output.includes('ENABLE_BETA=1') === true;
  for (const { partOf, isWanted, more } of [
    { partOf: groupOf, isWanted: missing, more: {} },
    // A panic of one test ends the process with all others of its group, which are repeated alone.
    { partOf: alone, isWanted: missing, more: {} },
    // Tests of features that were in beta skip themselves without this.
    {
      partOf: alone,
      isWanted: (name: string) => results.get(name)?.result === 'skip' && isBeta(name),
      more: { ENABLE_BETA: '1' },
    },
  ]) {
    const remaining = names.filter(isWanted);
    for (const key of new Set(remaining.map(partOf))) {
      if (Date.now() > ends) break;
      const part = remaining.filter((name) => partOf(name) === key);
      const pattern = `^(${part.join('|')})$`;
      const settings = { ...env, ...more };
      const events = await runTests(found.program, found.source, { ...options, pattern }, settings);
      for (const test of resultsOf(events, groups)) results.set(test.name, test);
    }
  }
  const tests = [...results.values()].sort(
    (x, y) => x.group.localeCompare(y.group) || x.name.localeCompare(y.name),
  );
  proxy.closeAllConnections();
  proxy.close();
  const validated = document?.validated ?? new Map<string, number>();
  return { version: options.version, tests, requests, differences: [...differences], validated };
}

/** An event of `go tool test2json`. */
interface TestEvent {
  readonly Action: string;
  readonly Test?: string;
  readonly Output?: string;
}

async function runTests(
  program: string,
  source: string,
  { pattern, parallel = 4, timeout = '9m', progress }: GoTfeOptions,
  env: NodeJS.ProcessEnv,
): Promise<readonly TestEvent[]> {
  const tests = spawn(
    'go',
    [
      ...['tool', 'test2json', program, '-test.v=test2json', `-test.parallel=${parallel}`],
      ...[`-test.timeout=${timeout}`, `-test.run=${pattern ?? '.'}`],
    ],
    { cwd: source, env, stdio: ['ignore', 'pipe', 'inherit'] },
  );
  const events: TestEvent[] = [];
  const closed = once(tests, 'close');
  for await (const line of createInterface({ input: tests.stdout })) {
    // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- the output of test2json
    if (!line.startsWith('{')) continue;
    const event = JSON.parse(line) as TestEvent;
    events.push(event);
    const { Test: test = '', Action: action } = event;
    if (test === '' || test.includes('/')) continue;
    progress?.(test, action, () =>
      events
        .filter((each) => each.Action === 'output' && each.Test?.split('/')[0] === test)
        .map((each) => each.Output)
        .join(''),
    );
  }
  await closed;
  return events;
}

function resultsOf(
  events: readonly TestEvent[],
  groups: ReadonlyMap<string, string>,
): readonly GoTfeTest[] {
  const names = new Map<
    string,
    {
      result?: 'pass' | 'fail' | 'skip';
      pass: number;
      fail: number;
      skip: number;
      output: string[];
    }
  >();
  for (const { Action: action, Test: test, Output: output } of events) {
    if (test === undefined) continue;
    const [name = '', ...rest] = test.split('/');
    const entry = names.get(name) ?? { pass: 0, fail: 0, skip: 0, output: [] };
    names.set(name, entry);
    if (action === 'output') entry.output.push(output ?? '');
    if (action !== 'pass' && action !== 'fail' && action !== 'skip') continue;
    if (rest.length === 0) entry.result = action;
    else entry[action]++;
  }
  return [...names].map(([name, { result, pass, fail, skip, output }]) => ({
    name,
    group: groups.get(name) ?? 'unknown',
    result,
    subtests: { pass, fail, skip },
    output: output.join(''),
  }));
}

/**
 * Forwards a request to the server, except for two that the tests send to change the subscription of an organization:
 * an internal API of HashiCorp's service, whose success every later request presupposes.
 */
function forward(
  incoming: IncomingMessage,
  response: ServerResponse,
  port: number,
  observe: (method: string, url: string, answer: IncomingMessage, body: Buffer) => void,
): void {
  const { method = 'GET', url = '/', headers } = incoming;
  const internal = /^\/api\/v2\/admin\/(feature-sets|organizations\/[^/]+\/subscription)/.exec(url);
  if (url === '/run-task') {
    incoming.resume();
    response.end();
    return;
  }
  if (internal !== null) {
    incoming.resume();
    const data = { id: 'fs-1', type: 'feature-sets', attributes: {} };
    response.writeHead(200, { 'content-type': 'application/vnd.api+json' });
    response.end(JSON.stringify({ data: internal[1] === 'feature-sets' ? [data] : data }));
    return;
  }
  const outgoing = request({ host: '127.0.0.1', port, method, path: url, headers }, (answer) => {
    const chunks: Buffer[] = [];
    answer.on('data', (chunk: Buffer) => chunks.push(chunk));
    answer.on('end', () => observe(method, url, answer, Buffer.concat(chunks)));
    response.writeHead(answer.statusCode ?? 502, answer.headers);
    answer.pipe(response);
  });
  outgoing.on('error', () => response.destroy());
  incoming.on('error', () => outgoing.destroy());
  response.on('close', () => outgoing.destroy());
  incoming.pipe(outgoing);
}
