// Formats odd files with terraform and with Terrane and tells where the results differ.
//
//   npm run ts -- tests/fmt/compare-with-terraform.ts --seconds 60 --seed 1
//
// Files are made (`generate.ts`) or taken from the differential cases and changed. `terraform` is started once
// for many files; where it crashes, the files are divided until the one that it crashes at is alone.
// `--record 60` keeps what terraform made of so many files in `recorded.json`, for `fmt.test.ts`.
import { spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { formatSource, parseNative, Source } from '@terrane/hcl';
import { Chance } from '../fuzz/chance.ts';
import { readCorpus } from '../fuzz/corpus.ts';
import { mutateText } from '../fuzz/mutate-text.ts';
import { FileMaker } from './generate.ts';
import { mutateLayout } from './mutate-layout.ts';

const { values } = parseArgs({
  options: {
    seconds: { type: 'string', default: '60' },
    seed: { type: 'string', default: String(Date.now() % 1_000_000) },
    batch: { type: 'string', default: '400' },
    most: { type: 'string', default: '8' },
    terraform: { type: 'string', default: 'terraform' },
    record: { type: 'string', default: '0' },
  },
});

const corpus = readCorpus().flatMap((project) =>
  Object.entries(project).flatMap(([path, text]) =>
    /\.(?:tf|tfvars|hcl)$/.test(path) ? [text] : [],
  ),
);

function makeText(chance: Chance): string {
  if (!chance.once(3)) return new FileMaker(chance).file();
  let text = chance.pick(corpus);
  for (let times = 1 + chance.below(8); times > 0; times--) {
    text = chance.once(12)
      ? mutateText(chance, text, chance.pick(corpus))
      : mutateLayout(chance, text);
  }
  // As it comes back from a file: halves of letters do not.
  return Buffer.from(text).toString();
}

/** Formats files with terraform; undefined for a file that makes it crash. */
function formatWithTerraform(texts: readonly string[]): (string | undefined)[] {
  const folder = mkdtempSync(join(tmpdir(), 'terrane-fmt-'));
  try {
    const paths = texts.map((_, i) => join(folder, `${String(i).padStart(6, '0')}.tf`));
    for (const [i, path] of paths.entries()) writeFileSync(path, texts[i] ?? '');
    mkdirSync(join(folder, 'home'));
    const env = { PATH: process.env['PATH'], HOME: join(folder, 'home'), CHECKPOINT_DISABLE: '1' };
    const run = spawnSync(values.terraform, ['fmt', '-list=false', folder], {
      env,
      encoding: 'utf8',
      maxBuffer: 1 << 30,
    });
    if (run.status === 0 || run.status === 2)
      return paths.map((path) => readFileSync(path, 'utf8'));
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
  if (texts.length === 1) return [undefined];
  const middle = texts.length >> 1;
  return [
    ...formatWithTerraform(texts.slice(0, middle)),
    ...formatWithTerraform(texts.slice(middle)),
  ];
}

/** Text that terraform loses and Terrane keeps (docs/differences.md): some labels, and keywords as keys. Depth is limited. */
const LOST =
  /^[^\n=]*"[^"\n]*[$%][^"\n]*"[^\n=]*\{|\[(?:\s|\/\*[^]*?\*\/|(?:#|\/\/).*\n)*(?:null|true|false)\b/m;

const kept: { source: string; formatted: string }[] = [];

let seed = Number(values.seed);
const until = Date.now() + Number(values.seconds) * 1000;
let files = 0;
let valid = 0;
let crashes = 0;
let differences = 0;
let lost = 0;
/** Results that change when they are formatted again: terraform shall change them in the same way. */
const unsettled: string[] = [];
while (Date.now() < until && differences < Number(values.most)) {
  const first = seed;
  const texts = Array.from({ length: Number(values.batch) }, () => makeText(new Chance(seed++)));
  texts.push(...unsettled.splice(0));
  const expected = formatWithTerraform(texts);
  for (const [i, text] of texts.entries()) {
    files++;
    const want = expected[i];
    if (want === undefined) {
      crashes++;
      console.log(`crash: ${JSON.stringify(text)}`);
      continue;
    }
    if (want !== text) valid++;
    if (
      want !== text &&
      text.length < 1500 &&
      !LOST.test(text) &&
      kept.length < Number(values.record)
    )
      kept.push({ source: text, formatted: want });
    const got = formatSource(text);
    if (got === want) {
      if (formatSource(got) !== got) unsettled.push(got);
      continue;
    }
    const { diagnostics } = parseNative(new Source('f', text));
    const wrong = diagnostics.find((diagnostic) => diagnostic.severity === 'error');
    if (LOST.test(text) || wrong?.summary === 'Expression too deeply nested') {
      lost++;
      continue;
    }
    differences++;
    console.log(
      `--- seed ${first + i}${wrong === undefined ? '' : `, ours: ${wrong.summary} ${JSON.stringify(wrong.subject && text.slice(wrong.subject.start - 20, wrong.subject.end + 20))}`}${want === text ? ', terraform: unchanged' : ''}`,
    );
    const [b, c] = [want.split('\n'), got.split('\n')];
    const at = b.findIndex((line, j) => line !== c[j]);
    console.log(`source:    ${JSON.stringify(text)}`);
    console.log(`terraform: ${JSON.stringify(b.slice(Math.max(0, at - 1), at + 2).join('\n'))}`);
    console.log(`terrane:   ${JSON.stringify(c.slice(Math.max(0, at - 1), at + 2).join('\n'))}`);
  }
}
console.log(
  `${files} files, ${valid} of them changed by fmt, ${differences} different, ${crashes} crashes of terraform, ${lost} where they differ on purpose; next seed ${seed}`,
);
if (kept.length > 0) {
  const version = spawnSync(values.terraform, ['version', '-json'], { encoding: 'utf8' });
  const { terraform_version: terraform } = JSON.parse(version.stdout) as {
    terraform_version: string;
  };
  const path = new URL('recorded.json', import.meta.url);
  writeFileSync(path, `${JSON.stringify({ terraform, files: kept }, undefined, 1)}\n`);
}
process.exitCode = differences > 0 ? 1 : 0;
