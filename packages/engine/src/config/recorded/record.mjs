// Runs `terraform validate -json` (1.11, on PATH) on every case of cases.txt and writes results.json:
//   node packages/engine/src/config/recorded/record.mjs [--all]
// Without --all, only cases that are new or were changed are run.
import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';

const here = new URL('.', import.meta.url).pathname;
const resultsFile = join(here, 'results.json');
const known = process.argv.includes('--all') ? {} : JSON.parse(readFileSync(resultsFile, 'utf8'));

const home = mkdtempSync(join(tmpdir(), 'record-'));
const env = Object.fromEntries(
  Object.entries(process.env).filter(([name]) => !name.startsWith('TF_')),
);
Object.assign(env, { HOME: home, CHECKPOINT_DISABLE: '1' });

function terraform(cwd, ...args) {
  try {
    return execFileSync('terraform', args, { cwd, env, stdio: ['ignore', 'pipe', 'pipe'] }).toString();
  } catch (error) {
    return error.stdout.toString();
  }
}

const results = {};
const cases = readFileSync(join(here, 'cases.txt'), 'utf8').split(/^=== /m).slice(1);
for (const [i, text] of cases.entries()) {
  const [name] = text.split('\n', 1);
  const hash = createHash('sha256').update(text).digest('hex').slice(0, 12);
  if (known[name]?.hash === hash) {
    results[name] = known[name];
    continue;
  }
  const directory = join(home, String(i));
  for (const file of text.split(/^--- /m).slice(1)) {
    const [path] = file.split('\n', 1);
    mkdirSync(dirname(join(directory, path)), { recursive: true });
    writeFileSync(join(directory, path), file.slice(path.length + 1));
  }
  terraform(directory, 'init', '-backend=false', '-no-color');
  const { diagnostics } = JSON.parse(terraform(directory, 'validate', '-json'));
  results[name] = {
    hash,
    diagnostics: diagnostics.map(({ severity, summary, detail, range }) => ({
      severity,
      summary,
      detail,
      ...(range === undefined
        ? {}
        : { place: `${range.filename}:${range.start.line},${range.start.column}` }),
    })),
  };
}
writeFileSync(resultsFile, `${JSON.stringify(results, null, 1)}\n`);
rmSync(home, { recursive: true });
