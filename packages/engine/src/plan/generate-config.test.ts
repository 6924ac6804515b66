import { parseInstanceAddr } from '@terrane/addresses';
import { nullOf, NUMBER, object, str, STRING } from '@terrane/cty';
import type { BlockSchema } from '@terrane/provider';
import { expect, test } from 'vitest';
import { generatedBlock, generatedBody } from './generate-config.ts';

const BLOCK: BlockSchema = {
  attributes: {
    id: { type: STRING, optional: true, computed: true },
    name: { type: STRING, required: true },
    note: { type: STRING, optional: true },
    made: { type: STRING, computed: true },
    size: { type: NUMBER, optional: true, computed: true },
    old: { type: STRING, optional: true, deprecated: true },
    key: { type: STRING, optional: true, sensitive: true },
    document: { type: STRING, optional: true },
  },
  blocks: {},
};

const VALUE = object({
  id: str('i'),
  name: str('n'),
  note: str(''),
  made: str('m'),
  size: nullOf(NUMBER),
  old: str('o'),
  key: str('secret'),
  document: str('{"b":[1],"a":"${x}"}'),
});

function write(from: 'object' | 'configuration', provider: { name: string; alias?: string }) {
  const { address } = parseInstanceAddr('test_thing.a');
  if (address === undefined) throw new Error('no address');
  return generatedBlock(address, generatedBody(address, BLOCK, VALUE, provider, from));
}

test('computed attributes and the id of an object are omitted, and empty strings are null', () => {
  expect(write('object', { name: 'test' })).toBe(
    [
      'resource "test_thing" "a" {',
      '  document = jsonencode({',
      '    a = "$${x}"',
      '    b = [1]',
      '  })',
      '  key  = null # sensitive',
      '  name = "n"',
      '  note = null',
      '  size = null',
      '}',
    ].join('\n'),
  );
});

test('a configuration of the provider is written without null computed attributes', () => {
  expect(write('configuration', { name: 'other', alias: 'b' })).toBe(
    [
      'resource "test_thing" "a" {',
      '  provider = other.b',
      '  document = jsonencode({',
      '    a = "$${x}"',
      '    b = [1]',
      '  })',
      '  id   = "i"',
      '  key  = null # sensitive',
      '  made = "m"',
      '  name = "n"',
      '  note = ""',
      '}',
    ].join('\n'),
  );
});
