// The built documentation site: weight, links, accessibility and search.
import { spawnSync } from 'node:child_process';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { root } from '../../scripts/root.ts';
import { linkProblems } from '../../site/docs/links.ts';
import {
  accessibilityProblems,
  CHROMIUM,
  isTooWide,
  launchBrowser,
  newPage,
} from '../playground/browser.ts';
import { serveFolder } from '../playground/static-server.ts';

const site = join(root, '.build/site');
const isRequired = process.env['CI'] === 'true';
/** Limit of a page with its styles and scripts, compressed. */
const MAX_PAGE_BYTES = 150_000;

/** Rules that the theme itself breaks: its search button shows its key, and its table of contents is there twice. */
const THEME_RULES = ['label-content-name-mismatch', 'landmark-unique'];

let server: Awaited<ReturnType<typeof serveFolder>>;
let browser: Browser | undefined;

beforeAll(async () => {
  // Without the variables of the test runner, which would make it a build for development.
  const env = Object.fromEntries(
    Object.entries(process.env).filter(
      ([name]) =>
        !/^(?:NODE_ENV|NODE_OPTIONS|VITEST.*|TEST|MODE|PROD|DEV|SSR|BASE_URL)$/.test(name),
    ),
  );
  const built = spawnSync('npm', ['run', '--silent', 'site'], {
    cwd: root,
    env,
    encoding: 'utf8',
    timeout: 540_000,
  });
  // The build fails for links that lead nowhere.
  expect({ code: built.status, stderr: built.stderr.match(/.* leads to .*/g) }).toEqual({
    code: 0,
    stderr: null,
  });
  server = await serveFolder(site);
  if (CHROMIUM !== undefined || isRequired) browser = await launchBrowser();
}, 900_000);
afterAll(async () => {
  await browser?.close();
  await server.close();
});

function pages(): readonly { readonly path: string; readonly text: string }[] {
  return readdirSync(site, { recursive: true, encoding: 'utf8' })
    .filter((path) => path.endsWith('.html') && !path.startsWith('play/'))
    .map((path) => ({ path, text: readFileSync(join(site, path), 'utf8') }));
}

async function open(
  path: string,
  options: NonNullable<Parameters<Browser['newContext']>[0]>,
): Promise<Page> {
  if (browser === undefined) throw new Error('no Chromium');
  const page = await newPage(browser, options);
  await page.goto(server.url + path);
  return page;
}

test('every page is small', () => {
  expect(pages().length).toBeGreaterThan(45);
  const compressed = (path: string): number =>
    existsSync(join(site, path)) ? gzipSync(readFileSync(join(site, path))).length : 0;
  const sizes = pages().map(({ path, text }) => {
    const parts = text.matchAll(/(?:<script[^>]* src|<link rel="stylesheet" href)="\/([^"]+)"/g);
    const total = [path, ...Array.from(parts, ([, part = '']) => part)].reduce(
      (sum, part) => sum + compressed(part),
      0,
    );
    return { path, total };
  });
  expect(sizes.filter(({ total }) => total > MAX_PAGE_BYTES)).toEqual([]);
});

test('the check of links finds links that lead nowhere', () => {
  const page = { path: 'a/index.html', text: '<a href="/b/"> <a href="#c"> <a id="d" href="#d">' };
  expect(linkProblems(site, [page])).toEqual([
    'a/index.html: /b/ leads to nothing',
    expect.stringContaining('#c leads to no'),
  ]);
});

describe.runIf(CHROMIUM !== undefined || isRequired)('in Chromium', () => {
  test.each([
    ['', 'light', 360],
    ['', 'dark', 1280],
    ['tutorial/', 'dark', 360],
    ['commands/', 'light', 1280],
    ['measurements/', 'dark', 2560],
    ['comparison/', 'light', 2560],
    ['json-formats/', 'light', 360],
    ['library-reference/', 'dark', 1280],
  ] as const)('/%s is accessible in %s with %d pixels', async (path, colorScheme, width) => {
    const page = await open(path, { colorScheme, viewport: { width, height: 900 } });
    expect(await accessibilityProblems(page, THEME_RULES)).toEqual([]);
    expect(await isTooWide(page)).toBe(false);
    await page.context().close();
  });

  test('the search finds a page by its text', async () => {
    const page = await open('', { viewport: { width: 1280, height: 800 } });
    await page.getByRole('button', { name: 'Search' }).click();
    await page.locator('.pagefind-ui__search-input').fill('pbkdf2');
    await page.locator('.pagefind-ui__result-link[href^="/encryption/"]').first().waitFor();
    await page.context().close();
  });

  test('the playground of the site plans', async () => {
    const page = await open('play/', { viewport: { width: 1280, height: 800 } });
    await page.getByRole('button', { name: 'Plan', exact: true }).click();
    await page.getByText('Plan:').first().waitFor();
    await page.context().close();
  });
});
