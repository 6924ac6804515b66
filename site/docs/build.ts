// Builds the documentation site with the playground into .build/site: `npm run site`.
import { spawnSync } from 'node:child_process';
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { delimiter, dirname, join } from 'node:path';
import { root } from '../../scripts/root.ts';
import { buildPlayground } from '../playground/build.ts';
import { linkProblems } from './links.ts';
import { prepareSite } from './prepare.ts';

const here = import.meta.dirname;
const out = join(root, '.build/site');

function run(command: string, args: readonly string[]): void {
  // The pinned Node comes first, as in npm scripts.
  const PATH = `${dirname(process.execPath)}${delimiter}${process.env['PATH'] ?? ''}`;
  const env = { ...process.env, PATH, ASTRO_TELEMETRY_DISABLED: '1', NODE_ENV: 'production' };
  const { status } = spawnSync(command, args, { cwd: here, env, stdio: 'inherit' });
  if (status !== 0) throw new Error(`${command} ${args.join(' ')} ended with exit code ${status}`);
}

/**
 * Makes code and tables focusable, which may be wider than a small screen, so that they can be moved by keyboard; and
 * empty table headers plain cells, as screen readers announce headers.
 */
function makeScrollable(): void {
  for (const path of readdirSync(out, { recursive: true, encoding: 'utf8' })) {
    if (!path.endsWith('.html') || path.startsWith('play/')) continue;
    const file = join(out, path);
    const text = readFileSync(file, 'utf8')
      .replaceAll('<pre data-language', '<pre tabindex="0" data-language')
      .replaceAll('<table>', '<table tabindex="0">')
      .replaceAll(/<th(?: align="\w+")?><\/th>/g, '<td></td>');
    writeFileSync(file, text);
  }
}

run(join(root, 'scripts/install-site.sh'), []);
await prepareSite();
run(process.execPath, [join(here, 'node_modules/astro/bin/astro.mjs'), 'build']);
await buildPlayground(join(out, 'play'));
makeScrollable();
const pages = readdirSync(out, { recursive: true, encoding: 'utf8' })
  .filter((path) => path.endsWith('.html'))
  .map((path) => ({ path, text: readFileSync(join(out, path), 'utf8') }));
const problems = linkProblems(out, pages);
for (const problem of problems) console.error(problem);
console.log(`${out}: ${pages.length} pages`);
if (problems.length > 0) process.exitCode = 1;
