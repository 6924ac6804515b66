// The extension's entry for VS Code for the web, in the web worker extension host of a VS Code in Chromium.
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { buildExtension } from '../../editors/vscode/build.ts';
import { CHROMIUM, launchBrowser } from '../playground/browser.ts';
import { type CodeServer, HAS_CODE_SERVER, startCodeServer } from './code-server.ts';
import { VsCodePage } from './vscode-page.ts';

const isRequired = process.env['CI'] === 'true';
/** Screenshots are kept where this variable says. */
const screenshots = process.env['TERRANE_SCREENSHOTS'];

const FILES = {
  'main.tf': `locals {
  title = upper("web-\${var.size}")
}

resource "terraform_data" "a" {
  input            = local.title
  triggers_replace = [var.sise]
}

module "base" {
  source = "./base"
}
`,
  'variables.tf':
    'variable "size" {\n  type        = number\n  description = "Number of shoes."\n}\n',
  'base/main.tf': 'output "id" {\n  value = "x"\n}\n',
};

let work: string;
let server: CodeServer;
let browser: Browser;
let page: Page;
let code: VsCodePage;

beforeAll(async () => {
  if (!HAS_CODE_SERVER || CHROMIUM === undefined) return;
  work = mkdtempSync(join(tmpdir(), 'terrane-vscode-web-'));
  for (const [name, text] of Object.entries(FILES)) {
    mkdirSync(join(work, 'module', name, '..'), { recursive: true });
    writeFileSync(join(work, 'module', name), text);
  }
  const { vsix } = await buildExtension(join(work, 'built'));
  server = await startCodeServer(work, vsix, {
    'remote.extensionKind': { 'terrane.terrane': ['web'] },
    'editor.inlayHints.enabled': 'on',
  });
  browser = await launchBrowser();
  page = await browser.newPage({ viewport: { width: 1300, height: 850 } });
  page.setDefaultTimeout(240_000);
  code = new VsCodePage(page);
  await page.goto(`${server.url}?folder=${join(work, 'module')}`);
  await code.open('main.tf');
});
afterAll(async () => {
  await browser?.close();
  await server?.close();
  if (work !== undefined) rmSync(work, { recursive: true, force: true });
});

async function screenshot(name: string): Promise<void> {
  if (screenshots !== undefined) await page.screenshot({ path: join(screenshots, `${name}.png`) });
}

describe.runIf((HAS_CODE_SERVER && CHROMIUM !== undefined) || isRequired)(
  'VS Code for the web',
  () => {
    test('marks errors of the engine', async () => {
      await page.locator('.editor-instance .squiggly-error').first().waitFor();
      await screenshot('web-open');
    });

    test('completes variables of other files', async () => {
      await code.goTo(7, 27);
      const item = await code.proposals('size');
      expect(await item.count()).toBeGreaterThan(0);
      await screenshot('web-completion');
      await page.keyboard.press('Escape');
    });

    test('shows documentation on hover', async () => {
      await code.goTo(2, 30);
      await page.keyboard.press('Control+k');
      await page.keyboard.press('Control+i');
      await page.locator('.monaco-hover:visible').getByText('Number of shoes.').first().waitFor();
      await screenshot('web-hover');
      await page.keyboard.press('Escape');
    });

    test('renames a variable in all files', async () => {
      await code.goTo(2, 30);
      await page.keyboard.press('F2');
      await page.locator('.rename-box input').first().fill('amount');
      await page.keyboard.press('Enter');
      await code.line('web-${var.amount}').waitFor();
      await code.open('variables.tf');
      await code.line('variable "amount"').waitFor();
      await screenshot('web-rename');
    });

    test('runs in a worker of the browser', async () => {
      await code.command('Developer: Show Running Extensions');
      const row = page.locator('.runtime-extensions-editor .monaco-list-row', {
        hasText: 'Terrane',
      });
      await row.getByText('web worker').waitFor();
    });
  },
);
