// Builds the program and runs the main job on a scratch copy of examples/quickstart. `npm run quickstart` installs
// the dependencies before.
import { spawnSync } from 'node:child_process';
import { cpSync, mkdirSync, rmSync } from 'node:fs';
import { join, relative, sep } from 'node:path';
import { root, runTypeScript } from './run.mjs';

const place = join(root, '.build', 'quickstart');
const program = join(root, 'packages', 'cli', 'dist', 'terrane.js');

function must(code, what) {
  if (code === 0) return;
  console.error(`\n${what} ended with exit code ${code}.`);
  process.exit(1);
}

function terrane(...args) {
  console.log(`\n$ terrane ${args.join(' ')}`);
  const done = spawnSync(process.execPath, [program, ...args], { cwd: place, stdio: 'inherit' });
  must(done.status ?? 1, `terrane ${args[0]}`);
}

console.log('$ npm run build:cli');
must(runTypeScript('scripts/build.ts', ['--cli']), 'Building');

rmSync(place, { recursive: true, force: true });
mkdirSync(place, { recursive: true });
const leftovers = /(^|[\\/])(\.terraform|\.terrane|output)([\\/]|$)|\.tfstate|\.lock\./;
cpSync(join(root, 'examples', 'quickstart'), place, {
  recursive: true,
  filter: (source) => !leftovers.test(relative(join(root, 'examples', 'quickstart'), source)),
});
const shown = ['.build', 'quickstart'].join(sep);
console.log(`$ cp -r ${join('examples', 'quickstart')} ${shown}\n$ cd ${shown}`);

terrane('init', '-input=false');
terrane('plan', '-input=false');
terrane('apply', '-input=false', '-auto-approve');
console.log('\nThe same configuration once more: nothing is left to do (exit code 0).');
terrane('plan', '-input=false', '-detailed-exitcode');

console.log(`
Now it is yours. In ${shown}, with the program as ../../bin/terrane:
  change a value in main.tf, then    terrane apply      shows the update and asks first
  see what was made                  ls output          and  terrane output
  take everything down again         terrane destroy
`);
