// The action terrane-plan, with the built program and a server that keeps comments.
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { pathToFileURL } from 'node:url';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import {
  code,
  coloredDiff,
  commentOf,
  markerOf,
  MAX_COMMENT,
  orderedChanges,
  printedChanges,
} from '../../actions/terrane-plan/src/comment.ts';
import {
  type Change,
  readPlanStream,
  splitArguments,
} from '../../actions/terrane-plan/src/plan.ts';
import { root } from '../../scripts/root.ts';
import { buildAction, Job, type Step } from './run-action.ts';

interface Comment {
  readonly id: number;
  body: string;
  readonly html_url: string;
  readonly user: { readonly login: string; readonly type: string };
}

const place = mkdtempSync(join(tmpdir(), 'terrane-plan-action-'));
const action = join(place, 'terrane-plan');
let server: Server;
let api: string;
let comments: Comment[];
let isForbidden: boolean;
let job: Job;

function newComment(body: string, login: string, type: string): Comment {
  const id = comments.length + 1;
  return { id, body, html_url: `https://example.com/c/${id}`, user: { login, type } };
}

beforeAll(async () => {
  await buildAction('terrane-plan', action);
  server = createServer(async (request, response) => {
    const reply = (status: number, value: unknown): void =>
      void response.writeHead(status).end(JSON.stringify(value));
    const { method = '', url = '' } = request;
    const { pathname, searchParams } = new URL(url, 'http://localhost');
    const content = await text(request);
    // The token of a workflow belongs to an app, not to an account.
    if (pathname === '/user') return reply(403, { message: 'not accessible' });
    if (isForbidden && method !== 'GET') return reply(403, { message: 'not accessible' });
    const list = '/repos/acme/infra/issues/7/comments';
    if (method === 'GET' && pathname === list) {
      const page = Number(searchParams.get('page'));
      return reply(200, comments.slice((page - 1) * 100, page * 100));
    }
    const { body } = JSON.parse(content) as { readonly body: string };
    if (method === 'POST' && pathname === list) {
      const comment = newComment(body, 'github-actions[bot]', 'Bot');
      comments.push(comment);
      return reply(201, comment);
    }
    const comment = comments.find(
      ({ id }) => pathname === `/repos/acme/infra/issues/comments/${id}`,
    );
    if (method !== 'PATCH' || comment === undefined) return reply(404, {});
    comment.body = body;
    reply(200, comment);
  });
  await new Promise<void>((done) => void server.listen(0, '127.0.0.1', done));
  api = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
});

afterAll(() => {
  server.close();
  rmSync(place, { recursive: true, force: true });
});

beforeEach(() => {
  job = new Job(place);
  comments = [];
  isForbidden = false;
});

function plan(inputs: Readonly<Record<string, string>> = {}): Promise<Step> {
  const event = join(job.folder, 'event.json');
  writeFileSync(
    event,
    JSON.stringify({ pull_request: { number: 7, head: { sha: '0123456789abcdef' } } }),
  );
  return job.use(
    action,
    { program: join(root, 'bin/terrane'), ...inputs },
    {
      GITHUB_API_URL: api,
      GITHUB_EVENT_PATH: event,
      GITHUB_REPOSITORY: 'acme/infra',
      GITHUB_RUN_ID: '99',
      GITHUB_SERVER_URL: 'https://github.com',
    },
  );
}

const BEFORE = `
resource "terraform_data" "gone" { input = 1 }
resource "terraform_data" "kept" { input = "a" }
resource "terraform_data" "swapped" { triggers_replace = [1] }
`;
const AFTER = `
variable "secret" {
  default   = "hunter2"
  sensitive = true
}
resource "terraform_data" "kept" { input = "b \`\`\` @someone" }
resource "terraform_data" "swapped" { triggers_replace = [2] }
resource "terraform_data" "new" { input = var.secret }
`;

describe('terrane-plan', () => {
  test('maintains one comment, with destroyed objects first', async () => {
    job.write('main.tf', BEFORE);
    const applied = await job.run(join(root, 'bin/terrane'), ['apply', '-auto-approve']);
    expect(applied.code, applied.log).toBe(0);
    job.write('main.tf', AFTER);
    // Somebody else wrote a comment that looks like that of the action.
    comments.push(newComment(`${markerOf('prod')}\nmine`, 'mallory', 'User'));
    const step = await plan({ label: 'prod', plan_file: 'saved' });
    expect(step.code, step.log).toBe(0);
    expect(step.outputs).toMatchObject({
      has_changes: 'true',
      add: '2',
      change: '1',
      destroy: '2',
      plan_file: join(job.workspace, 'saved'),
      comment_url: 'https://example.com/c/2',
      exitcode: '0',
    });
    expect(comments.map(({ user }) => user.login)).toEqual(['mallory', 'github-actions[bot]']);
    expect(comments[0]?.body).toBe(`${markerOf('prod')}\nmine`);
    const { body = '' } = comments[1] ?? {};
    expect(body).toContain('### `prod`: Plan: 2 to add, 1 to change, 2 to destroy.');
    expect(body.match(/^- \S+ \*\*.*$/gm)).toEqual([
      '- 🔴 **destroy** `terraform_data.gone` – `the configuration has no block for terraform_data.gone`',
      expect.stringMatching(
        /\*\*replace\*\* `terraform_data.swapped` – `the provider cannot change/,
      ),
      expect.stringMatching(/\*\*update\*\* `terraform_data.kept` – ````input changes .*@someone/),
      expect.stringMatching(/\*\*create\*\* `terraform_data.new` – `/),
    ]);
    expect(body).toMatch(/^````diff\n {2}# terraform_data\.kept will be updated in-place$/m);
    expect(body).toMatch(/^! {6}~ input +=/m);
    expect(body).toContain('of `0123456` by Terrane · [the log](https://github.com/acme/infra/');
    expect(body).not.toContain('hunter2');
    expect(step.summary).not.toContain('hunter2');

    const done = await job.run(join(root, 'bin/terrane'), ['apply', 'saved']);
    expect(done.code, done.log).toBe(0);
    const again = await plan({ label: 'prod', comment: 'changes' });
    expect(again.outputs).toMatchObject({ has_changes: 'false', add: '0', destroy: '0' });
    expect(comments).toHaveLength(2);
    expect(comments[1]?.body).toContain('### `prod`: No changes');
    // Another label has no comment yet, and needs none.
    const other = await plan({ label: 'other', comment: 'changes' });
    expect(other.outputs['comment_url']).toBe('');
    expect(comments).toHaveLength(2);
  });

  test('reports a failed plan', async () => {
    job.write('main.tf', 'output "a" { value = var.b }\n');
    const step = await plan();
    expect(step.code).toBe(1);
    expect(step.outputs).toMatchObject({ has_changes: 'false', plan_file: '', exitcode: '1' });
    expect(comments[0]?.body).toContain('Plan failed');
    expect(comments[0]?.body).toContain('Reference to undeclared input variable (main.tf:1)');
    expect(step.summary).toContain('Reference to undeclared input variable');
  });

  test('a token that cannot comment is a warning', async () => {
    job.write('main.tf', 'output "a" { value = 1 }\n');
    isForbidden = true;
    const step = await plan();
    expect(step.code, step.log).toBe(0);
    expect(step.log).toContain('::warning::The comment could not be written');
    expect(step.outputs).toMatchObject({ has_changes: 'true', comment_url: '' });
    expect(step.summary).toContain('outputs: `output.a`');
  });

  test('finds its comment among hundreds, and fits a large plan', async () => {
    for (let n = 0; n < 150; n += 1) comments.push(newComment(`comment ${n}`, 'user', 'User'));
    comments.push(newComment(`${markerOf('.')}\nold`, 'github-actions[bot]', 'Bot'));
    job.write('main.tf', 'resource "terraform_data" "a" {\n  count = 400\n  input = "x"\n}\n');
    const step = await plan();
    expect(step.code, step.log).toBe(0);
    expect(comments).toHaveLength(151);
    const { body = '' } = comments[150] ?? {};
    expect(body.length).toBeLessThanOrEqual(MAX_COMMENT);
    expect(body.match(/^- 🟢 \*\*create\*\*/gmu)).toHaveLength(400);
    expect(body).toMatch(/The differences of \d+ further changes are in \[the log\]/);
  });
});

const change = (address: string, ...actions: readonly string[]): Change => ({
  address,
  kind: 'resource',
  actions,
  deferred: false,
  causes: [{ text: 'because '.repeat(20), causes: [] }],
});
const EMPTY = { problems: [], summary: 'Plan', add: 0, change: 0, remove: 0, outputs: [] };

test.each([0, 1, 10, 500, 2000, 20_000])('a comment of %d changes fits', (count) => {
  const changes = Array.from({ length: count }, (_, n) => change(`a.b[${n}]`, 'create'));
  changes.push(change('a.gone', 'delete'));
  const body = commentOf({
    label: 'x',
    plan: { ...EMPTY, changes },
    text: '',
    exitCode: 0,
    logUrl: 'https://example.com/log',
    commit: '',
  });
  expect(body.length).toBeLessThanOrEqual(MAX_COMMENT);
  expect(body).toMatch(/^<!-- .* -->\n### `x`: Plan\n\n- 🔴 \*\*destroy\*\* `a.gone`/u);
  expect(body).toContain('by Terrane');
  if (count >= 2000) expect(body).toMatch(/- \d+ further changes are in \[the log\]/);
});

test('changes are ordered by danger, and nothing is shown for no-ops and outputs', () => {
  const changes = [
    change('a', 'read'),
    change('b', 'create'),
    change('c', 'update'),
    change('d', 'forget'),
    change('e', 'create', 'delete'),
    change('f', 'delete'),
    change('g', 'no-op'),
    { ...change('h', 'create'), kind: 'output' },
  ];
  expect(
    orderedChanges(changes)
      .map(({ address }) => address)
      .join(''),
  ).toBe('fedcba');
});

test('text of others is neither Markdown nor a marker', () => {
  expect(code('a ` b')).toBe('``a ` b``');
  expect(code('`a`\n<b>')).toBe('`` `a` <b> ``');
  expect(markerOf('a --> b')).not.toContain('--%3E b');
  expect(markerOf('a--b').slice(4, -3)).not.toContain('--');
});

test('printed changes are found by address', () => {
  const text = `Terraform will perform the following actions:

  # a.b["x will be y"] will be created
  + resource "a" "b" {
    }

  # a.c (deposed object 0123) will be destroyed
  # (because it is left over)
  - resource "a" "c" {
    }

Plan: 1 to add, 0 to change, 1 to destroy.
`;
  const addresses = ['a.b["x will be y"]', 'a.c (deposed object 0123)'];
  const printed = printedChanges(text, new Set(addresses));
  expect([...printed.keys()]).toEqual(addresses);
  expect(printed.get('a.c (deposed object 0123)')).toMatch(/left over\)\n {2}- resource/);
  expect(coloredDiff('  + a\n-/+ b\n    c\n  ~ d')).toBe('+    a\n!-/+ b\n    c\n!  ~ d');
});

test('a note about one thing is in the singular', () => {
  const problem = { severity: 'error', summary: 'a'.repeat(MAX_COMMENT), detail: '', place: '' };
  const body = commentOf({
    label: 'x',
    plan: { ...EMPTY, changes: [], problems: [problem] },
    text: '',
    exitCode: 1,
    logUrl: '',
    commit: '',
  });
  expect(body).toContain('1 further error is in the log.');
});

test('a label that no comment has room for is an error', async () => {
  const step = await plan({ label: 'ä'.repeat(20_000) });
  expect(step.code).toBe(1);
  expect(step.log).toContain('The label has 20000 characters; at most 1000 are possible.');
  expect(comments).toEqual([]);
});

test('a cancelled job interrupts the plan, which releases its lock', async () => {
  const ready = join(place, 'ready');
  // Prints when it runs, and ends by itself when it is interrupted.
  const script = `trap 'echo interrupted; exit 3' INT; echo started >&2; : > '${ready}'; while :; do sleep 0.05; done`;
  const plan = join(root, 'actions/terrane-plan/src/plan.ts');
  const program = `import { existsSync } from 'node:fs';
import { run } from ${JSON.stringify(pathToFileURL(plan).href)};
const ran = run('sh', ['-c', ${JSON.stringify(script)}], '/', process.env);
const watch = setInterval(() => {
  if (!existsSync(${JSON.stringify(ready)})) return;
  clearInterval(watch);
  process.kill(process.pid, 'SIGINT');
}, 20);
console.log(JSON.stringify(await ran));
`;
  const step = await job.run(process.execPath, ['--input-type=module', '--eval', program]);
  expect(JSON.parse(step.log.split('\n').find((line) => line.startsWith('{')) ?? '{}')).toEqual({
    code: 3,
    stdout: 'interrupted\n',
    stderr: 'started\n',
  });
});

test('arguments are split as in a shell, and other output is skipped', () => {
  expect(splitArguments(` -var 'a=b c' -var="d e" `)).toEqual(['-var', 'a=b c', '-var=d e']);
  expect(readPlanStream('rubbish\n{"type": 1}\n{broken\n')).toMatchObject({ changes: [] });
});
