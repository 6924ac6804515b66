// The extension in a real VS Code: code-server in Chromium.
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Browser, Locator, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { buildExtension } from '../../editors/vscode/build.ts';
import { CHROMIUM, launchBrowser, newPage } from '../playground/browser.ts';
import { type CodeServer, HAS_CODE_SERVER, startCodeServer } from './code-server.ts';
import { VsCodePage } from './vscode-page.ts';

const isRequired = process.env['CI'] === 'true';
/** Screenshots are kept where this variable says. */
const screenshots = process.env['TERRANE_SCREENSHOTS'];

const FILES = {
  'main.tf': `variable "size" {
  type    = number
  default = 2
}

locals {
  title = upper("web-\${var.size}")
}

resource "terraform_data" "a" {
  input   = local.title
  triggers_replace = [var.sise]
}

module "base" {
  source = "./base"
}
`,
  'base/main.tf': 'output "id" {\n  value = "x"\n}\n',
  'a.tftest.hcl': `run "first" {
  command = plan

  assert {
    condition     = local.title == "WEB-2"
    error_message = "The title is wrong."
  }
}
`,
};

let work: string;
let server: CodeServer;
let browser: Browser;
let page: Page;
let code: VsCodePage;

beforeAll(async () => {
  if (!HAS_CODE_SERVER || CHROMIUM === undefined) return;
  work = mkdtempSync(join(tmpdir(), 'terrane-vscode-'));
  for (const [name, text] of Object.entries(FILES)) {
    mkdirSync(join(work, 'module', name, '..'), { recursive: true });
    writeFileSync(join(work, 'module', name), text);
  }
  const { vsix } = await buildExtension(join(work, 'built'));
  server = await startCodeServer(work, vsix, { 'editor.inlayHints.enabled': 'on' });
  browser = await launchBrowser();
  page = await newPage(browser, { viewport: { width: 1300, height: 850 } });
  code = new VsCodePage(page);
  await page.goto(`${server.url}?folder=${join(work, 'module')}`);
  await code.open('main.tf');
  await page.locator('.statusbar-item', { hasText: 'Terraform' }).first().waitFor();
}, 300_000);
afterAll(async () => {
  await browser?.close();
  await server?.close();
  if (work !== undefined) rmSync(work, { recursive: true, force: true });
});

async function screenshot(name: string): Promise<void> {
  if (screenshots !== undefined) await page.screenshot({ path: join(screenshots, `${name}.png`) });
}

/** Returns whether something becomes visible within a quarter of a minute. */
async function isShown(place: Locator): Promise<boolean> {
  try {
    await place.waitFor({ timeout: 15_000 });
    return true;
  } catch {
    return false;
  }
}

describe.runIf((HAS_CODE_SERVER && CHROMIUM !== undefined) || isRequired)('VS Code', () => {
  describe('in an untrusted workspace', () => {
    test('marks errors of the engine', async () => {
      await page.locator('.editor-instance .squiggly-error').first().waitFor();
      await page
        .locator(
          '.statusbar-item [aria-label^="Errors: 1"], [id="status.problems"][aria-label*="1"]',
        )
        .first()
        .waitFor();
      await screenshot('untrusted');
    });

    test('explains in the views that trust is needed', async () => {
      await page.locator('.activitybar [aria-label="Terrane"]').first().click();
      await page.getByText('Plans run providers, which needs a trusted workspace.').waitFor();
      await page.locator('.pane-body .monaco-list-row', { hasText: 'module' }).first().waitFor();
      await screenshot('untrusted-views');
    });

    test('offers no command that runs the program', async () => {
      await page.keyboard.press('F1');
      await page.locator('.quick-input-widget input').first().fill('>Terrane: ');
      await page
        .locator('.quick-input-list .monaco-list-row', { hasText: 'Select Root Module' })
        .waitFor();
      const rows = await page.locator('.quick-input-list .monaco-list-row').allTextContents();
      expect(rows.join('\n')).not.toContain('Apply');
      await page.keyboard.press('Escape');
    });
  });

  describe('in a trusted workspace', () => {
    beforeAll(async () => {
      if (page === undefined) return;
      await code.command('Workspaces: Manage Workspace Trust');
      await page
        .locator('.workspace-trust-buttons-row .monaco-button', { hasText: 'Trust' })
        .first()
        .click();
      await page.getByText('You trust this folder').waitFor();
      await page.locator('.tab[data-resource-name="main.tf"]').click();
      await page.locator('.editor-instance .squiggly-error').first().waitFor();
    });

    test('completes references', async () => {
      await code.goTo(12, 27);
      // The server was restarted with the trust; until it is ready it has no suggestions.
      const item = await code.proposals('size');
      expect(await item.count()).toBeGreaterThan(0);
      await screenshot('completion');
      await page.keyboard.press('Escape');
    });

    test('shows declarations and values on hover', async () => {
      await code.goTo(11, 20);
      await page.keyboard.press('Control+k');
      await page.keyboard.press('Control+i');
      const hover = page.locator('.monaco-hover:visible');
      await hover.getByText('WEB-2').first().waitFor();
      await screenshot('hover');
      await page.keyboard.press('Escape');
    });

    test('shows values as inlay hints', async () => {
      await code
        .line('title')
        .locator('[class*="dyn-rule"]', { hasText: 'WEB-2' })
        .first()
        .waitFor();
      await screenshot('hints');
    });

    test('goes to the definition', async () => {
      await code.goTo(11, 20);
      await page.keyboard.press('F12');
      await page.locator('.statusbar-item', { hasText: 'Ln 7,' }).waitFor();
    });

    test('fixes a misspelling by a code action', async () => {
      await code.goTo(12, 29);
      await code.command('Auto Fix...');
      await code.line('[var.size]').waitFor();
      await page.locator('.editor-instance .squiggly-error').first().waitFor({ state: 'hidden' });
    });

    test('formats', async () => {
      await code.command('Format Document');
      await expect
        .poll(() => code.editorText())
        .toMatch(
          /\n {2}input {12}= local\.title(?:= "WEB-2")?\n {2}triggers_replace = \[var\.size\]/,
        );
    });

    test('renames', async () => {
      await code.goTo(1, 12);
      await page.keyboard.press('F2');
      await page.locator('.rename-box input').first().fill('amount');
      await page.keyboard.press('Enter');
      await code.line('[var.amount]').waitFor();
      expect(await code.editorText()).toContain('variable "amount" {');
      await page.keyboard.press('Control+s');
    });

    test('plans, and shows the plan in its view and above blocks', async () => {
      await code.command('Terrane: Plan');
      await page.locator('.statusbar-item', { hasText: '+1 ~0 -0' }).first().waitFor();
      await code.command('Focus on Last Plan View');
      await page.locator('.pane-body .monaco-list-row', { hasText: 'terraform_data.a' }).waitFor();
      const lens = page.locator('.codelens-decoration', { hasText: /add|create/i }).first();
      // VS Code sometimes keeps the lenses that it had when the plan arrives; another plan refreshes them.
      for (let attempts = 5; attempts > 1 && !(await isShown(lens)); attempts--)
        await code.command('Terrane: Plan');
      await lens.waitFor();
      await screenshot('plan');
    });

    test('explains a change', async () => {
      await page.locator('.pane-body .monaco-list-row', { hasText: 'terraform_data.a' }).click();
      await page.locator('.tab', { hasText: 'Explain terraform_data.a' }).waitFor();
      await page.locator('.view-line', { hasText: 'is to be created' }).first().waitFor();
      await screenshot('explain');
    });

    test('shows the graph of the plan', async () => {
      await code.command('Terrane: Show Graph');
      await page.locator('.tab', { hasText: 'Graph: module' }).waitFor();
      const outer = page.frameLocator('iframe.webview').first();
      await outer.frameLocator('iframe').getByText('terraform_data.a').first().waitFor();
      await screenshot('graph');
    });

    test('runs a test from the lens above its block', async () => {
      await code.command('Show Explorer');
      await code.open('a.tftest.hcl');
      await page.locator('.codelens-decoration a', { hasText: /run/i }).first().click();
      await page
        .locator('.codicon-testing-passed-icon, .testing-run-glyph.codicon-testing-passed-icon')
        .first()
        .waitFor();
      await screenshot('test');
    });
  });
});
