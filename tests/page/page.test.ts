// Pages that `graph -html` and `show -html` print, in Chromium, and pictures of `-svg`.
import { spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';

const program = resolve(import.meta.dirname, '../../bin/terrane');
const chromium = ['/usr/bin/chromium', '/usr/bin/chromium-browser', '/usr/bin/google-chrome'].find(
  (path) => existsSync(path),
);
const isRequired = process.env['CI'] === 'true';
const MANY = 5000;

let root: string;
beforeAll(() => {
  root = mkdtempSync(join(tmpdir(), 'terrane-page-'));
});
afterAll(() => rmSync(root, { recursive: true, force: true }));

function terrane(directory: string, ...args: readonly string[]): string {
  const env = { PATH: process.env['PATH'] ?? '', HOME: root };
  const ran = spawnSync(program, args, { cwd: directory, env, maxBuffer: 1 << 28 });
  expect({ args, code: ran.status, stderr: ran.stderr.toString() }).toEqual({
    args,
    code: 0,
    stderr: '',
  });
  return ran.stdout.toString();
}

function project(name: string, text: string): string {
  const directory = join(root, name);
  mkdirSync(directory);
  writeFileSync(join(directory, 'main.tf'), text);
  return directory;
}

const FLAGS = [
  '--headless',
  '--no-sandbox',
  '--disable-gpu',
  '--disable-quic',
  '--no-first-run',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
  '--virtual-time-budget=20000',
  '--dump-dom',
];

/** Opens a page from disk, does something in it, and gives what that found. */
function inBrowser(name: string, page: string, action: string): unknown {
  if (chromium === undefined) throw new Error('no Chromium');
  const path = join(root, `${name}.html`);
  // The content security policy of the page does not apply to the script of the test, which is in the page.
  const script = `<script>
    window.onerror = (message) => { document.title = 'FAILED ' + message; };
    addEventListener('load', () => { const found = (() => { ${action} })(); document.documentElement.innerHTML = ''; document.documentElement.textContent = 'FOUND' + JSON.stringify(found) + 'END'; });
  </script>`;
  writeFileSync(path, page.replace('</head>', `${script}</head>`));
  const flags = [...FLAGS, `--user-data-dir=${join(root, 'profile')}`];
  const ran = spawnSync(chromium, [...flags, pathToFileURL(path).href], { maxBuffer: 1 << 28 });
  const dom = ran.stdout.toString();
  const result = /FOUND([\s\S]*)END/.exec(dom)?.[1];
  if (result === undefined) throw new Error(`the page did nothing: ${dom.slice(0, 2000)}`);
  const text = result.replaceAll('&lt;', '<').replaceAll('&gt;', '>').replaceAll('&amp;', '&');
  return JSON.parse(text) as unknown;
}

const SMALL = `
variable "secret" {
  default   = "hidden-in-pages"
  sensitive = true
}
resource "terraform_data" "first" {
  input = "</script><b>"
}
resource "terraform_data" "second" {
  count = 2
  input = [terraform_data.first.output, var.secret]
}
output "o" {
  value = terraform_data.first.id
}
`;

describe('the planned change of an instance', () => {
  it.skipIf(chromium === undefined && !isRequired)(
    'is coloured where it changes, and not where its text begins with a sign',
    () => {
      const text = (last: string): string =>
        `resource "terraform_data" "list" {\n  input = <<-EOT\n    title:\n    - unchanged item\n    + another one\n    - ${last}\n  EOT\n}\n`;
      const directory = project('signs', text('before'));
      terrane(directory, 'apply', '-auto-approve');
      writeFileSync(join(directory, 'main.tf'), text('after'));
      terrane(directory, 'plan', '-out=plan');
      const result = inBrowser(
        'signs',
        terrane(directory, 'show', '-html', 'plan'),
        `
        document.querySelector('#list button').click();
        return [...document.querySelectorAll('#details pre span')].map((each) => [each.className, each.textContent.trim()]);`,
      );
      expect(result).toEqual(
        expect.arrayContaining([
          ['', '- unchanged item'],
          ['', '+ another one'],
          ['del', '- - before'],
          ['add', '+ - after'],
          ['chg', '~ input  = <<-EOT'],
        ]),
      );
    },
  );
});

describe('a plan', () => {
  // The script is the text of functions, which Node, the bundler and the compiler each write in their own way.
  it.skipIf(chromium === undefined && !isRequired)(
    'has a script that also runs from sources',
    () => {
      const directory = project('sources', SMALL);
      const source = resolve(import.meta.dirname, '../../packages/cli/src/terrane.ts');
      const args = ['--conditions=terrane-source', source, 'graph', '-html'];
      const env = { PATH: process.env['PATH'] ?? '', HOME: root };
      const ran = spawnSync(process.execPath, args, { cwd: directory, env, maxBuffer: 1 << 28 });
      const result = inBrowser(
        'sources',
        ran.stdout.toString(),
        `
        document.querySelector('#list button').click();
        return [document.getElementById('count').textContent, document.getElementById('details').hidden];`,
      );
      expect(result).toEqual([expect.stringMatching(/^\d+ instances$/), false]);
    },
  );

  it.skipIf(chromium === undefined && !isRequired)(
    'is a page that shows, searches and links',
    () => {
      const directory = project('small', SMALL);
      terrane(directory, 'plan', '-out=plan');
      const page = terrane(directory, 'show', '-html', 'plan');
      expect(page).not.toContain('hidden-in-pages');
      expect(page).not.toMatch(/(?:src|href)=/);
      const result = inBrowser(
        'small',
        page,
        `
        const text = (id) => document.getElementById(id).textContent;
        const search = document.getElementById('search');
        const list = () => [...document.querySelectorAll('#list button')].map((each) => each.textContent);
        const all = list();
        search.value = 'second[1]'; search.dispatchEvent(new Event('input'));
        const some = list();
        document.querySelector('#list button').click();
        const details = text('details');
        const links = [...document.querySelectorAll('#details button.link')].map((each) => each.textContent);
        [...document.querySelectorAll('#details button.link')].at(-1).click();
        return { title: document.title, summary: text('summary'), count: text('count'), all, some, details, links, then: text('details'), hash: location.hash };`,
      );
      expect(result).toMatchObject({
        title: 'Plan',
        summary: 'Plan: 3 to add, 0 to change, 0 to destroy.',
        count: '1 of 3 instances',
        all: ['terraform_data.first', 'terraform_data.second[0]', 'terraform_data.second[1]'],
        some: ['terraform_data.second[1]'],
        links: ['terraform_data.second[0]', 'terraform_data.first'],
        hash: '#terraform_data.first',
      });
      const { details, then } = result as { readonly details: string; readonly then: string };
      expect(details).toContain('terraform_data.second[1] will be created');
      expect(details).toContain('(sensitive value)');
      expect(then).toContain('+ input  = "</script><b>"');
      const picture = terrane(directory, 'show', '-svg', 'plan');
      expect(picture).toMatch(/^<svg [\s\S]*terraform_data\.second ×2<[\s\S]*<\/svg>\n$/);
    },
  );

  it.skipIf(chromium === undefined && !isRequired)(
    `of ${MANY} resources can be searched and displayed`,
    () => {
      const blocks = Array.from({ length: MANY }, (_, n) => {
        const input = n < 100 ? `"${n}"` : `terraform_data.r${Math.floor(n / 7)}.id`;
        return `resource "terraform_data" "r${n}" {\n  input = ${input}\n}\n`;
      });
      const directory = project('many', blocks.join(''));
      terrane(directory, 'plan', '-out=plan');
      const result = inBrowser(
        'many',
        terrane(directory, 'show', '-html', 'plan'),
        `
        const search = document.getElementById('search');
        const before = document.getElementById('count').textContent;
        const rows = document.querySelectorAll('#list li').length;
        search.value = 'r4999'; search.dispatchEvent(new Event('input'));
        document.querySelector('#list button').click();
        const canvas = document.getElementById('graph');
        return { before, rows, after: document.getElementById('count').textContent,
          shown: document.querySelector('#details h2').textContent, height: canvas.clientHeight > 0,
          links: [...document.querySelectorAll('#details button.link')].map((each) => each.textContent) };`,
      );
      expect(result).toEqual({
        before: `${MANY} instances`,
        rows: 501,
        after: `1 of ${MANY} instances`,
        shown: 'terraform_data.r4999',
        height: true,
        links: ['terraform_data.r714'],
      });
    },
  );
});

describe('a configuration', () => {
  it('is drawn with its objects in the state', () => {
    const directory = project('graph', SMALL);
    terrane(directory, 'apply', '-auto-approve');
    const page = terrane(directory, 'graph', '-html');
    expect(page).toContain('2 resources, 3 instances in the state.');
    expect(terrane(directory, 'graph', '-svg')).toContain('<title>terraform_data.first: no change');
  });
});
