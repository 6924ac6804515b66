import { describe, expect, test } from 'vitest';
import { parseJson } from '@terrane/cty';
import { readSchemas } from '../json/read-schemas-json.ts';
import { recordedPlans, stateOf } from '../fixtures/recorded.ts';
import { outputsJson } from '../json/outputs-json.ts';
import { stateJson, stateJsonParts } from '../json/state-json.ts';
import { stateText } from './state-text.ts';

const withState = recordedPlans().filter(([, record]) => record.state !== undefined);

describe('a state is shown as Terraform shows it', () => {
  test.each(withState)('%s', (_name, record) => {
    const file = stateOf(record.state ?? '');
    const schemas = readSchemas(parseJson(JSON.stringify(record.schemas)));
    expect(stateText(file.state, schemas, { color: false, width: 78 })).toBe(record.stateText);
    expect(stateText(file.state, schemas, { color: true, width: 78 })).toBe(record.stateColor);
    expect(stateJson(file, schemas)).toBe(record.stateJson);
    expect(outputsJson(file.state.outputs)).toBe(record.outputs);
  });
});

test('a large state is written in parts', () => {
  const count = 6000;
  const attributes = { id: 'x'.repeat(100), input: null, output: null, triggers_replace: null };
  const instances = Array.from({ length: count }, (_, i) => ({
    index_key: i,
    schema_version: 0,
    attributes,
    sensitive_attributes: [],
  }));
  const provider = 'provider["terraform.io/builtin/terraform"]';
  const resource = { mode: 'managed', type: 'terraform_data', name: 'r', provider, instances };
  const file = stateOf(JSON.stringify({ version: 4, resources: [resource] }));
  const id = { type: 'string', computed: true };
  const dynamic = { type: 'dynamic', optional: true };
  const block = { attributes: { id, input: dynamic, output: dynamic, triggers_replace: dynamic } };
  const address = 'terraform.io/builtin/terraform';
  const resource_schemas = { terraform_data: { version: 0, block } };
  const document = { [address]: { resource_schemas } };
  const schemas = readSchemas(parseJson(JSON.stringify(document)));
  const parts = stateJsonParts(file, schemas);
  expect(parts.length).toBeGreaterThan(1);
  expect(Math.max(...parts.map((part) => part.length))).toBeLessThan(1.1 * 2 ** 20);
  const { values } = JSON.parse(parts.join('')) as {
    readonly values: { readonly root_module: { readonly resources: readonly object[] } };
  };
  expect(values.root_module.resources).toHaveLength(count);
});
