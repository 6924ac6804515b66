import { createHmac, createVerify, generateKeyPairSync } from 'node:crypto';
import { gunzipSync, gzipSync } from 'node:zlib';
import { packTar, unpackTar } from 'modern-tar';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createAgentToken } from '../server.ts';
import { testServer, type TestJson, type TestServer } from '../testing.ts';
import { planComment } from './comment.ts';
import { isTriggered, matches } from './triggers.ts';

describe('triggers', () => {
  it.each([
    ['**', 'a/b.tf', true],
    ['modules/**/*.tf', 'modules/a/b/c.tf', true],
    ['modules/**/*.tf', 'modules/c.tf', true],
    ['modules/*.tf', 'modules/a/c.tf', false],
    ['/a*b*c/d', 'axbxc/d', true],
    ['a*b*c', 'ac', false],
    ['a', 'a/b', false],
    [`${'*a'.repeat(200)}b`, 'a'.repeat(5_000), false],
  ])('match %s with %s', (pattern, path, expected) => {
    expect(matches(pattern, path)).toBe(expected);
  });

  it('depend on the working directory, prefixes and patterns', () => {
    const of = (settings: object, files?: readonly string[]): boolean =>
      isTriggered({ settings: { ...settings } }, files);
    expect(of({}, ['README.md'])).toBe(true);
    expect(of({ 'working-directory': 'net' }, ['network/a.tf'])).toBe(false);
    expect(of({ 'working-directory': 'net' }, ['net/a.tf'])).toBe(true);
    expect(of({ 'working-directory': 'net', 'trigger-prefixes': ['/lib/'] }, ['lib/a'])).toBe(true);
    expect(of({ 'trigger-patterns': ['*.tf'] }, ['docs/a.tf'])).toBe(false);
    expect(of({ 'trigger-patterns': ['*.tf'], 'file-triggers-enabled': false }, ['x'])).toBe(true);
    expect(of({ 'trigger-patterns': ['*.tf'] }, undefined)).toBe(true);
  });
});

describe('the comment', () => {
  it('lists destroyed objects first with causes, and is limited', () => {
    const change = (address: string, actions: readonly string[], reason?: string) => ({
      address,
      mode: 'managed',
      change: { actions },
      action_reason: reason,
    });
    const resource_changes = [
      change('a.created', ['create']),
      change('a.`evil`', ['update']),
      change('a.replaced', ['delete', 'create'], 'replace_because_cannot_update'),
      change('a.gone', ['delete'], 'delete_because_no_resource_config'),
    ];
    const common = { name: 'acme/web', url: 'https://server.test/x', description: 'Planned' };
    const text = planComment(
      [{ ...common, state: 'success', plan: { resource_changes } }],
      'abcdef0123456789',
    );
    const order = ['a.gone', 'a.replaced', "a.'evil'", 'a.created'].map((each) =>
      text.indexOf(each),
    );
    expect(order).toEqual(order.toSorted((a, b) => a - b));
    expect(order[0]).toBeGreaterThan(0);
    expect(text).toContain('`a.gone`: its block is not in the configuration');
    const many = Array.from({ length: 40 }, (_, index) => ({
      ...common,
      name: `acme/${index}`,
      state: 'success' as const,
      plan: {
        resource_changes: Array.from({ length: 50 }, (__, n) =>
          change(`a.${'x'.repeat(200)}${n}`, ['create']),
        ),
      },
    }));
    expect(planComment(many, 'abc').length).toBeLessThan(65_536);
  });
});

const SHA = 'a'.repeat(40);
const HEAD = 'b'.repeat(40);

/** A simulated provider of version control: its address and the answers of its API. */
interface Fake {
  readonly kind: string;
  readonly httpUrl: string;
  readonly answers: (
    path: string,
    method: string,
  ) => { status: number; body?: unknown } | undefined;
  /** attributes with the credential; default: an access token */
  readonly credential?: object;
  /** archives by a part of their path; default: the same for every commit */
  readonly archives?: readonly (readonly [string, Buffer])[];
}

describe('connected workspaces', () => {
  let test: TestServer;
  const statuses: TestJson[] = [];
  let comments: TestJson[] = [];
  beforeAll(async () => {
    test = await testServer();
  });
  afterAll(async () => {
    await test[Symbol.asyncDispose]();
  });

  const resource = (type: string, attributes: object, relationships: object = {}) => ({
    data: { type, attributes, relationships },
  });

  const archive = async (files: Readonly<Record<string, string>>): Promise<Buffer> =>
    gzipSync(
      await packTar([
        { header: { name: 'owner-repo-abc/', type: 'directory', size: 0 } },
        ...Object.entries(files).map(([name, body]) => ({
          header: { name: `owner-repo-abc/${name}`, type: 'file' as const, size: body.length },
          body,
        })),
      ]),
    );

  async function connect(name: string, fake: Fake, settings: object = {}) {
    const packed = await archive({ 'net/main.tf': '#' });
    test.answers = (url, { method = 'GET' }) => {
      const { pathname } = new URL(url);
      const other = fake.archives?.find(([part]) => pathname.includes(part));
      if (other !== undefined) return { status: 200, body: other[1] };
      if (/archive|tarball/.test(url)) {
        return fake.answers(pathname, method) === undefined
          ? { status: 200, body: packed }
          : { status: 404 };
      }
      const { status, body } = fake.answers(pathname, method) ?? { status: 200, body: [] };
      return { status, body: JSON.stringify(body ?? {}) };
    };
    const client = await test.call(
      'POST',
      '/api/v2/organizations/acme/oauth-clients',
      resource('oauth-clients', {
        'service-provider': fake.kind,
        'http-url': fake.httpUrl,
        ...(fake.credential ?? { 'oauth-token-string': 'secret token' }),
      }),
    );
    expect(client.status).toBe(201);
    expect(JSON.stringify(client.json)).not.toContain('secret token');
    expect(JSON.stringify(client.json)).not.toContain('PRIVATE KEY');
    const token = client.json.data.relationships['oauth-tokens'].data[0].id;
    const created = await test.call(
      'POST',
      '/api/v2/organizations/acme/workspaces',
      resource('workspaces', {
        name,
        'vcs-repo': { identifier: 'owner/repo', branch: '', 'oauth-token-id': token },
        ...settings,
      }),
    );
    expect(created.status).toBe(201);
    test.sent.length = 0;
    await test.server.workOnce();
    const hook = test.sent.find(({ url, method }) => method === 'POST' && url.endsWith('hooks'));
    const body = JSON.parse(hook?.body ?? '{}');
    const url: string = body.config?.url ?? body.url;
    const secret: string = body.config?.secret ?? body.token;
    return { workspace: String(created.json.data.id), hook: new URL(url).pathname, secret };
  }

  async function send(path: string, headers: Readonly<Record<string, string>>, body: string) {
    const response = await test.server.fetch(
      new Request(`https://server.test${path}`, {
        method: 'POST',
        body,
        headers: { 'content-type': 'application/json', ...headers },
      }),
    );
    await test.server.workOnce();
    return response.status;
  }

  const runsOf = async (workspace: string): Promise<readonly TestJson[]> =>
    (await test.call('GET', `/api/v2/workspaces/${workspace}/runs?include=configuration_version`))
      .json.data;

  const github: Fake = {
    kind: 'github',
    httpUrl: '',
    answers(path, method) {
      if (path.endsWith('/hooks')) return { status: 201, body: { id: 7 } };
      if (/\/branches\//.test(path)) {
        return { status: 200, body: { commit: { sha: SHA, commit: { message: 'first' } } } };
      }
      if (/\/pulls\/\d+\/files/.test(path)) {
        return { status: 200, body: [{ filename: 'net/main.tf' }] };
      }
      if (/\/statuses\//.test(path)) return { status: 201, body: {} };
      if (/comments/.test(path)) return { status: method === 'POST' ? 201 : 200, body: { id: 99 } };
      if (path.endsWith('/repos/owner/repo'))
        return { status: 200, body: { default_branch: 'main' } };
      return undefined;
    },
  };
  const signed = (secret: string, event: string, body: string) => ({
    'x-github-event': event,
    'x-hub-signature-256': `sha256=${createHmac('sha256', secret).update(body).digest('hex')}`,
  });
  const push = (sha: string, files: readonly string[], branch = 'main'): string =>
    JSON.stringify({
      ref: `refs/heads/${branch}`,
      after: sha,
      repository: { full_name: 'owner/repo', default_branch: 'main' },
      head_commit: {
        id: sha,
        message: 'Change the network\n\nBecause.',
        url: 'https://github.com/c',
      },
      commits: [{ added: files, modified: [], removed: [] }],
    });
  const pull = (from: string, action = 'opened', sha = HEAD): string =>
    JSON.stringify({
      action,
      number: 5,
      repository: { full_name: 'owner/repo', default_branch: 'main' },
      pull_request: {
        title: 'A change',
        html_url: 'https://github.com/owner/repo/pull/5',
        head: { ref: 'topic', sha, repo: { full_name: from } },
        base: { ref: 'main' },
        user: { login: 'eve' },
      },
    });

  it('run each push to their branch once, and only for changes of their files', async () => {
    const { workspace, hook, secret } = await connect('pushed', github, {
      'working-directory': 'net',
    });
    const first = await test.server.services.db
      .selectFrom('configuration_versions')
      .selectAll()
      .where('workspace_id', '=', workspace)
      .execute();
    expect(first.map(({ ingress }) => ingress?.['commit-sha'])).toEqual([SHA]);
    expect(await runsOf(workspace)).toEqual([]);
    const sha = 'c'.repeat(40);
    const body = push(sha, ['net/main.tf']);
    expect(await send(hook, signed(secret, 'push', body), body)).toBe(202);
    expect(await send(hook, signed(secret, 'push', body), body)).toBe(202);
    const other = push('d'.repeat(40), ['docs/readme.md']);
    await send(hook, signed(secret, 'push', other), other);
    const branch = push('e'.repeat(40), ['net/x.tf'], 'topic');
    await send(hook, signed(secret, 'push', branch), branch);
    const runs = await runsOf(workspace);
    expect(runs.map(({ attributes }) => [attributes.message, attributes['plan-only']])).toEqual([
      ['Change the network', false],
    ]);
    const configuration = runs[0].relationships['configuration-version'].data.id;
    const downloaded = await test.call(
      'GET',
      `/api/v2/configuration-versions/${configuration}/download`,
    );
    const entries = await unpackTar(gunzipSync(downloaded.bytes));
    expect(entries.map(({ header }) => header.name)).toEqual(['net/main.tf']);
    const ingress = await test.call(
      'GET',
      `/api/v2/configuration-versions/${configuration}/ingress-attributes`,
    );
    expect(ingress.json.data.attributes).toMatchObject({ 'commit-sha': sha, branch: 'main' });
  });

  it('reject events that are not signed with the secret of the repository', async () => {
    const { workspace, hook, secret } = await connect('forged', github);
    const body = push('f'.repeat(40), ['main.tf']);
    expect(await send(hook, { 'x-github-event': 'push' }, body)).toBe(404);
    expect(await send(hook, signed('wrong', 'push', body), body)).toBe(404);
    expect(await send(hook, signed(secret, 'push', body), body.replace('main', 'mein'))).toBe(404);
    expect(await send('/webhooks/vcs/whk-unknown', signed(secret, 'push', body), body)).toBe(404);
    expect(await send(hook, signed(secret, 'push', 'no JSON'), 'no JSON')).toBe(400);
    expect(await runsOf(workspace)).toEqual([]);
  });

  it('plan pull requests without applying them, with statuses and one comment', async () => {
    const { workspace, hook, secret } = await connect('reviewed', github, { 'auto-apply': true });
    test.sent.length = 0;
    const body = pull('owner/repo');
    expect(await send(hook, signed(secret, 'pull_request', body), body)).toBe(202);
    const [run] = await runsOf(workspace);
    expect(run.attributes).toMatchObject({ 'plan-only': true, message: 'A change' });
    const token = await createAgentToken(test.server.services, 'test');
    const agent = (path: string, content: object) =>
      test.call('POST', `/api/agent/v1${path}`, content, token);
    const { json } = await agent('/agents', { name: 'a' });
    for (;;) {
      const claimed = await agent('/jobs/claim', { agent: json.id, 'wait-ms': 0 });
      if (claimed.status === 204) break;
      await agent(`/jobs/${claimed.json.job.id}/finish?attempt=1`, {
        outcome: 'succeeded',
        'has-changes': true,
        summary: { 'resource-additions': 1, 'resource-destructions': 2 },
      });
    }
    await test.server.workOnce();
    expect(await runsOf(workspace)).toMatchObject([
      { attributes: { status: 'planned_and_finished' } },
    ]);
    statuses.push(
      ...test.sent.flatMap(({ url, body: content }) =>
        url.includes(`/statuses/${HEAD}`) ? [JSON.parse(content ?? '')] : [],
      ),
    );
    expect(statuses[0]).toMatchObject({ state: 'pending', context: 'terrane/acme/reviewed' });
    expect(statuses.at(-1)).toMatchObject({
      state: 'success',
      description: 'Planned: 1 to add, 0 to change, 2 to destroy',
    });
    comments = test.sent.filter(({ url }) => /comments/.test(url));
    expect(comments[0].method).toBe('POST');
    expect(comments.slice(1).every(({ method }) => method === 'PATCH')).toBe(true);
    expect(comments.length).toBeGreaterThan(1);
    expect(test.sent.some(({ url }) => url.includes('/tarball/refs/pull/5/merge'))).toBe(true);
  });

  it('plan the merge of a pull request that Gitea does not make, and the head if there is none', async () => {
    const [ancestor, base] = ['3'.repeat(40), '4'.repeat(40)];
    const [clean, conflicting, late] = ['5', '6', '7'].map((digit) => digit.repeat(40));
    let head = '';
    const gitea: Fake = {
      kind: 'gitea',
      httpUrl: 'https://git.example.com',
      answers: (path, method) =>
        path.endsWith('/pulls/5')
          ? {
              status: 200,
              body: { merge_base: ancestor, base: { sha: base }, head: { sha: head } },
            }
          : github.answers(path, method),
      archives: [
        [ancestor, await archive({ 'a.tf': '1\n2\n3\n' })],
        [base, await archive({ 'a.tf': 'one\n2\n3\n', 'b.tf': '' })],
        [clean ?? '', await archive({ 'a.tf': '1\n2\nthree\n' })],
        [conflicting ?? '', await archive({ 'a.tf': 'uno\n2\n3\n' })],
        [late ?? '', await archive({ 'a.tf': 'late\n' })],
      ],
    };
    const { workspace, hook, secret } = await connect('merged', gitea);
    const planned = async (sha: string): Promise<Readonly<Record<string, string>>> => {
      const body = pull('owner/repo', 'synchronized', sha);
      const headers = {
        'x-gitea-event': 'pull_request',
        'x-gitea-signature': createHmac('sha256', secret).update(body).digest('hex'),
      };
      expect(await send(hook, headers, body)).toBe(202);
      const [run] = await runsOf(workspace);
      const { bytes } = await test.call(
        'GET',
        `/api/v2/configuration-versions/${run.relationships['configuration-version'].data.id}/download`,
      );
      const entries = await unpackTar(gunzipSync(bytes));
      return Object.fromEntries(
        entries.map(({ header, data }) => [header.name, Buffer.from(data ?? []).toString()]),
      );
    };
    head = clean ?? '';
    expect(await planned(head)).toEqual({ 'a.tf': 'one\n2\nthree\n', 'b.tf': '' });
    head = conflicting ?? '';
    expect(await planned(head)).toEqual({ 'a.tf': 'uno\n2\n3\n' });
    // The pull request has another commit already.
    expect(await planned(late ?? '')).toEqual({ 'a.tf': 'late\n' });
  });

  it('report by checks of a GitHub App, with tokens for the repository', async () => {
    const { privateKey, publicKey } = generateKeyPairSync('rsa', {
      modulusLength: 2048,
      privateKeyEncoding: { type: 'pkcs1', format: 'pem' },
      publicKeyEncoding: { type: 'spki', format: 'pem' },
    });
    const checks: TestJson[] = [];
    const app: Fake = {
      ...github,
      credential: { key: '4711', 'private-key': privateKey },
      answers(path, method) {
        if (path.endsWith('/installation')) return { status: 200, body: { id: 11 } };
        if (path.endsWith('/app/installations/11/access_tokens')) {
          return { status: 201, body: { token: 'ghs_1', expires_at: '2026-01-01T01:00:00Z' } };
        }
        if (path.includes('/check-runs')) {
          const sent = test.sent.at(-1)?.body;
          if (method === 'GET') {
            return { status: 200, body: { total_count: checks.length, check_runs: checks } };
          }
          const { name, external_id } = JSON.parse(sent ?? '{}');
          if (method === 'POST') checks.push({ id: checks.length + 1, name, external_id });
          return { status: method === 'POST' ? 201 : 200, body: {} };
        }
        return github.answers(path, method);
      },
    };
    const { workspace, hook, secret } = await connect('checked', app);
    const [lookup] = test.sent.filter(({ url }) => url.endsWith('/installation'));
    const [header = '', claims = '', signature = ''] = (
      lookup?.headers?.['authorization']?.replace('Bearer ', '') ?? ''
    ).split('.');
    expect(
      createVerify('RSA-SHA256')
        .update(`${header}.${claims}`)
        .verify(publicKey, signature, 'base64url'),
    ).toBe(true);
    const { iss, iat, exp } = JSON.parse(Buffer.from(claims, 'base64url').toString());
    expect([iss, exp - iat <= 600]).toEqual(['4711', true]);

    const body = pull('owner/repo', 'opened', '8'.repeat(40));
    expect(await send(hook, signed(secret, 'pull_request', body), body)).toBe(202);
    const [run] = await runsOf(workspace);
    const token = await createAgentToken(test.server.services, 'test');
    const agent = (path: string, content: object) =>
      test.call('POST', `/api/agent/v1${path}`, content, token);
    const { json } = await agent('/agents', { name: 'a' });
    for (;;) {
      const claimed = await agent('/jobs/claim', { agent: json.id, 'wait-ms': 0 });
      if (claimed.status === 204) break;
      await agent(`/jobs/${claimed.json.job.id}/finish?attempt=1`, {
        outcome: 'succeeded',
        'has-changes': true,
        summary: { 'resource-destructions': 2 },
      });
    }
    await test.server.workOnce();
    const written = test.sent.filter(
      ({ url, method }) => url.includes('/check-runs') && method !== 'GET',
    );
    const [first, ...others] = written.map((each) => JSON.parse(each.body ?? '{}'));
    expect(written.map(({ method }) => method)).toEqual(['POST', ...others.map(() => 'PATCH')]);
    expect(first).toMatchObject({
      name: 'terrane/acme/checked',
      head_sha: '8'.repeat(40),
      external_id: run.id,
      status: 'in_progress',
    });
    expect(others.at(-1)).toMatchObject({
      status: 'completed',
      conclusion: 'success',
      output: {
        title: 'Planned: 0 to add, 0 to change, 2 to destroy',
        summary: expect.stringContaining('acme/checked'),
      },
    });

    const fork = pull('eve/repo', 'opened', '9'.repeat(40));
    await send(hook, signed(secret, 'pull_request', fork), fork);
    expect(JSON.parse(test.sent.at(-1)?.body ?? '{}')).toMatchObject({
      status: 'completed',
      conclusion: 'cancelled',
      output: { title: expect.stringContaining('forks') },
    });
    expect(test.sent.some(({ url }) => /\/statuses\/[89]{40}$/.test(url))).toBe(false);
    const ofApp = test.sent.filter(({ url }) => /check-runs|[89]{40}/.test(url));
    expect(new Set(ofApp.map(({ headers }) => headers?.['authorization']))).toEqual(
      new Set(['Bearer ghs_1']),
    );
    expect(test.sent.filter(({ url }) => url.endsWith('access_tokens'))).toHaveLength(1);
    expect(
      JSON.parse(test.sent.find(({ url }) => url.endsWith('access_tokens'))?.body ?? '{}'),
    ).toEqual({ repositories: ['repo'] });
  });

  it.each([
    ['a key that is none', 'github', { key: '1', 'private-key': 'no key' }],
    ['no ID', 'github', { 'private-key': 'no key' }],
    ['a provider without apps', 'gitlab_hosted', { key: '1', 'private-key': 'no key' }],
  ])('reject an app with %s', async (_name, provider, credential) => {
    const { status } = await test.call(
      'POST',
      '/api/v2/organizations/acme/oauth-clients',
      resource('oauth-clients', { 'service-provider': provider, ...credential }),
    );
    expect(status).toBe(422);
  });

  it('plan a pull request again if it no longer changes the files of a workspace', async () => {
    let files = [{ filename: 'docs/readme.md' }];
    const changing: Fake = {
      ...github,
      answers: (path, method) =>
        /\/pulls\/\d+\/files/.test(path)
          ? { status: 200, body: files }
          : github.answers(path, method),
    };
    const { workspace, hook, secret } = await connect('reverted', changing, {
      'working-directory': 'net',
    });
    const commit = async (sha: string, changed: string): Promise<number> => {
      files = [{ filename: changed }];
      const body = pull('owner/repo', 'synchronize', sha);
      expect(await send(hook, signed(secret, 'pull_request', body), body)).toBe(202);
      return (await runsOf(workspace)).length;
    };
    expect(await commit('1'.repeat(40), 'docs/readme.md')).toBe(0);
    expect(await commit('2'.repeat(40), 'net/main.tf')).toBe(1);
    expect(await commit('3'.repeat(40), 'docs/readme.md')).toBe(2);
  });

  it('apply a merged pull request by a comment of who may write, if its plan is the reviewed one', async () => {
    let [permission, isMerged] = ['read', false];
    const merge = '9'.repeat(40);
    const { workspace, hook, secret } = await connect(
      'commented',
      {
        ...github,
        answers(path, method) {
          if (path.endsWith('/collaborators/eve/permission')) {
            return { status: 200, body: { permission } };
          }
          if (path.endsWith('/pulls/5')) {
            return { status: 200, body: { merged: isMerged, merge_commit_sha: merge } };
          }
          return github.answers(path, method);
        },
      },
      { 'apply-from-comments': true },
    );
    const token = await createAgentToken(test.server.services, 'test');
    const agent = (method: string, path: string, content: object) =>
      test.call(method, `/api/agent/v1${path}`, content, token);
    /** Executes what is queued, with a plan that changes an object. */
    const execute = async (after: string): Promise<void> => {
      test.now = new Date(test.now.getTime() + 1_000);
      const { json } = await agent('POST', '/agents', { name: 'a' });
      for (;;) {
        const claimed = await agent('POST', '/jobs/claim', { agent: json.id, 'wait-ms': 0 });
        if (claimed.status === 204) return;
        const { id, kind } = claimed.json.job;
        if (kind === 'plan') {
          const change = { actions: ['update'], before: 1, after };
          const plan = { resource_changes: [{ address: 'a.b', change }] };
          const content = Buffer.from(JSON.stringify(plan));
          await agent('PUT', `/jobs/${id}/contents/plan-json?attempt=1`, content);
        }
        const result = { outcome: 'succeeded', 'has-changes': true, summary: {} };
        await agent('POST', `/jobs/${id}/finish?attempt=1`, result);
      }
    };
    const say = async (text: string): Promise<string | undefined> => {
      test.sent.length = 0;
      const body = JSON.stringify({
        action: 'created',
        issue: { number: 5, pull_request: {} },
        // Each comment is another event.
        comment: { id: Math.random(), body: text, user: { login: 'eve' } },
      });
      await send(hook, signed(secret, 'issue_comment', body), body);
      const replied = test.sent.find(
        ({ url, method }) => method === 'POST' && url.endsWith('/issues/5/comments'),
      );
      return replied === undefined ? undefined : JSON.parse(replied.body ?? '').body;
    };
    const event = pull('owner/repo');
    await send(hook, signed(secret, 'pull_request', event), event);
    await execute('reviewed');
    expect(await say('please do not terrane apply')).toBeUndefined();
    expect(await say('terrane apply')).toContain('needs the permission');
    permission = 'write';
    expect(await say('terrane apply')).toContain('not merged');
    isMerged = true;
    expect(await say('terrane apply')).toContain('has not started a run');
    expect(await say('terrane apply other')).toBeUndefined();
    const merged = push(merge, ['main.tf']);
    await send(hook, signed(secret, 'push', merged), merged);
    await execute('something else');
    expect(await say('terrane apply')).toContain('other changes');
    const statusOf = async () => (await runsOf(workspace))[0].attributes.status;
    expect(await statusOf()).toBe('planned');
    await test.call('POST', `/api/v2/runs/${(await runsOf(workspace))[0].id}/actions/discard`, {});
    await test.call(
      'POST',
      '/api/v2/runs',
      resource(
        'runs',
        {},
        {
          workspace: { data: { type: 'workspaces', id: workspace } },
        },
      ),
    );
    await execute('reviewed');
    expect(await say(' terrane apply commented\n')).toContain('approved');
    await execute('reviewed');
    expect(await statusOf()).toBe('applied');
    const trail = await test.call('GET', '/api/v2/organizations/acme/audit-trail');
    expect(trail.bytes.toString()).toContain('apply-from-comment');
  });

  it('do not plan pull requests of forks', async () => {
    const { workspace, hook, secret } = await connect('forked', github);
    test.sent.length = 0;
    const body = pull('eve/repo');
    expect(await send(hook, signed(secret, 'pull_request', body), body)).toBe(202);
    expect(await runsOf(workspace)).toEqual([]);
    expect(JSON.parse(test.sent.at(-1)?.body ?? '').description).toMatch(/^Not planned/);
    expect(test.sent.some(({ url }) => /tarball/.test(url))).toBe(false);
  });

  it('work with the events and the API of GitLab', async () => {
    const gitlab: Fake = {
      kind: 'gitlab_hosted',
      httpUrl: '',
      answers(path) {
        if (path.endsWith('/hooks')) return { status: 201, body: { id: 3 } };
        if (/branches/.test(path)) return { status: 200, body: { commit: { id: SHA } } };
        if (/diffs/.test(path))
          return { status: 200, body: [{ new_path: 'a.tf', old_path: 'a.tf' }] };
        if (/statuses|notes/.test(path)) return { status: 201, body: { id: 4 } };
        if (path.endsWith('owner%2Frepo')) return { status: 200, body: { default_branch: 'main' } };
        return undefined;
      },
    };
    const { workspace, hook, secret } = await connect('gitlab', gitlab);
    const sha = '1'.repeat(40);
    const pushed = JSON.stringify({
      ref: 'refs/heads/main',
      after: sha,
      project: { default_branch: 'main' },
      total_commits_count: 1,
      commits: [{ id: sha, message: 'of GitLab', added: ['a.tf'], modified: [], removed: [] }],
    });
    const headers = { 'x-gitlab-event': 'Push Hook', 'x-gitlab-token': secret };
    expect(await send(hook, { ...headers, 'x-gitlab-token': 'wrong' }, pushed)).toBe(404);
    expect(await send(hook, headers, pushed)).toBe(202);
    const request = (source: number): string =>
      JSON.stringify({
        project: { default_branch: 'main' },
        object_attributes: {
          iid: 2,
          action: 'open',
          title: 'A merge request',
          target_branch: 'main',
          source_branch: 'topic',
          source_project_id: source,
          target_project_id: 1,
          last_commit: { id: HEAD },
        },
      });
    const merge = { ...headers, 'x-gitlab-event': 'Merge Request Hook' };
    test.sent.length = 0;
    expect(await send(hook, merge, request(1))).toBe(202);
    expect(await send(hook, merge, request(2))).toBe(202);
    const runs = await runsOf(workspace);
    const messages = new Set(runs.map(({ attributes }) => attributes.message));
    expect(messages).toEqual(new Set(['A merge request', 'of GitLab']));
    expect(
      test.sent.some(({ url }) =>
        url.includes('archive.tar.gz?sha=refs%2Fmerge-requests%2F2%2Fmerge'),
      ),
    ).toBe(true);
  });
});
