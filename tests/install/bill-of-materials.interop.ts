// The bill of materials of the program is valid by the published schema of CycloneDX, and lists what is bundled.
import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { Ajv, type AnySchema } from 'ajv';
import { expect, it } from 'vitest';
import { billOfMaterials, programComponents } from '../../scripts/release/bill-of-materials.ts';
import { root } from '../../scripts/root.ts';

/** Returns the problems of a document by the schema of CycloneDX 1.6. */
function problems(document: unknown): readonly string[] {
  const cache = execFileSync(join(root, 'scripts/install-report-schemas.sh'), { encoding: 'utf8' });
  const folder = join(cache.trim(), 'node_modules/@cyclonedx/cyclonedx-library/res/schema');
  const schema = (name: string): AnySchema =>
    JSON.parse(readFileSync(join(folder, `${name}.SNAPSHOT.schema.json`), 'utf8')) as AnySchema;
  const ajv = new Ajv({ strict: false, allErrors: true, validateFormats: false });
  for (const name of ['spdx', 'jsf-0.82', 'cryptography-defs']) {
    ajv.addSchema(schema(name), `http://cyclonedx.org/schema/${name}.SNAPSHOT.schema.json`);
  }
  const validate = ajv.compile(schema('bom-1.6'));
  void validate(document);
  return (validate.errors ?? []).map((each) => `${each.instancePath} ${each.message ?? ''}`);
}

it('the bill of materials of the program is valid', () => {
  const components = programComponents();
  const names = components.map(({ name }) => name);
  expect(names).toEqual(expect.arrayContaining(['openpgp', 'fs-native-extensions']));
  expect(names.some((name) => /^node-(?:bin-)?(?:linux|darwin|win)-/.test(name))).toBe(true);
  const document: unknown = JSON.parse(billOfMaterials('1.2.3', components));
  expect(problems(document)).toEqual([]);
});

it('the schema finds an unknown licence and a component without a name', () => {
  const invalid = billOfMaterials('1.2.3', [{ name: '', version: '1', license: 'Mine' }]);
  expect(problems(JSON.parse(invalid))).not.toEqual([]);
});
