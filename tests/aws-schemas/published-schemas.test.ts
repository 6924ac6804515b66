// Every attribute and block of the provider for AWS against the schemas of the published one.
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { nodeHost } from '@terrane/host';
import type { ProviderSchema, Schema } from '@terrane/provider';
import { provider } from '@terrane/provider-aws';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { compareSchemas } from './compare-schemas.ts';
import { PUBLISHED_EPHEMERALS } from './published-ephemerals.ts';
import { fetchPublishedPackage, publishedPackage, unpackPublished } from './published-package.ts';
import { publishedSchema } from './published-schema.ts';

// On a machine that tests everything, a package that can't be had is a failure.
if (process.env['CI'] === 'true') fetchPublishedPackage();
const file = publishedPackage();
const title = 'the schemas of the provider for AWS are those of the published one';

interface Compared {
  readonly name: string;
  readonly folder: string;
  readonly schema: Schema;
}

/** Returns the types that the package has a directory for. */
function comparedOf(schema: ProviderSchema): readonly Compared[] {
  const folderOf = (type: string): string => type.replace(/^aws_/, '').replaceAll('_', '-');
  const all = (
    schemas: Readonly<Record<string, Schema>>,
    prefix: string,
    folder: string,
  ): readonly Compared[] =>
    Object.entries(schemas).map(([type, schema]) => ({
      name: `${prefix}${type}`,
      folder: `${folder}${folderOf(type)}`,
      schema,
    }));
  return [
    { name: 'provider', folder: 'provider', schema: schema.provider },
    ...all(schema.resources, '', ''),
    ...all(schema.dataSources, 'data.', 'data-aws-'),
  ];
}

const ours = await provider.create(nodeHost()).schema();
const compared = comparedOf(ours);

describe.skipIf(file === undefined)(`${title} (scripts/install-aws-schemas.sh)`, () => {
  const directory = mkdtempSync(join(tmpdir(), 'terrane-aws-schemas-'));
  let library = '';
  beforeAll(() => {
    const folders = compared.map(({ folder }) => folder);
    if (file !== undefined) library = unpackPublished(file, folders, directory);
  });
  afterAll(() => rmSync(directory, { recursive: true, force: true }));

  it.each(compared)('$name', ({ name, folder, schema }) => {
    expect(compareSchemas(schema.block, publishedSchema(library, folder), name)).toEqual([]);
  });
});

it(`${title}: ephemeral resources`, () => {
  const differences = Object.entries(ours.ephemeralResources).flatMap(([type, { block }]) => {
    const published = PUBLISHED_EPHEMERALS[type];
    if (published === undefined) return [`ephemeral.${type} is not published`];
    return compareSchemas(block, published, `ephemeral.${type}`);
  });
  expect(differences).toEqual([]);
});
