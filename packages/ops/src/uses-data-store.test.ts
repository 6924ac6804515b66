import { EMPTY_STATE, loadConfiguration, readStateFile } from '@terrane/engine';
import { memoryHost } from '@terrane/testkit';
import { expect, it } from 'vitest';
import { usesDataStore } from './uses-data-store.ts';

it.each([
  ['a block', 'main.tf', 'resource "terraform_data" "a" {\n  store {}\n}\n', true],
  [
    'a dynamic block',
    'main.tf',
    'resource "terraform_data" "a" {\n  dynamic "store" {\n    for_each = []\n    content {}\n  }\n}\n',
    true,
  ],
  ['JSON', 'main.tf.json', '{"resource": {"terraform_data": {"a": {"store": {}}}}}', true],
  [
    'JSON with an escape sequence',
    'main.tf.json',
    '{"resource": {"terraform_data": {"a": {"\\u0073tore": {}}}}}',
    true,
  ],
  ['no block', 'main.tf', 'resource "terraform_data" "a" {\n  input = { store = 1 }\n}\n', false],
  ['another type', 'main.tf', 'resource "x_y" "a" {\n  store {}\n}\n', false],
])('finds the block in a configuration: %s', async (_about, path, text, expected) => {
  const { files } = memoryHost();
  await files.writeFile(path, text);
  const { configuration } = loadConfiguration(files, '.');
  expect(usesDataStore(configuration, EMPTY_STATE)).toBe(expected);
});

it.each([
  ['a stored block', { store: { input: null, output: 1 } }, true],
  ['no block, as Terraform 1.16 writes it', { store: null }, false],
  ['an object of Terraform 1.11', {}, false],
])('finds the block in a state: %s', (_about, attributes, expected) => {
  const file = {
    version: 4,
    terraform_version: '1.16.0',
    serial: 1,
    lineage: 'x',
    outputs: {},
    resources: [
      {
        mode: 'managed',
        type: 'terraform_data',
        name: 'a',
        provider: 'provider["terraform.io/builtin/terraform"]',
        instances: [{ schema_version: 0, attributes: { id: 'x', ...attributes } }],
      },
    ],
  };
  const bytes = new TextEncoder().encode(JSON.stringify(file, undefined, 2));
  const read = readStateFile(bytes).file;
  if (read === undefined) throw new Error('the state cannot be read');
  expect(usesDataStore(undefined, read.state)).toBe(expected);
});
