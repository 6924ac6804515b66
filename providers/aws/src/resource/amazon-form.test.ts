import { bool, int64, list, listBlock, map, string, unknown } from '@terrane/provider/sdk';
import { describe, expect, it } from 'vitest';
import { AmazonForm, notSent } from './amazon-form.ts';
import { conflictingNames } from './names.ts';
import { schemaOf } from './schema-of.ts';

const attributes = {
  id: string({ optional: true, computed: true }),
  arn: string({ computed: true }),
  tags: map(string, { optional: true }),
  device_name: string({ required: true }),
  encrypted: bool({ optional: true, computed: true }),
  force_destroy: bool({ default: false, computed: false }),
  kms_key_id: string({ optional: true }),
  secret_wo: string({ optional: true, writeOnly: true }),
  size: int64({ default: 0, computed: false }),
  zones: list(string, { optional: true, computed: true }),
};
const blocks = {
  limit: listBlock({ most_people: int64({ optional: true }) }, { maxItems: 1 }),
  rule: listBlock({ name: string({ required: true }), port: int64({ optional: true }) }),
};
const form = new AmazonForm(schemaOf(attributes, blocks), {
  ...notSent('force_destroy'),
  device_name: 'Device',
  'rule.name': 'RuleName',
});

describe('arguments in the form of Amazon', () => {
  it('are read from responses with any omissions', () => {
    const answer = {
      ARN: 'arn:x',
      Device: '/dev/sdh',
      Encrypted: 'true',
      Size: '4',
      Limit: { MostPeople: 3 },
      Rules: 'of no argument',
      Rule: [{ RuleName: 'a', Port: 1 }, { RuleName: 'b' }],
    };
    expect(form.read(answer)).toEqual({
      arn: 'arn:x',
      device_name: '/dev/sdh',
      encrypted: true,
      kms_key_id: null,
      size: 4,
      zones: null,
      limit: [{ most_people: 3 }],
      rule: [
        { name: 'a', port: 1 },
        { name: 'b', port: null },
      ],
    });
  });

  it('have times to the second', () => {
    const dated = new AmazonForm(schemaOf({ made_at: string({ computed: true }) }), {});
    const MadeAt = new Date('2026-01-02T03:04:05.678Z');
    expect(dated.read({ MadeAt })).toEqual({ made_at: '2026-01-02T03:04:05Z' });
  });

  const plan = {
    id: 'x',
    arn: unknown(),
    tags: { a: 'b' },
    device_name: '/dev/sdh',
    encrypted: unknown(),
    force_destroy: true,
    kms_key_id: '',
    secret_wo: 'hidden',
    size: 0,
    zones: [],
    limit: [{ most_people: 3 }],
    rule: [{ name: 'a', port: null }],
  };

  it('are sent if any of their arguments are configured', () => {
    expect(form.request(plan)).toEqual({
      Device: '/dev/sdh',
      Size: 0,
      Limit: { MostPeople: 3 },
      Rule: [{ RuleName: 'a' }],
    });
  });

  it('are sent in part, with lists that become empty', () => {
    const some = ['zones', 'size', 'limit'];
    const asked = form.request(plan, (name) => some.includes(name));
    expect(asked).toEqual({ Size: 0, Zones: [], Limit: { MostPeople: 3 } });
  });

  it('begin with small letters where the service wants that', () => {
    const small = new AmazonForm(schemaOf(attributes), {}, 'camelCase');
    expect(Object.keys(small.request({ ...plan, kms_key_id: 'k' }))).toEqual([
      'deviceName',
      'forceDestroy',
      'kmsKeyId',
      'size',
    ]);
  });
});

it('a name and a name prefix exclude each other', () => {
  expect(conflictingNames({ name: 1, name_prefix: 1 })).toHaveLength(1);
  expect(conflictingNames({ name: 1 })).toEqual([]);
});
