import { existsSync, readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { type Browser, type BrowserContextOptions, chromium, type Page } from 'playwright-core';

/** The installed Chromium; undefined if there is none. */
export const CHROMIUM: string | undefined = [
  '/usr/bin/chromium',
  '/usr/bin/chromium-browser',
  '/usr/bin/google-chrome',
].find((path) => existsSync(path));

/** Starts the installed Chromium, without requests of its own. */
export async function launchBrowser(): Promise<Browser> {
  return await chromium.launch({
    executablePath: CHROMIUM ?? '',
    args: [
      '--no-sandbox',
      '--disable-quic',
      '--disable-background-networking',
      '--disable-component-update',
      '--disable-sync',
    ],
  });
}

/** The limit of a wait in a page, on a machine that other tests occupy. */
const WAIT_MS = 240_000;

/** Opens a page in a context of its own. */
export async function newPage(
  browser: Browser,
  options: BrowserContextOptions = {},
): Promise<Page> {
  const context = await browser.newContext(options);
  context.setDefaultTimeout(WAIT_MS);
  return await context.newPage();
}

const axeSource = readFileSync(
  createRequire(import.meta.url).resolve('axe-core/axe.min.js'),
  'utf8',
);

/** The part of axe that a page is checked with. */
interface Axe {
  run(): Promise<{
    readonly violations: readonly {
      readonly id: string;
      readonly nodes: readonly { readonly html: string; readonly failureSummary?: string }[];
    }[];
  }>;
}

/** Returns the violations of accessibility rules in a page as lines, without those of some rules. */
export async function accessibilityProblems(
  page: Page,
  ignoredRules: readonly string[] = [],
): Promise<readonly string[]> {
  // Evaluated rather than added as an element, which the policy of the page would refuse.
  await page.evaluate(axeSource);
  return await page.evaluate(async (ignored) => {
    const { axe } = globalThis as unknown as { readonly axe: Axe };
    const { violations } = await axe.run();
    return violations
      .filter(({ id }) => !ignored.includes(id))
      .flatMap(({ id, nodes }) =>
        nodes.map(({ html, failureSummary = '' }) => `${id}: ${html} ${failureSummary}`),
      );
  }, ignoredRules);
}

/** Returns true if a page is wider than its window, so that it would have to be moved sideways. */
export async function isTooWide(page: Page): Promise<boolean> {
  return await page.evaluate(
    'document.documentElement.scrollWidth > document.documentElement.clientWidth',
  );
}
