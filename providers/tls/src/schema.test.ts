import { schemaToJson } from '@terrane/provider';
import { nodeHost } from '@terrane/host';
import { expect, test } from 'vitest';
import recorded from '../recorded/schema.json' with { type: 'json' };
import { provider } from './index.ts';

test('the schema is that of the published provider', async () => {
  const schema = await provider.create(nodeHost()).schema();
  expect(schemaToJson(schema)).toEqual(recorded);
});
