// The built playground in Chromium.
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Browser, BrowserContext, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import {
  buildPlayground,
  MAX_COMPRESSED,
  MAX_FIRST_PAINT,
  type PlaygroundSize,
} from '../../site/playground/build.ts';
import type { Reply } from '../../site/playground/protocol.ts';
import { accessibilityProblems, CHROMIUM, isTooWide, launchBrowser, newPage } from './browser.ts';
import { documentationExamples, EXAMPLE_VARIABLES } from './examples.ts';
import { planWithProgram } from './plan-with-program.ts';
import { serveFolder } from './static-server.ts';

const isRequired = process.env['CI'] === 'true';

let work: string;
let size: PlaygroundSize;
let server: Awaited<ReturnType<typeof serveFolder>>;
let browser: Browser;

beforeAll(async () => {
  work = mkdtempSync(join(tmpdir(), 'terrane-playground-'));
  size = await buildPlayground(join(work, 'site'));
  server = await serveFolder(join(work, 'site'));
  browser = await launchBrowser();
});
afterAll(async () => {
  await browser.close();
  await server.close();
  rmSync(work, { recursive: true, force: true });
});

const problems: string[] = [];

async function open(
  options: Parameters<Browser['newContext']>[0] = {},
  hash = '',
): Promise<{ readonly page: Page; readonly context: BrowserContext }> {
  const page = await newPage(browser, { viewport: { width: 1280, height: 800 }, ...options });
  const context = page.context();
  page.on('pageerror', (error) => problems.push(String(error)));
  page.on('console', (message) => {
    if (message.type() === 'error') problems.push(message.text());
  });
  await page.goto(server.url + hash);
  await page.waitForSelector('[role=tab]');
  return { page, context };
}

async function press(page: Page, name: string): Promise<string> {
  await page.evaluate(`document.getElementById('status').textContent = ''`);
  await page.getByRole('button', { name, exact: true }).click();
  await page.locator('#status', { hasText: /^exit/ }).waitFor();
  return (await page.textContent('#output')) ?? '';
}

async function enter(page: Page, line: string): Promise<string> {
  await page.evaluate(`document.getElementById('status').textContent = ''`);
  await page.fill('#command', line);
  await page.press('#command', 'Enter');
  await page.locator('#status', { hasText: /^exit/ }).waitFor();
  return (await page.textContent('#output')) ?? '';
}

describe.runIf(CHROMIUM !== undefined || isRequired)('the playground', () => {
  test('is small', () => {
    expect(size.brotli).toBeLessThan(MAX_COMPRESSED);
    expect(size.gzip).toBeLessThan(MAX_COMPRESSED);
    expect(size.firstPaint).toBeLessThan(MAX_FIRST_PAINT);
  });

  test('every example of the documentation plans as with the program', async () => {
    const { page, context } = await open();
    for (const { name, files } of documentationExamples()) {
      const actual = await page.evaluate(
        async ([text, variables]) => {
          // Globals of browsers, which are not declared here.
          const { Worker } = globalThis as unknown as {
            readonly Worker: new (url: string) => {
              postMessage(message: unknown): void;
              addEventListener(type: 'message', listener: (event: { data: Reply }) => void): void;
              terminate(): void;
            };
          };
          const worker = new Worker('worker.js');
          const run = (id: number, args: readonly string[], given: unknown) =>
            new Promise<{ code: number; stdout: string; stderr: string }>((resolve) => {
              const output = { stdout: '', stderr: '' };
              worker.addEventListener('message', ({ data }) => {
                if (data.id !== id) return;
                if (data.kind === 'output') output[data.stream] += data.text;
                else resolve({ code: data.code, ...output });
              });
              const message = { kind: 'run', id, args, files: given, input: '', columns: 78 };
              worker.postMessage({ ...message, environment: variables });
            });
          await run(1, ['init'], JSON.parse(text));
          const result = await run(2, ['plan', '-input=false', '-no-color', '-parallelism=1'], {});
          worker.terminate();
          return result;
        },
        [JSON.stringify(files), EXAMPLE_VARIABLES] as const,
      );
      expect({ name, ...actual }).toEqual({ name, ...planWithProgram(work, name, files) });
    }
    await context.close();
  });

  test('plans, applies, evaluates, explains, draws, tests and destroys', async () => {
    const { page, context } = await open();
    expect(await press(page, 'Plan')).toContain('Plan: 3 to add, 0 to change, 0 to destroy.');
    expect(await press(page, 'Apply')).toContain('Apply complete! Resources: 3 added');
    expect(await page.getByRole('tab').allTextContents()).toContain('state');
    expect(await enter(page, 'length(terraform_data.house)')).toContain('\n2\n');
    expect(await enter(page, 'state list')).toContain('terraform_data.house["elrond"]');
    await page.getByRole('tab', { name: 'terraform.tfvars' }).click();
    await page.locator('.cm-content').fill('town = "Bree"\n');
    expect(await press(page, 'Why?')).toContain('var.town is "Bree"');
    await page.getByRole('button', { name: 'Graph' }).click();
    const graph = page.frameLocator('iframe#frame');
    await graph.getByText(/^Plan: \d+ to add/).waitFor();
    expect(await press(page, 'Destroy')).toContain('Destroy complete! Resources: 3 destroyed.');
    await page.selectOption('#examples', 'Tests');
    expect(await press(page, 'Test')).toContain('Success! 2 passed, 0 failed.');
    await page.selectOption('#examples', 'Modules');
    expect(await press(page, 'Plan')).toContain('Plan: 7 to add, 0 to change, 0 to destroy.');
    await context.close();
  });

  test('marks errors in the editor', async () => {
    const { page, context } = await open();
    await page.locator('.cm-content').fill('output "a" { value = var.b }\n');
    await page.locator('.cm-lintRange-error').waitFor();
    expect(await page.getByRole('tab', { name: 'main.tf, 1 problem' }).count()).toBe(1);
    await context.close();
  });

  test('completes, documents, finds and renames with the language server', async () => {
    const { page, context } = await open();
    const files = {
      'main.tf': 'output "first" {\n  value = var.town\n}\n',
      'variables.tf':
        'variable "town" {\n  description = "Where they live"\n  default     = "Bree"\n}\n',
    };
    await page.evaluate(
      `localStorage.setItem('terrane-playground', ${JSON.stringify(JSON.stringify(files))})`,
    );
    await page.reload();
    await page.locator('body[data-language=ready]').waitFor();
    await page.locator('.cm-content').click();
    await page.keyboard.press('Control+End');
    await page.keyboard.type('output "second" {\n  value = var.');
    await page.locator('.cm-tooltip-autocomplete li', { hasText: 'town' }).waitFor();
    await page.waitForTimeout(200);
    await page.keyboard.press('Enter');
    await page.keyboard.type('\n}\n');
    await page.locator('.cm-line', { hasText: 'value = var.town' }).nth(1).waitFor();
    const reference = page.locator('.cm-line', { hasText: 'value = var.town' }).first();
    const box = await reference.boundingBox();
    // The name is at the end of the line, in characters of 7.8 pixels.
    if (box !== null) await page.mouse.move(box.x + 7.8 * 15, box.y + box.height / 2);
    await page.locator('.cm-tooltip-hover', { hasText: 'Where they live' }).waitFor();
    await page.mouse.move(0, 0);
    await reference.click();
    await page.keyboard.press('End');
    await page.keyboard.press('F2');
    await page.locator('.cm-lsp-rename-panel input[name=name]').fill('place');
    await page.keyboard.press('Enter');
    await page.locator('.cm-line', { hasText: 'value = var.place' }).nth(1).waitFor();
    await page.keyboard.press('F12');
    await page.locator('[role=tab][aria-selected=true]', { hasText: 'variables.tf' }).waitFor();
    await page.locator('.cm-line', { hasText: 'variable "place"' }).waitFor();
    expect(await press(page, 'Plan')).toContain('+ second = "Bree"');
    await context.close();
  });

  test('shares its files by link', async () => {
    const { page, context } = await open();
    await page.locator('.cm-content').fill('output "shared" { value = "ü 1" }\n');
    await page.getByRole('button', { name: 'Share' }).click();
    await page.waitForURL(/#files=/);
    const { hash } = new URL(page.url());
    const other = await open({}, hash);
    expect(await press(other.page, 'Plan')).toContain('+ shared = "ü 1"');
    await context.close();
    await other.context.close();
  });

  test.each([
    ['not compressed', '#files=AAAA'],
    ['not base64', '#files=!'],
    ['damaged', `#files=${'A'.repeat(5000)}`],
  ])('ignores a link that is %s', async (_, hash) => {
    const { page, context } = await open({}, hash);
    expect(await page.getByRole('tab', { name: 'main.tf' }).count()).toBe(1);
    await context.close();
  });

  test('works offline after the first visit', async () => {
    const { page, context } = await open();
    await page.evaluate('navigator.serviceWorker.ready.then(() => undefined)');
    await context.setOffline(true);
    await page.reload();
    expect(await press(page, 'Plan')).toContain('Plan: 3 to add');
    await page.getByRole('button', { name: 'Graph' }).click();
    await page.frameLocator('iframe#frame').getByText('Plan: 3 to add').waitFor();
    await context.close();
  });

  test('stops a run that does not end', async () => {
    const { page, context } = await open();
    const text = 'resource "time_sleep" "a" { create_duration = "1h" }\n';
    await page.locator('.cm-content').fill(text);
    await page.getByRole('button', { name: 'Apply' }).click();
    await page.getByText('Still creating').or(page.getByText('Creating...')).first().waitFor();
    await page.getByRole('button', { name: 'Stop' }).click();
    await page.locator('#status', { hasText: /^exit/ }).waitFor();
    expect(await press(page, 'Format')).toContain('$ terrane fmt');
    await context.close();
  });

  test.each([
    ['light', 360],
    ['dark', 360],
    ['light', 1280],
    ['dark', 2560],
  ] as const)('is accessible in %s with %d pixels', async (colorScheme, width) => {
    const { page, context } = await open({ colorScheme, viewport: { width, height: 900 } });
    await press(page, 'Plan');
    expect(await accessibilityProblems(page)).toEqual([]);
    expect(await isTooWide(page)).toBe(false);
    await context.close();
  });

  test('has reported no errors', () => {
    expect(problems).toEqual([]);
  });
});
