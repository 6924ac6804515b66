// Records the results of calls.json in Terraform and OpenTofu, and of calls derived from them (null, unknown, marked
// and wrong values for each argument, wrong numbers of arguments), in matrix.jsonl:
//   node packages/functions/src/recorded/matrix.mjs [TARGET…]
// Each target is our program oracle/main.go, linked with the functions of the original. Sources: Terraform 1.11.4 from
// Go's module cache; the others from the directories in environment variables. Programs are cached in the oracle's
// cache; remove them there after a change to oracle/main.go.
import { execFileSync, spawnSync } from 'node:child_process';
import {
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { homedir, tmpdir } from 'node:os';
import { join } from 'node:path';

const here = import.meta.dirname ?? new URL('.', import.meta.url).pathname;
const moduleCache = execFileSync('go', ['env', 'GOMODCACHE'], { encoding: 'utf8' }).trim();
const TERRAFORM = 'github.com/hashicorp/terraform';

const TARGETS = {
  'terraform-1.11': {
    module: TERRAFORM,
    source: join(moduleCache, `${TERRAFORM}@v1.11.4`),
  },
  'opentofu-1.12': { module: 'github.com/opentofu/opentofu', source: process.env.OPENTOFU_SOURCE },
  'opentofu-1.13': {
    module: 'github.com/opentofu/opentofu',
    source: process.env.OPENTOFU_NEXT_SOURCE,
  },
  'terraform-1.15': { module: TERRAFORM, source: process.env.TERRAFORM_NEXT_SOURCE },
};

/** Builds the oracle's program inside a copy of a source, unless it was built before. */
function build(target) {
  const cache = process.env.TERRANE_ORACLE_CACHE ?? join(homedir(), '.cache', 'terrane-oracle');
  const program = join(cache, `functions-${target}`);
  if (existsSync(program)) return program;
  const { module, source } = TARGETS[target];
  if (source === undefined) throw new Error(`no source of ${target} is given`);
  mkdirSync(cache, { recursive: true });
  const work = mkdtempSync(join(tmpdir(), 'oracle-'));
  for (const part of ['internal', 'version', 'go.mod', 'go.sum']) {
    cpSync(join(source, part), join(work, part), { recursive: true });
  }
  execFileSync('chmod', ['-R', 'u+w', work]);
  // Nested modules and toolchain settings of the source are not needed.
  const mod = readFileSync(join(work, 'go.mod'), 'utf8')
    .replaceAll(/^.*=> \.\/.*\n/gm, '')
    .replaceAll(/^.*terraform\/internal\/.*\n/gm, '')
    .replaceAll(/^godebug \([^)]*\)\n/gm, '')
    .replaceAll(/^godebug .*\n/gm, '');
  writeFileSync(join(work, 'go.mod'), mod);
  const main = readFileSync(join(here, 'oracle', 'main.go'), 'utf8');
  mkdirSync(join(work, 'internal', 'oracle'));
  writeFileSync(
    join(work, 'internal', 'oracle', 'main.go'),
    main.replaceAll(`${TERRAFORM}/`, `${module}/`),
  );
  const env = { ...process.env, GOFLAGS: '-mod=mod' };
  execFileSync('go', ['build', '-o', program, './internal/oracle'], { cwd: work, env });
  rmSync(work, { recursive: true });
  return program;
}

function ask(program, expressions) {
  const run = spawnSync(program, [join(here, 'oracle', 'values.json')], {
    cwd: join(here, 'files'),
    env: { ...process.env, HOME: '/home/me' },
    input: JSON.stringify(expressions),
    encoding: 'utf8',
    maxBuffer: 1e9,
  });
  if (run.status !== 0) throw new Error(run.stderr);
  return run.stdout.trim().split('\n').map((line) => JSON.parse(line));
}

// ----- derived calls

const INSTEAD = {
  null: ['null', 'n_string'],
  unknown: ['u_any', 'u_string', 'u_list', '[u_any]'],
  marked: ['e_string', 'sensitive(u_string)'],
  wrong: ['[]', '{}', '"x"', 'true'],
};

/** Splits the arguments of a call at top-level commas. */
function split(text) {
  const parts = [];
  let part = '';
  let depth = 0;
  let quoted = false;
  for (let i = 0; i < text.length; i++) {
    const c = text[i];
    if (quoted && c === '\\') part += text[i++];
    else if (c === '"') quoted = !quoted;
    else if (!quoted && '([{'.includes(c)) depth++;
    else if (!quoted && ')]}'.includes(c)) depth--;
    if (c === ',' && !quoted && depth === 0) {
      parts.push(part.trim());
      part = '';
    } else part += text[i];
  }
  if (part.trim() !== '') parts.push(part.trim());
  return parts;
}

/** Yields all calls of a function, each with its subject. */
function* callsOf(name, given) {
  for (const args of given) yield ['normal', `${name}(${args})`];
  if (given.length === 0) return;
  const args = split(given[0]);
  for (const i of args.keys()) {
    const others = (text) => `${name}(${args.with(i, text).join(', ')})`;
    for (const [kind, values] of Object.entries(INSTEAD)) {
      for (const value of values) yield [kind, others(value)];
    }
    yield ['marked', others(`sensitive(${args[i]})`)];
  }
  if (args.length > 0) {
    yield ['wrong', `${name}(${args.slice(0, -1).join(', ')})`];
    yield ['marked', `${name}(sensitive([${args.join(', ')}])...)`];
  }
  yield ['wrong', `${name}(${[...args, '"surplus"'].join(', ')})`];
  yield ['unknown', `${name}(u_any...)`];
  yield ['wrong', `${name}(null...)`];
  if (!name.includes('::')) yield ['namespace', `core::${name}(${given[0]})`];
}

const calls = JSON.parse(readFileSync(join(here, 'calls.json'), 'utf8'));
const wanted = process.argv.length > 2 ? process.argv.slice(2) : Object.keys(calls);
const file = join(here, 'matrix.jsonl');
const kept = readFileSync(file, { encoding: 'utf8', flag: 'a+' })
  .split('\n')
  .filter((line) => line !== '' && !wanted.includes(JSON.parse(line).target));
/** Compacts a result for the recording: omits default fields. */
function compact(kind, { expression, type, value, errors, panic }) {
  if (panic !== undefined) return { kind, expression, panic };
  if (errors === undefined) return { kind, expression, type, value };
  const texts = errors.map(({ at, summary, detail }) => {
    // Later versions report more details of failed conversions.
    const less = detail
      .replace(/ required, but have [^.]*\./, ' required.')
      .replace(/ of dynamic required\./, ' of any single type required.');
    return `${at} ${summary}: ${less}`;
  });
  return { kind, expression, errors: texts };
}

const lines = [...kept];
for (const target of wanted) {
  const program = build(target);
  const cases = new Map();
  for (const [name, given] of Object.entries(calls[target])) {
    for (const [kind, expression] of callsOf(name, given)) {
      // A call by hand may be one of the derived ones too.
      if ((cases.get(expression)?.kind ?? 'normal') === 'normal') {
        cases.set(expression, { name, kind });
      }
    }
  }
  const functions = new Map();
  for (const answer of ask(program, [...cases.keys()])) {
    const { name, kind } = cases.get(answer.expression);
    const entry = compact(kind, answer);
    // Values that differ between calls are not recorded.
    if (name === 'bcrypt' && typeof entry.value === 'string') delete entry.value;
    if (functions.has(name)) functions.get(name).push(entry);
    else functions.set(name, [entry]);
  }
  for (const [name, answers] of functions) lines.push(JSON.stringify({ target, name, answers }));
}
writeFileSync(file, `${lines.join('\n')}\n`);
