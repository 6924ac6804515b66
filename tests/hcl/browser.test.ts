// The toolkit in a browser: the examples of the README and a larger text, in Chromium.

import { spawnSync } from 'node:child_process';
import { existsSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { build } from 'esbuild';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { root } from '../../scripts/root.ts';
import { comparable, readmeExamples } from './readme-examples.ts';

const chromium = ['/usr/bin/chromium', '/usr/bin/chromium-browser', '/usr/bin/google-chrome'].find(
  (path) => existsSync(path),
);
const isRequired = process.env['CI'] === 'true';

let work: string;
beforeAll(() => {
  work = mkdtempSync(join(tmpdir(), 'terrane-browser-'));
});
afterAll(() => rmSync(work, { recursive: true, force: true }));

/** One script for a page. Anything that only Node has would be an error here. */
async function bundle(code: string): Promise<string> {
  const { outputFiles } = await build({
    stdin: { contents: code, resolveDir: join(root, 'tests/hcl'), loader: 'ts' },
    bundle: true,
    platform: 'browser',
    format: 'iife',
    target: 'es2022',
    conditions: ['terrane-source'],
    charset: 'utf8',
    write: false,
    logLevel: 'silent',
  });
  return outputFiles[0]?.text ?? '';
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

/** Runs scripts in a page of their own, one after the other; gives what each has printed. */
function inBrowser(scripts: readonly string[]): readonly string[] {
  const capture = `
    const outputs = []; let lines = [];
    const show = (value) => typeof value === 'string' ? value : JSON.stringify(value);
    console.log = (...values) => lines.push(values.map(show).join(' '));
    window.onerror = (message) => { lines.push('FAILED ' + message); };
    window.endOfScript = () => { outputs.push(lines.join('\\n')); lines = []; };`;
  const tags = scripts.map((code) => {
    const safe = code.replaceAll('</script', '<\\/script');
    return `<script>${safe}</script><script>endOfScript()</script>`;
  });
  const report = `document.body.textContent = 'BEGIN' + btoa(unescape(encodeURIComponent(JSON.stringify(outputs)))) + 'END';`;
  const page = join(work, 'page.html');
  writeFileSync(
    page,
    `<!doctype html><meta charset="utf-8"><body><script>${capture}</script>${tags.join('')}<script>${report}</script></body>`,
  );
  const profile = mkdtempSync(join(work, 'profile-'));
  const args = [...FLAGS, `--user-data-dir=${profile}`, pathToFileURL(page).href];
  const done = spawnSync(chromium ?? '', args, {
    encoding: 'utf8',
    timeout: 300_000,
    maxBuffer: 1 << 28,
  });
  const match = /BEGIN([A-Za-z0-9+/=]*)END(?![^]*BEGIN)/.exec(done.stdout);
  if (match?.[1] === undefined)
    throw new Error(`no result: ${done.error?.message ?? ''}${done.stderr}`);
  return JSON.parse(Buffer.from(match[1], 'base64').toString('utf8')) as string[];
}

test.runIf(isRequired)('there is a Chromium', () => {
  expect(chromium).toBeDefined();
});

describe.runIf(chromium !== undefined)('in Chromium', () => {
  test('the examples of the README print the documented output', async () => {
    const examples = readmeExamples();
    const scripts = await Promise.all(examples.map(({ code }) => bundle(code)));
    const printed = inBrowser(scripts);
    expect(printed).toHaveLength(examples.length);
    for (const [i, { heading, output }] of examples.entries()) {
      // Objects are shown as JSON here and as Node does it in the README.
      const shown = output.replace(
        '{ line: 2, column: 10, byte: 20 }',
        '{"line":2,"column":10,"byte":20}',
      );
      expect(comparable(printed[i] ?? ''), heading).toBe(comparable(shown));
    }
  });

  test('a large text is parsed, edited, formatted and converted as in Node', async () => {
    const code = `
      import { editHcl, formatSource, fromJson, parseHcl, printHcl, toJson } from '@terrane/hcl';
      import { hclCorpus } from '../../bench/hcl-corpus.ts';
      const text = hclCorpus(5);
      const file = parseHcl(text);
      console.log(file.diagnostics.length, file.comments.length, file.body.blocks.length);
      console.log(String(editHcl(text)) === text, formatSource(text) === formatSource(formatSource(text)));
      console.log(JSON.stringify(toJson(text)).length, fromJson(toJson(text)).length, printHcl(file.body).length);
    `;
    const script = await bundle(code);
    const lines: string[] = [];
    const log = (...values: unknown[]): void => void lines.push(values.map(String).join(' '));
    // oxlint-disable-next-line typescript/no-implied-eval -- the very script that the browser runs
    new Function('console', script)({ log });
    expect(lines).toHaveLength(3);
    expect(lines[1]).toBe('true true');
    expect(inBrowser([script])).toEqual([lines.join('\n')]);
  });
});
