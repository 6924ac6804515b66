// The web interface of the run server in Chromium: the rules of accessibility, widths, the keyboard, live runs, and the
// sign-in of programs. Requests of tests have the headers that they choose; a browser has those that it sends.
import { once } from 'node:events';
import { createServer } from 'node:http';
import { request } from 'node:https';
import type { AddressInfo } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { gzipSync } from 'node:zlib';
import { packTar } from 'modern-tar';
import type { Browser, BrowserContextOptions, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { accessibilityProblems, isTooWide, launchBrowser, newPage } from '../playground/browser.ts';
import { type DevServer, startDevServer } from './dev-server.ts';

const ORGANIZATION = '/api/v2/organizations/dev';
const LONG = 'w'.repeat(85);
const CONFIGURATION = `resource "terraform_data" "a" {
  input = "${'long '.repeat(60)}"
}
output "open" {
  value = terraform_data.a.output
}
output "closed" {
  value     = "canary"
  sensitive = true
}
`;

let server: DevServer;
let browser: Browser;
let workspace: string;
let run: string;

async function upload(url: string, body: Uint8Array): Promise<void> {
  const outgoing = request(url, { method: 'PUT', rejectUnauthorized: false });
  outgoing.end(body);
  const [answer] = await once(outgoing, 'response');
  answer.resume();
  expect(answer.statusCode).toBe(200);
}

async function untilRunIs(status: string): Promise<void> {
  for (let tries = 0; tries < 2_400; tries++) {
    const { json } = await server.call('GET', `/api/v2/runs/${run}`);
    if (json.data.attributes.status === status) return;
    await sleep(100);
  }
  throw new Error(`The run did not become ${status}: ${server.output()}`);
}

beforeAll(async () => {
  [server, browser] = await Promise.all([startDevServer(), launchBrowser()]);
  const created = await server.create(`${ORGANIZATION}/workspaces`, 'workspaces', { name: 'site' });
  workspace = created.id;
  await server.create(`${ORGANIZATION}/workspaces`, 'workspaces', { name: LONG });
  await server.create(`/api/v2/workspaces/${workspace}/vars`, 'vars', {
    key: 'long',
    value: 'x'.repeat(400),
    category: 'env',
    description: 'words '.repeat(40),
  });
  await server.create(`${ORGANIZATION}/varsets`, 'varsets', { name: 'shared', global: true });
  const configuration = await server.create(
    `/api/v2/workspaces/${workspace}/configuration-versions`,
    'configuration-versions',
    { 'auto-queue-runs': false },
  );
  const body = Buffer.from(CONFIGURATION);
  const header = { name: 'main.tf', size: body.length, type: 'file' as const };
  const archive = gzipSync(await packTar([{ header, body }]));
  await upload(configuration.attributes['upload-url'], archive);
  const started = await server.create(
    '/api/v2/runs',
    'runs',
    { message: `Change ${LONG}` },
    { workspace: { data: { type: 'workspaces', id: workspace } } },
  );
  run = started.id;
  await untilRunIs('planned');
});
afterAll(async () => {
  await browser?.close();
  await server?.[Symbol.asyncDispose]();
});

async function openPage(options: BrowserContextOptions = {}): Promise<Page> {
  return await newPage(browser, { ignoreHTTPSErrors: true, ...options });
}

/** Types the token by the keyboard: its field has the focus as soon as the page is displayed. */
async function typeToken(page: Page): Promise<void> {
  await page.locator('#token:focus').waitFor();
  await page.keyboard.type(server.token);
}

async function signIn(page: Page): Promise<void> {
  await page.goto(`${server.url}/app`);
  await typeToken(page);
  await page.keyboard.press('Enter');
  await page.getByRole('heading', { name: 'Organizations' }).waitFor();
}

/** Moves the focus forward until it is on a button, and presses it. */
async function pressByKeyboard(page: Page, name: RegExp): Promise<void> {
  const button = page.getByRole('button', { name });
  for (let tries = 0; tries < 50; tries++) {
    if (await button.evaluate((element) => element === document.activeElement)) break;
    await page.keyboard.press('Tab');
  }
  await page.keyboard.press('Enter');
}

const workspacePage = (path = ''): string => `/app/dev/workspaces/site${path}`;

describe('pages', () => {
  it.each([
    ['light', 1280],
    ['dark', 1280],
    ['light', 400],
    ['dark', 400],
  ] as const)('are accessible, and as wide as their window: %s, %d', async (theme, width) => {
    const page = await openPage({ colorScheme: theme, viewport: { width, height: 800 } });
    await page.goto(`${server.url}/app`);
    expect(await accessibilityProblems(page)).toEqual([]);
    await signIn(page);
    const paths = [
      '/app',
      '/app/dev',
      '/app/dev?search[name]=nothing',
      '/app/dev/policies',
      '/app/dev/agents',
      '/app/dev/audit',
      workspacePage(),
      workspacePage('/variables'),
      workspacePage('/states'),
      workspacePage('/drift'),
      workspacePage('/settings'),
      workspacePage(`/runs/${run}`),
      `/app/dev/workspaces/${LONG}`,
      '/app/dev/nothing',
      '/app/oauth2/auth',
    ];
    for (const path of paths) {
      await page.goto(`${server.url}${path}`);
      const found = [await accessibilityProblems(page), await isTooWide(page)];
      expect([path, ...found]).toEqual([path, [], false]);
    }
    await page.context().close();
  });

  it('approve a run by the keyboard, and follow it to its end', async () => {
    const page = await openPage();
    await signIn(page);
    await page.goto(`${server.url}${workspacePage(`/runs/${run}`)}`);
    await pressByKeyboard(page, /Approve this plan/);
    await page.locator('#status').getByText('Applied').waitFor({ timeout: 300_000 });
    await page.goto(`${server.url}${workspacePage('/states')}`);
    expect(await page.content()).not.toContain('canary');
    await pressByKeyboard(page, /Show closed/);
    await page.getByText('canary').waitFor();
    expect(await accessibilityProblems(page)).toEqual([]);
    await pressByKeyboard(page, /Sign out/);
    await page.getByRole('heading', { name: 'Sign in' }).waitFor();
    await page.goto(`${server.url}/app`);
    expect(await page.getByLabel('API token').count()).toBe(1);
    await page.context().close();
  });
});

describe('the sign-in of a program', () => {
  it.each([
    ['by a token', false],
    ['in a session', true],
  ])('leads back to it %s', async (_name, inSession) => {
    const program = createServer((_request, response) => response.end('done')).listen(0);
    await once(program, 'listening');
    const { port } = program.address() as AddressInfo; // A TCP server has a port.
    const received = once(program, 'request');
    const query = new URLSearchParams({
      client_id: 'terraform-cli',
      code_challenge: 'challenge',
      code_challenge_method: 'S256',
      redirect_uri: `http://localhost:${port}/login`,
      response_type: 'code',
      state: 'state',
    });
    const page = await openPage();
    if (inSession) await signIn(page);
    await page.goto(`${server.url}/app/oauth2/auth?${query.toString()}`);
    if (!inSession) await typeToken(page);
    await page.getByRole('button', { name: 'Permit access' }).click();
    const [incoming] = await received;
    expect(incoming.url).toMatch(/^\/login\?code=[\w-]+&state=state$/);
    expect(incoming.headers.referer).toBeUndefined();
    await page.context().close();
    program.close();
  });
});
