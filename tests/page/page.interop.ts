// Design, keyboard and drawing of graph pages in Chromium.
import { spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import type { Browser, BrowserContextOptions, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { root } from '../../scripts/root.ts';
import {
  accessibilityProblems,
  CHROMIUM,
  isTooWide,
  launchBrowser,
  newPage,
} from '../playground/browser.ts';
import { manyResources } from './many-resources.ts';

const isRequired = process.env['CI'] === 'true';

let work: string;
let browser: Browser;

beforeAll(async () => {
  work = mkdtempSync(join(tmpdir(), 'terrane-page-'));
  browser = await launchBrowser();
});
afterAll(async () => {
  await browser.close();
  rmSync(work, { recursive: true, force: true });
});

function terrane(directory: string, ...args: readonly string[]): string {
  const env = { PATH: process.env['PATH'], HOME: work };
  const ran = spawnSync(join(root, 'bin/terrane'), args, {
    cwd: directory,
    env,
    encoding: 'utf8',
    maxBuffer: 1 << 28,
  });
  expect({ args, code: ran.status, stderr: ran.stderr }).toEqual({ args, code: 0, stderr: '' });
  return ran.stdout;
}

/** Writes the page of a plan and returns its URL. */
function planPage(name: string, files: Readonly<Record<string, string>>, changed = ''): string {
  const directory = join(work, name);
  for (const [path, text] of Object.entries(files)) {
    mkdirSync(join(directory, path, '..'), { recursive: true });
    writeFileSync(join(directory, path), text);
  }
  terrane(directory, 'get');
  if (changed !== '') {
    terrane(directory, 'apply', '-auto-approve');
    writeFileSync(join(directory, 'main.tf'), changed);
  }
  terrane(directory, 'plan', '-out=plan');
  const path = join(directory, 'page.html');
  writeFileSync(path, terrane(directory, 'show', '-html', 'plan'));
  return pathToFileURL(path).href;
}

async function open(url: string, options: BrowserContextOptions): Promise<Page> {
  const page = await newPage(browser, options);
  page.on('pageerror', (error) => {
    throw error;
  });
  await page.goto(url);
  return page;
}

const MODULE = `
resource "terraform_data" "first" { input = "a" }
resource "terraform_data" "second" { input = terraform_data.first.id }
output "id" { value = terraform_data.second.id }
`;
const ROOT = `
resource "terraform_data" "gone" {}
module "net" { source = "./net" }
resource "terraform_data" "user" { input = module.net.id }
`;
const CHANGED = ROOT.replace('resource "terraform_data" "gone" {}', '');

describe.runIf(CHROMIUM !== undefined || isRequired)('the page of a plan', () => {
  test.each([
    ['light', 360],
    ['dark', 360],
    ['light', 1280],
    ['dark', 1280],
    ['light', 2560],
    ['dark', 2560],
  ] as const)('is accessible in %s with %d pixels', async (colorScheme, width) => {
    const url = planPage(
      `access-${colorScheme}-${width}`,
      { 'main.tf': ROOT, 'net/main.tf': MODULE },
      CHANGED,
    );
    const page = await open(url, { colorScheme, viewport: { width, height: 900 } });
    await page.locator('#list button').first().click();
    expect(await page.textContent('#details h2')).toBe('terraform_data.gone');
    expect(await accessibilityProblems(page)).toEqual([]);
    expect(await isTooWide(page)).toBe(false);
    await page.context().close();
  });

  test('labels are readable at first on a narrow screen', async () => {
    const chain = Array.from({ length: 3 }, (_, n) =>
      n === 0
        ? 'resource "terraform_data" "r0" {}\n'
        : `resource "terraform_data" "r${n}" {\n  input = terraform_data.r${n - 1}.id\n}\n`,
    );
    const url = planPage('narrow', { 'main.tf': chain.join('') });
    const page = await newPage(browser, { viewport: { width: 360, height: 760 } });
    await page.addInitScript(`
      window.drawn = [];
      const { fillText } = CanvasRenderingContext2D.prototype;
      CanvasRenderingContext2D.prototype.fillText = function (text, ...rest) {
        const size = parseFloat(this.font) * this.getTransform().a / devicePixelRatio;
        window.drawn.push([text, size]);
        return fillText.call(this, text, ...rest);
      };
    `);
    await page.goto(url);
    // waitForFunction compiles text in the page after its first attempt, which the policy of the page refuses.
    await page.evaluate(`new Promise((resolve) => {
      const next = () => window.drawn.length > 0 ? resolve() : requestAnimationFrame(next);
      next();
    })`);
    const drawn = (await page.evaluate('window.drawn')) as readonly (readonly [string, number])[];
    expect(drawn.map(([text]) => text)).toContain('+ terraform_data.r0');
    for (const [, size] of drawn) expect(size).toBeGreaterThanOrEqual(10);
    await page.context().close();
  });

  test('follows edges and zooms by keyboard', async () => {
    const url = planPage('keyboard', { 'main.tf': ROOT, 'net/main.tf': MODULE });
    const page = await open(url, { viewport: { width: 1280, height: 800 } });
    const selected = async (): Promise<string | null> => await page.textContent('#details h2');
    await page.goto(`${url}#terraform_data.user`);
    await page.reload();
    await page.focus('#graph');
    await page.keyboard.press('ArrowLeft');
    expect(await selected()).toBe('module.net.terraform_data.second');
    await page.keyboard.press('ArrowLeft');
    expect(await selected()).toBe('module.net.terraform_data.first');
    await page.keyboard.press('ArrowRight');
    expect(await selected()).toBe('module.net.terraform_data.second');
    for (const key of ['+', '-', '0']) await page.keyboard.press(key);
    await page.keyboard.press('Escape');
    expect(await page.isHidden('#details')).toBe(true);
    await page.context().close();
  });

  test('draws 5,000 resources once per frame and in few calls', async () => {
    const url = planPage('many', { 'main.tf': manyResources(5000) });
    const page = await newPage(browser, { viewport: { width: 1280, height: 800 } });
    await page.addInitScript(`
      window.calls = {};
      for (const name of ['clearRect', 'fill', 'stroke', 'fillText']) {
        const original = CanvasRenderingContext2D.prototype[name];
        CanvasRenderingContext2D.prototype[name] = function (...args) {
          window.calls[name] = (window.calls[name] ?? 0) + 1;
          return original.apply(this, args);
        };
      }
    `);
    await page.goto(url);
    await page.locator('#list button').first().waitFor();
    // The calls of the frames that three events of the wheel before each of four frames lead to.
    const callsOfFourFrames = async (): Promise<Readonly<Record<string, number>>> =>
      await page.evaluate(`(async () => {
        const canvas = document.getElementById('graph');
        const nextFrame = () => new Promise((resolve) => requestAnimationFrame(resolve));
        for (let i = 0; i < 2; i++) await nextFrame();
        window.calls = {};
        for (let frame = 0; frame < 4; frame++) {
          for (const deltaY of [3, -3, 3])
            canvas.dispatchEvent(new WheelEvent('wheel', { deltaY, cancelable: true }));
          await nextFrame();
        }
        return window.calls;
      })()`);
    await page.click('#fit');
    // All boxes have the same appearance and are one path; edges would be too many, and labels unreadable.
    expect(await callsOfFourFrames()).toEqual({ clearRect: 4, fill: 4, stroke: 4 });
    await page.locator('#list button').first().click();
    const { fillText = 0, ...others } = await callsOfFourFrames();
    // Only what is in view has a label.
    expect(fillText).toBeGreaterThan(0);
    expect(fillText).toBeLessThan(4 * 200);
    expect(others['clearRect']).toBe(4);
    await page.context().close();
  });
});
