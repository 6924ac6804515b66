import { bool, int64, list, listBlock, setBlock, string } from '@terrane/provider/sdk';
import { describe, expect, it } from 'vitest';
import { asStored } from './as-stored.ts';
import { asWritten } from './as-written.ts';
import { schemaOf } from './schema-of.ts';

const inner = {
  kind: string({ required: true }),
  most: int64({ optional: true }),
  made: string({ computed: true }),
  on: bool({ optional: true }),
};
const schema = schemaOf(
  {
    arn: string({ computed: true }),
    note: string({ optional: true }),
    on: bool({ optional: true }),
    secret_wo: string({ optional: true, writeOnly: true }),
    size: int64({ default: 0, computed: false }),
    zones: list(string, { optional: true }),
  },
  { limit: listBlock(inner, { blocks: { part: setBlock(inner) } }), rule: setBlock(inner) },
);

describe('a read value', () => {
  it('is stored empty where it is nothing, at any depth', () => {
    const read = { arn: undefined, on: null, secret_wo: undefined, zones: undefined };
    const limit = [{ kind: 'a', part: [{ kind: 'b', most: 1 }] }];
    expect(asStored(schema, { ...read, limit, rule: undefined }, false)).toEqual({
      arn: '',
      on: false,
      secret_wo: null,
      zones: [],
      limit: [
        {
          kind: 'a',
          most: 0,
          made: '',
          on: false,
          part: [{ kind: 'b', most: 1, made: '', on: false }],
        },
      ],
      rule: [],
    });
  });

  it('is null where it is nothing of types with the newer SDK', () => {
    expect(asStored(schema, { on: undefined, rule: [{ kind: 'a' }] }, true)).toEqual({
      on: null,
      rule: [{ kind: 'a', most: null, made: null, on: null }],
    });
  });

  it('has to be in the schema', () => {
    expect(() => asStored(schema, { other: 1 }, false)).toThrow('the schema has no other');
  });
});

describe('a planned value', () => {
  const block = (kind: string, most: number | null, on: boolean | null) => ({
    kind,
    most,
    made: on === null ? null : 'x',
    on,
  });

  it('is null for requests where it is empty and not written', () => {
    const plan = { arn: '', note: '', on: false, size: 0, zones: [] };
    const config = { arn: null, note: null, on: false, size: null, zones: null };
    expect(asWritten(schema, plan, config)).toEqual({ ...plan, note: null, zones: null });
  });

  it('is compared by position in blocks, and by content in sets', () => {
    const limit = [{ ...block('a', 0, false), part: [] }];
    const rule = [block('a', 0, false), block('b', 0, false), block('c', 2, true)];
    const config = {
      limit: [{ ...block('a', null, null), part: [] }],
      rule: [block('c', 2, true), block('b', 0, null), block('a', null, false)],
    };
    expect(asWritten(schema, { limit, rule }, config)).toMatchObject({
      limit: [{ kind: 'a', most: null, on: null, made: 'x' }],
      rule: [
        { kind: 'a', most: null, on: false },
        { kind: 'b', most: 0, on: null },
        { kind: 'c', most: 2, on: true },
      ],
    });
  });
});
