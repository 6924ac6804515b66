import { describe, expect, it } from 'vitest';
import { loadCodec } from './definitions.ts';
import { lazyRecord, partsOf } from './lazy-message.ts';

const NAME = 'GetProviderSchema.Response';
const ANSWER = {
  provider: { version: 3, block: { attributes: [{ name: 'a', type: Buffer.from('"string"') }] } },
  resourceSchemas: {
    one: { version: 1, block: { attributes: [{ name: 'x', required: true }] } },
    two: { version: 2 },
    none: {},
    'ü.ñ': { version: 5 },
  },
  dataSourceSchemas: {},
  diagnostics: [{ severity: 2, summary: 's' }],
  functions: { f: { summary: 'does' } },
  serverCapabilities: { planDestroy: true },
};

const plain = (value: unknown): unknown => JSON.parse(JSON.stringify(value));

describe('lazy decoding of a message', () => {
  it.each([5, 6] as const)('has the result of eager decoding, in version %d', async (v) => {
    const codec = await loadCodec(v);
    const bytes = codec.encode(NAME, ANSWER);
    const lazy = codec.decodeLazily(NAME, bytes) as Record<string, unknown>;
    const eager = codec.decode(NAME, bytes) as Record<string, unknown>;
    for (const key of Object.keys(ANSWER)) expect(plain(lazy[key])).toEqual(plain(eager[key]));
  });

  it('uses the last of entries with one key, as eager decoding does', async () => {
    const codec = await loadCodec(6);
    const twice = Buffer.concat([
      codec.encode(NAME, { resourceSchemas: { a: { version: 1 } }, functions: { f: {} } }),
      codec.encode(NAME, { resourceSchemas: { a: { version: 2 } } }),
    ]);
    expect(plain(codec.decodeLazily(NAME, twice))).toMatchObject({
      resourceSchemas: { a: { version: '2' } },
    });
  });

  it('does not decode unused entries', async () => {
    const codec = await loadCodec(6);
    // An entry whose value is not a message.
    const bytes = Buffer.concat([
      Buffer.of(0x12, 0x08, 0x0a, 0x03, 0x62, 0x61, 0x64, 0x12, 0x01, 0xff),
      codec.encode(NAME, { resourceSchemas: { good: { version: 7 } } }),
    ]);
    expect(() => codec.decode(NAME, bytes)).toThrow();
    const { resourceSchemas } = codec.decodeLazily(NAME, bytes) as {
      resourceSchemas: Record<string, { version: unknown }>;
    };
    expect(Object.keys(resourceSchemas)).toEqual(['bad', 'good']);
    expect(String(resourceSchemas['good']?.version)).toBe('7');
    expect(() => resourceSchemas['bad']).toThrow();
    expect(() => codec.verify(NAME, bytes, () => {})).toThrow('truncated');
  });

  it('can be verified without being decoded', async () => {
    const codec = await loadCodec(6);
    const types: string[] = [];
    codec.verify(NAME, codec.encode(NAME, ANSWER), (type) => types.push(String(type)));
    expect(types).toEqual(['"string"']);
    // A schema whose version is a string, and one nested without end.
    const wrong = Buffer.of(0x12, 0x07, 0x0a, 0x01, 0x61, 0x12, 0x02, 0x0a, 0x00);
    expect(() => codec.verify(NAME, wrong, () => {})).toThrow('wire type 2');
    const nested = (tag: number, bytes: Uint8Array): Uint8Array => {
      const length = [(bytes.length & 0x7f) | 0x80, bytes.length >> 7];
      return Buffer.concat([Buffer.of(tag, ...length), bytes]);
    };
    let block: Uint8Array = new Uint8Array();
    for (let i = 0; i < 60; i++) block = nested(0x1a, nested(0x12, block));
    // The provider's own schema, and its block.
    const bytes = nested(0x0a, nested(0x12, block));
    expect(() => codec.verify(NAME, bytes, () => {})).toThrow('nested too deeply');
  });

  it('skips unknown fields of all kinds', () => {
    const varint = [0x08, 0xac, 0x02];
    const fixed64 = [0x11, 1, 2, 3, 4, 5, 6, 7, 8];
    const fixed32 = [0x1d, 1, 2, 3, 4];
    const bytes = Buffer.from([...varint, ...fixed64, 0x22, 0x02, 0x0a, 0x00, ...fixed32]);
    const { maps, rest } = partsOf(bytes, [4]);
    expect([...(maps.get(4) ?? [])]).toEqual([['', Buffer.alloc(0)]]);
    expect([...rest]).toEqual([...varint, ...fixed64, ...fixed32]);
  });

  it.each([[[0x12]], [[0x12, 0x05, 0x0a]], [[0x08, 0x80]], [[0x11, 1]], [[0x0b]]])(
    'refuses %j, which is no message',
    (bytes) => {
      expect(() => partsOf(Buffer.from(bytes), [2])).toThrow();
    },
  );
});

it('works out a property once', () => {
  let made = 0;
  const record = lazyRecord(['a', 'b'], (name) => `${name}${++made}`);
  expect(Object.keys(record)).toEqual(['a', 'b']);
  expect([record['b'], record['b'], made]).toEqual(['b1', 'b1', 1]);
});
