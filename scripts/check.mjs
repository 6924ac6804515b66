// The one gate: every check is run, even after one has failed, and any failure fails the whole.
import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { root, run, runTypeScript } from './run.mjs';

const report = '.build/vitest.json';
const npm = (script) => run('npm', ['run', '--silent', script]);
const checks = {
  types: () => npm('types'),
  lint: () => run('npm', ['run', '--silent', 'lint', '--', '--quiet']),
  format: () => run('npm', ['run', '--silent', 'format', '--', '--check']),
  layers: () => npm('layers'),
  repository: () => npm('repository'),
  build: () => build(),
  size: () => npm('size'),
  packages: () => npm('release:check'),
  tests: () => runTests(),
};

function build() {
  const code = runTypeScript('scripts/build.ts');
  // Programs that .ci/run starts beside this one wait for the result.
  mkdirSync(join(root, '.build'), { recursive: true });
  writeFileSync(join(root, '.build/built'), '');
  return code;
}

function runTests() {
  const reporters = ['--reporter=default', '--reporter=json', `--outputFile.json=${report}`];
  return run('npx', ['--no-install', 'vitest', 'run', ...reporters]);
}

rmSync(join(root, report), { force: true });
const results = [];
for (const [name, check] of Object.entries(checks)) {
  console.log(`\n== ${name}`);
  const began = performance.now();
  const code = check();
  results.push({ name, code, seconds: (performance.now() - began) / 1000 });
}
console.log('\n== check');
for (const { name, code, seconds } of results) {
  console.log(`${code === 0 ? 'ok    ' : 'FAILED'} ${name} (${seconds.toFixed(1)} s)`);
}
process.exit(results.every(({ code }) => code === 0) ? 0 : 1);
