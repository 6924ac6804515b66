/**
 * Writes the screenshots of docs/server-first-hour.md from the built program, a local Gitea and Chromium:
 * `npm run pictures:server`. It makes the requests that the page shows.
 */
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Locator, Page } from 'playwright-core';
import { launchBrowser } from '../../tests/playground/browser.ts';
import { type DevServer, startDevServer } from '../../tests/server/dev-server.ts';
import { type Gitea, PASSWORD, startGitea } from '../../tests/server/gitea.ts';
import { root } from '../root.ts';

const out = join(root, 'docs/images');
const PORT = 8443;
const VIEWPORT = { width: 1180, height: 760 };

/** The configuration of the first push. */
const BEFORE = `resource "terraform_data" "network" {
  input = "10.0.0.0/16"
}

resource "terraform_data" "database" {
  input = terraform_data.network.output
}
`;
/** The configuration of the pull request: a change, an addition, and an object that is destroyed. */
const AFTER = `resource "terraform_data" "network" {
  input = "10.1.0.0/16"
}

resource "terraform_data" "cache" {
  input = terraform_data.network.output
}
`;

async function until<T>(expected: string, find: () => Promise<T | undefined>): Promise<T> {
  for (let tries = 0; tries < 900; tries++) {
    const value = await find();
    if (value !== undefined) return value;
    await sleep(100);
  }
  throw new Error(`${expected} did not happen`);
}

/** The first hour as the page describes it, with a screenshot of each step. */
async function firstHour(gitea: Gitea, server: DevServer, page: Page): Promise<void> {
  const shot = async (name: string, part: Page | Locator = page): Promise<void> => {
    const path = join(out, `server-${name}.png`);
    await (part === page ? page.screenshot({ path, fullPage: true }) : part.screenshot({ path }));
  };
  const approve = async (): Promise<void> => {
    const response = page.waitForEvent('load');
    await page.getByRole('button', { name: /Approve|Apply/ }).click();
    await response;
  };
  const runsPath = `${server.url}/app/dev/workspaces/infra`;
  const runWith = async (workspace: string, message: string, status: string): Promise<string> =>
    await until(`${message}: ${status}`, async () => {
      const { json } = await server.call('GET', `/api/v2/workspaces/${workspace}/runs`);
      for (const { id, attributes } of json.data) {
        if (attributes.message.startsWith(message) && attributes.status === status) return id;
      }
      return undefined;
    });
  const commit = (branch: string, text: string, message: string): Promise<string> =>
    gitea.commit({ repository: 'ada/infra', branch, path: 'main.tf', text, message });

  await gitea.call('POST', '/user/repos', {
    name: 'infra',
    auto_init: true,
    default_branch: 'main',
  });
  await commit('main', BEFORE, 'Network and database');
  const oauth = await server.create('/api/v2/organizations/dev/oauth-clients', 'oauth-clients', {
    'service-provider': 'gitea',
    'http-url': gitea.url,
    'oauth-token-string': gitea.token,
  });
  const { id: workspace } = await server.create(
    '/api/v2/organizations/dev/workspaces',
    'workspaces',
    {
      name: 'infra',
      'queue-all-runs': true,
      'vcs-repo': {
        identifier: 'ada/infra',
        'oauth-token-id': oauth.relationships['oauth-tokens'].data[0].id,
      },
    },
  );

  await page.goto(`${server.url}/app`);
  await page.locator('input[type=password]').fill(server.token);
  await page.getByRole('button', { name: 'Sign in' }).click();
  await page.getByRole('link', { name: 'dev' }).first().waitFor();
  const first = await runWith(workspace, 'Network and database', 'planned');
  await page.goto(`${runsPath}/runs/${first}`);
  await shot('first-run');
  await approve();
  await runWith(workspace, 'Network and database', 'applied');

  await gitea.call('POST', '/repos/ada/infra/branches', { new_branch_name: 'cache' });
  await commit('cache', AFTER, 'Replace the database by a cache');
  const pull = await gitea.call('POST', '/repos/ada/infra/pulls', {
    title: 'Replace the database by a cache',
    head: 'cache',
    base: 'main',
  });
  const planned = await runWith(workspace, 'Replace the database', 'planned_and_finished');
  await until('the comment', async () => {
    const comments = await gitea.call('GET', `/repos/ada/infra/issues/${pull.number}/comments`);
    return comments.find(({ body }: { readonly body: string }) => body.includes('**Destroy**'));
  });
  await page.goto(`${gitea.url}/user/login`);
  await page.locator('input[name=user_name]').fill('ada');
  await page.locator('input[name=password]').fill(PASSWORD);
  await page.locator('input[name=password]').press('Enter');
  await page.waitForURL((url) => !url.pathname.includes('login'));
  await page.goto(`${gitea.url}/ada/infra/pulls/${pull.number}`);
  // The Go module of Gitea has no style sheets, so only the comment is shown.
  await shot('pull-request', page.locator('.render-content').filter({ hasText: 'Destroy' }));
  await page.goto(`${runsPath}/runs/${planned}`);
  await shot('pull-request-plan');

  await until('the merge', async () =>
    gitea.call('POST', `/repos/ada/infra/pulls/${pull.number}/merge`, { Do: 'squash' }).then(
      () => true,
      () => undefined,
    ),
  );
  const merged = await runWith(workspace, 'Replace the database', 'planned');
  await page.goto(`${runsPath}/runs/${merged}`);
  await shot('review');
  await approve();
  await runWith(workspace, 'Replace the database', 'applied');
  // The page of a run follows it.
  await page.getByText('Applied', { exact: true }).first().waitFor();
  await shot('applied');
  await page.goto(runsPath);
  await shot('runs');
}

const [gitea, server] = await Promise.all([startGitea(), startDevServer(PORT)]);
const browser = await launchBrowser();
try {
  const context = await browser.newContext({
    viewport: VIEWPORT,
    colorScheme: 'light',
    ignoreHTTPSErrors: true,
  });
  await firstHour(gitea, server, await context.newPage());
} finally {
  await browser.close();
  await server[Symbol.asyncDispose]();
  await gitea[Symbol.asyncDispose]();
}
