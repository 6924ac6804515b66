// The result of toJson beside what the WebAssembly packages make of the same text.

import { readdirSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { parse as hcl2json } from '@cdktf/hcl2json';
import { toJson } from '@terrane/hcl';
import hcl2Parser from 'hcl2-parser';
import { describe, expect, test } from 'vitest';
import { hclCorpus } from '../../bench/hcl-corpus.ts';
import { root } from '../../scripts/root.ts';

const SAMPLES: Readonly<Record<string, string>> = {
  literals:
    'a = 1\nb = -3.50\nc = 1e3\nd = 123456789012345678901234567890\ne = true\nf = null\ng = !false\nh = -x\ni = !x\nj = 0.1\nk = -0\n',
  strings: 'a = ""\nb = "x"\nc = "\\n\\t\\"\\\\ <>& é"\nd = "$5 and 100%"\ne = "e\u0301"\n',
  templates:
    'a = "${x}"\nb = "a${x}b"\nc = "${x}${y}"\nd = "${"x"}"\ne = "a${"x"}"\nf = "${true}"\ng = "${1}x"\n',
  trimming: 'a = "  ${~ x ~}  y"\nb = "%{ if a ~}  yes  %{~ endif }"\n',
  directives:
    'a = "%{ if x }yes%{ else }no%{ endif }"\nb = "%{ if x }yes${y}%{ endif }"\nc = "%{ for k, v in m }${k}%{ endfor }"\nd = "x${c ? "a" : "b"}"\ne = "x${c ? a : b}"\n',
  heredocs: 'a = <<EOT\nhello\n  ${x}\nEOT\nb = <<-EOT\n    one\n      two\n  EOT\nc = <<E\nE\n',
  tuples: 'a = []\nb = [1, "x", x, [null], { y = 1 }]\nc = [\n  1, # one\n  2,\n]\n',
  objects:
    'a = {}\nb = { a = 1, "b" = 2, (c) = 3, d.e = 4, "k-${x}" = 5, 7 = 8, (1 + 2) = 9, true = 1 }\nc = { x : 1 }\nd = { x = 1, x = 2 }\n',
  expressions:
    'a = (1)\nb = x ? 1 : 2\nc = 1 + 2\nd = f(1, x...)\ne = x.y[0].z[*].w\nf = [for a in b: a if a]\ng = x[y]\nh = -(1)\ni = !!x\n',
  blocks:
    'a {}\na { x = 1 }\nb "x" "y" {\n  z = 1\n}\nb "x" "y" {\n  z = 2\n}\nb "x" "w" {}\nc x {}\nd {\n  e {\n    f = 1\n  }\n}\n',
  order: 'b = 1\nz {}\na = 2\n',
};

const ESCAPES =
  'a = "$${x}"\nb = "%%{x}"\nc = "$${x}${y}"\nd = "$$${x}"\ne = <<EOT\n$${x} %%{y}\nEOT\nf = { "$${k}" = "v" }\ng = "\\u0024{x}"\n';

function configurations(folder: string): string[] {
  return readdirSync(folder).flatMap((name) => {
    const path = join(folder, name);
    if (statSync(path).isDirectory()) return name === 'node_modules' ? [] : configurations(path);
    return name.endsWith('.tf') ? [path] : [];
  });
}

async function expectSame(text: string): Promise<void> {
  const ours = (): unknown => toJson(text, { filename: 'a.tf' });
  let theirs: unknown;
  try {
    theirs = await hcl2json('a.tf', text);
  } catch (error) {
    // It works out what is constant, and gives up where that fails; ours leaves it to be worked out.
    const gaveUp = String(error).includes('Operation failed');
    if (gaveUp) expect(ours, text).not.toThrow();
    else expect(ours, text).toThrow();
    return;
  }
  expect(ours(), text).toEqual(theirs);
}

describe('toJson has the output of @cdktf/hcl2json', () => {
  test.each(Object.entries(SAMPLES))('for %s', async (_, text) => {
    await expectSame(text);
  });
  test('for escaped sequences', async () => {
    await expectSame(ESCAPES);
  });
  test('for a large configuration', async () => {
    await expectSame(hclCorpus(3));
  });
  test('for the configurations of this repository', async () => {
    const files = ['examples', 'tests/differential'].flatMap((at) =>
      configurations(join(root, at)),
    );
    expect(files.length).toBeGreaterThan(100);
    for (const file of files) await expectSame(readFileSync(file, 'utf8'));
  });
  test('for blocks of one type with and without labels: an error', async () => {
    await expectSame('a "x" {}\na {}\n');
    await expectSame('a {}\na "x" {}\n');
    await expectSame('a "x" "y" {}\na "x" {}\n');
  });
});

// This one leaves `$${` as `${`, which changes the meaning; all else is as above.
describe('toJson has the output of hcl2-parser', () => {
  test.each(Object.entries(SAMPLES))('for %s', (_, text) => {
    const [theirs] = hcl2Parser.parseToObject(text) as [unknown, unknown];
    expect(toJson(text)).toEqual(theirs);
  });
});

// There a block is dropped in silence where an argument has its name.
test.each(['a = 1\na "x" {}\n', 'a = 1\na {}\n', 'a = { x = 1 }\na "y" {}\n'])(
  'toJson rejects input without a JSON form: %j',
  (text) => {
    expect(() => toJson(text, { filename: 'a.tf' })).toThrow(/Block cannot be converted to JSON/);
  },
);
