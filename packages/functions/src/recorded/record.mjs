// Runs every line of expressions.txt through `terraform console` (1.11, on PATH) and writes results.json:
//   node packages/functions/src/recorded/record.mjs [--all]
// Without --all, only expressions without a recorded result are evaluated.
import { spawn } from 'node:child_process';
import { cpSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

const here = import.meta.dirname ?? new URL('.', import.meta.url).pathname;
const resultsFile = join(here, 'results.json');
const expressions = readFileSync(join(here, 'expressions.txt'), 'utf8')
  .split('\n')
  .filter((line) => line !== '' && !line.startsWith('#'));
const known = new Map(
  process.argv.includes('--all')
    ? []
    : JSON.parse(readFileSync(resultsFile, 'utf8')).map((result) => [result.expression, result]),
);

const home = mkdtempSync(join(tmpdir(), 'record-'));
const env = Object.fromEntries(
  Object.entries(process.env).filter(([name]) => !name.startsWith('TF_')),
);
Object.assign(env, { HOME: home, CHECKPOINT_DISABLE: '1' });

// The console locks the state of its directory, so each worker has its own.
function directory(worker) {
  const work = join(home, String(worker), 'work');
  cpSync(join(here, 'files'), work, { recursive: true });
  return work;
}

function ask(work, line) {
  return new Promise((resolve, reject) => {
    const child = spawn('terraform', ['console', '-no-color'], { cwd: work, env });
    let out = '';
    let err = '';
    child.stdout.on('data', (data) => (out += data));
    child.stderr.on('data', (data) => (err += data));
    child.on('error', reject);
    child.on('close', () => resolve({ out: out.trimEnd(), err }));
    child.stdin.end(`${line}\n`);
  });
}

/** Returns summary and detail, without the line breaks of the terminal. */
function errorOf(text) {
  const match = /Error: ([^\n]*)\n\n(?:  on [^\n]*\n(?:  [^\n]*\n)*\n)?([\s\S]*)$/.exec(text);
  if (match === null) throw new Error(`not understood: ${text}`);
  const detail = match[2].split('\n\nError: ')[0];
  return { summary: match[1], detail: detail.replace(/\s+/g, ' ').trim() };
}

async function record(work, expression) {
  const value = await ask(work, `jsonencode(${expression})`);
  if (value.err.includes('Error: ')) {
    const plain = await ask(work, expression);
    return { expression, error: errorOf(plain.err.includes('Error: ') ? plain.err : value.err) };
  }
  const type = await ask(work, `type(${expression})`);
  if (value.out.startsWith("(")) return { expression, shown: value.out };
  return { expression, json: JSON.parse(value.out.replaceAll("$${", "${").replaceAll("%%{", "%{")), type: type.out };
}

const results = [];
const queue = [...expressions.entries()];
async function worker(_, id) {
  const work = directory(id);
  for (let next = queue.shift(); next !== undefined; next = queue.shift()) {
    const [i, expression] = next;
    results[i] = known.get(expression) ?? (await record(work, expression));
  }
}
await Promise.all([0, 1].map(worker));
writeFileSync(resultsFile, `[\n${results.map((r) => JSON.stringify(r)).join(',\n')}\n]\n`);
rmSync(home, { recursive: true });
