// Version control from a push to a reviewed apply, with Gitea and `terrane server -dev`.
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type DevServer, startDevServer } from './dev-server.ts';
import { type Gitea, startGitea } from './gitea.ts';

// oxlint-disable-next-line typescript/no-explicit-any -- JSON of responses, whose form is that of the API
type Json = any;

const BOTH =
  'resource "terraform_data" "kept" {\n  input = 1\n}\nresource "terraform_data" "removed" {\n  input = 1\n}\n';
const ONE = 'resource "terraform_data" "kept" {\n  input = 2\n}\n';
const SECRET = 'a-secret-of-the-workspace';

let gitea: Gitea;
let server: DevServer;
let oauthToken: string;

async function until<T>(expected: string, find: () => Promise<T | undefined>): Promise<T> {
  for (let tries = 0; tries < 2_400; tries++) {
    const value = await find();
    if (value !== undefined) return value;
    await sleep(100);
  }
  throw new Error(`${expected} did not happen\n${server.output()}`);
}

const commit = (
  path: string,
  text: string,
  branch: string,
  message: string,
  as?: string,
  repository = 'ada/infra',
): Promise<string> => gitea.commit({ repository, branch, path, text, message }, as);

const runsOf = async (workspace: string): Promise<readonly Json[]> =>
  (await server.call('GET', `/api/v2/workspaces/${workspace}/runs`)).json.data;

const runWith = async (
  workspace: string,
  message: string,
  ...statuses: readonly string[]
): Promise<Json> =>
  await until(`${message}: ${statuses.join(', ')}`, async () =>
    (await runsOf(workspace)).find(
      ({ attributes }) =>
        attributes.message.startsWith(message) && statuses.includes(attributes.status),
    ),
  );

const connect = async (name: string, attributes: object): Promise<string> => {
  const { id } = await server.create('/api/v2/organizations/dev/workspaces', 'workspaces', {
    name,
    'working-directory': name,
    'vcs-repo': { identifier: 'ada/infra', 'oauth-token-id': oauthToken },
    ...attributes,
  });
  return id;
};

const openPull = async (title: string, head: string, as?: string): Promise<Json> =>
  await gitea.call('POST', '/repos/ada/infra/pulls', { title, head, base: 'main' }, as);

const commentsOf = async (pull: number): Promise<readonly Json[]> =>
  await gitea.call('GET', `/repos/ada/infra/issues/${pull}/comments`);

const statusesOf = async (sha: string): Promise<readonly Json[]> =>
  await gitea.call('GET', `/repos/ada/infra/commits/${sha}/statuses`);

describe('version control with Gitea', () => {
  beforeAll(async () => {
    [gitea, server] = await Promise.all([startGitea(), startDevServer()]);
    await gitea.call('POST', '/user/repos', {
      name: 'infra',
      auto_init: true,
      default_branch: 'main',
    });
    await commit('net/main.tf', BOTH, 'main', 'first');
    await commit('app/main.tf', BOTH, 'main', 'application');
    const oauth = await server.create('/api/v2/organizations/dev/oauth-clients', 'oauth-clients', {
      'service-provider': 'gitea',
      'http-url': gitea.url,
      'oauth-token-string': gitea.token,
    });
    oauthToken = oauth.relationships['oauth-tokens'].data[0].id;
  });
  afterAll(async () => {
    await server?.[Symbol.asyncDispose]();
    await gitea?.[Symbol.asyncDispose]();
  });

  it('leads from a push to a reviewed apply of a pull request', async () => {
    const workspace = await connect('net', {
      'queue-all-runs': true,
      'apply-from-comments': true,
    });
    const first = await runWith(workspace, 'application', 'planned');
    expect((await server.call('POST', `/api/v2/runs/${first.id}/actions/apply`, {})).status).toBe(
      202,
    );
    await runWith(workspace, 'application', 'applied');
    expect(await gitea.call('GET', '/repos/ada/infra/hooks')).toHaveLength(1);

    await gitea.call('POST', '/repos/ada/infra/branches', { new_branch_name: 'topic' });
    const head = await commit('net/main.tf', ONE, 'topic', 'remove one');
    const pull = await openPull('Remove one', 'topic');
    const planned = await runWith(workspace, 'Remove one', 'planned_and_finished');
    expect(planned.attributes['plan-only']).toBe(true);
    const comment = await until('the comment', async () =>
      (await commentsOf(pull.number)).find(({ body }) => body.includes('**Destroy** (1)')),
    );
    expect(comment.body.indexOf('terraform_data.removed')).toBeLessThan(
      comment.body.indexOf('terraform_data.kept'),
    );
    expect(comment.body).toContain('its block is not in the configuration');
    const reported = await until('the status', async () =>
      (await statusesOf(head)).find(({ status }) => status === 'success'),
    );
    expect(reported).toMatchObject({
      context: 'terrane/dev/net',
      description: 'Planned: 0 to add, 1 to change, 1 to destroy',
    });

    await commit('net/main.tf', BOTH, 'topic', 'keep both');
    await until('the update of the comment', async () =>
      (await commentsOf(pull.number)).find(({ body }) => body.includes('No changes')),
    );
    expect(await commentsOf(pull.number)).toHaveLength(1);

    await commit('net/main.tf', ONE, 'topic', 'remove one again');
    await until('the second update of the comment', async () =>
      (await commentsOf(pull.number)).find(({ body }) => body.includes('**Destroy** (1)')),
    );
    await until('the merge', async () =>
      gitea.call('POST', `/repos/ada/infra/pulls/${pull.number}/merge`, { Do: 'squash' }).then(
        () => true,
        // Gitea has not computed yet whether it can be merged.
        () => undefined,
      ),
    );
    const merged = await until('the run of the merge', async () =>
      (await runsOf(workspace)).find(
        ({ attributes }) => attributes['plan-only'] === false && attributes.status === 'planned',
      ),
    );
    expect(merged.attributes.message).toContain('Remove one');
    await gitea.call('POST', `/repos/ada/infra/issues/${pull.number}/comments`, {
      body: 'terrane apply',
    });
    await until('the apply', async () =>
      (await runsOf(workspace)).find(
        ({ id, attributes }) => id === merged.id && attributes.status === 'applied',
      ),
    );
  });

  it('plans the merge of a pull request with what its branch has not', async () => {
    await gitea.call('POST', '/repos/ada/infra/branches', { new_branch_name: 'behind' });
    await commit('merged/main.tf', BOTH, 'behind', 'of the branch');
    await commit(
      'merged/later.tf',
      'resource "terraform_data" "later" {\n  input = 1\n}\n',
      'main',
      'of the base',
    );
    const workspace = await connect('merged', {});
    await until(
      'the connection',
      async () =>
        (await server.call('GET', `/api/v2/workspaces/${workspace}`)).json.data.relationships[
          'current-configuration-version'
        ].data ?? undefined,
    );
    const pull = await openPull('Add both', 'behind');
    await runWith(workspace, 'Add both', 'planned_and_finished');
    const comment = await until('the comment', async () =>
      (await commentsOf(pull.number)).find(({ body }) => body.includes('**Create** (3)')),
    );
    for (const name of ['kept', 'later', 'removed']) {
      expect(comment.body).toContain(`terraform_data.${name}`);
    }
  });

  it('starts runs only for the files of a workspace, and none for forks, which receive no secrets', async () => {
    const workspace = await connect('app', { 'trigger-patterns': ['app/**/*.tf'] });
    await server.create(`/api/v2/workspaces/${workspace}/vars`, 'vars', {
      key: 'SECRET',
      value: SECRET,
      category: 'env',
      sensitive: true,
    });
    await until(
      'the connection',
      async () =>
        (await server.call('GET', `/api/v2/workspaces/${workspace}`)).json.data.relationships[
          'current-configuration-version'
        ].data ?? undefined,
    );
    await commit('app/README.md', 'Nothing to plan.', 'main', 'only documentation');
    const pushed = await commit('app/main.tf', ONE, 'main', 'changed');
    await runWith(workspace, 'changed', 'planned');

    const bob = await gitea.createUser('bob');
    await gitea.call('POST', '/repos/ada/infra/forks', {}, bob);
    const leak =
      'resource "terraform_data" "leak" {\n  provisioner "local-exec" {\n    command = "echo leaked $SECRET"\n  }\n}\n';
    const head = await until('the fork', async () =>
      commit('app/main.tf', leak, 'main', 'leak', bob, 'bob/infra').catch(() => undefined),
    );
    const pull = await openPull('Read secrets', 'bob:main', bob);
    const refused = await until('the status of the fork', async () =>
      (await statusesOf(head)).find(({ context }) => context === 'terrane/dev/app'),
    );
    expect(refused).toMatchObject({ status: 'error' });
    expect(refused.description).toContain('forks');
    expect(await commentsOf(pull.number)).toHaveLength(0);
    const messages = (await runsOf(workspace)).map(({ attributes }) => attributes.message);
    expect(messages).toEqual(['changed']);
    expect((await statusesOf(pushed))[0].context).toBe('terrane/dev/app');
    expect(server.output()).not.toContain(SECRET);
  });
});
