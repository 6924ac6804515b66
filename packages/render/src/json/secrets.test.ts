import { number, object, str } from '@terrane/cty';
import { describe, expect, it } from 'vitest';
import { redactedJson } from './redacted-json.ts';
import { REDACTED, Secrets } from './secrets.ts';

function secretsOfValues(...values: readonly unknown[]): Secrets {
  const secrets = new Secrets();
  for (const value of values) secrets.add(value);
  return secrets;
}

describe('copies of sensitive values', () => {
  const secrets = secretsOfValues('hunter2-long', '4711', 'ab', 'true', '', 7183905264, 443, null);

  it.each([
    ['a text that contains a long secret', 'https://u:hunter2-long@db', true],
    ['a text that equals a short secret', '4711', true],
    ['a text that contains a short secret', 'port 4711', false],
    ['a text that equals a secret of two characters', 'ab', false],
    ['a text that equals a common word', 'true', false],
    ['an empty text', '', false],
    ['a text that contains a long number', 'db:7183905264', true],
    ['a text with a short number', '443', false],
  ])('%s', (_name, text, expected) => {
    expect(secrets.isCopy(text)).toBe(expected);
    expect(secrets.marked(str(text)).hasMark('sensitive')).toBe(expected);
    expect(secrets.repeatedIn({ list: [text] })).toBe(expected);
  });

  it('are found as numbers and in keys', () => {
    expect(secrets.repeatedIn(7183905264)).toBe(true);
    expect(secrets.repeatedIn(443)).toBe(false);
    expect(secrets.repeatedIn({ 'hunter2-long': 1 })).toBe(true);
    expect(secrets.marked(number(7183905264)).hasMark('sensitive')).toBe(true);
    const keyed = object({ 'hunter2-long': str('x') });
    expect(secrets.marked(keyed).hasMark('sensitive')).toBe(true);
    const inner = object({ port: str('4711'), zone: str('a') });
    expect(secrets.marked(inner).attr('port').isMarked).toBe(true);
    expect(secrets.marked(inner).attr('zone').isMarked).toBe(false);
  });

  it.each([
    ['user hunter2-long of 4711', `user ${REDACTED} of ${REDACTED}`],
    ['no 47110 and no a4711', 'no 47110 and no a4711'],
    ['"4711"', `"${REDACTED}"`],
  ])('are replaced in the message %s', (message, expected) => {
    expect(secrets.hiddenIn(message)).toBe(expected);
  });

  it('that are words are replaced in quotes only', () => {
    const words = secretsOfValues('dev');
    expect(words.hiddenIn('The dev network has the tag "dev".')).toBe(
      `The dev network has the tag "${REDACTED}".`,
    );
  });
});

describe('redacted documents', () => {
  const resource = {
    address: 'aws_x.data',
    mode: 'data',
    type: 'data',
    values: { secret: 'data', copy: 'data', other: 'data-1' },
    sensitive_values: { secret: true },
  };

  it('lose short copies in values and keep the structure', () => {
    const text = redactedJson(
      JSON.stringify({ values: { root_module: { resources: [resource] } } }),
    );
    expect(JSON.parse(text)).toEqual({
      values: {
        root_module: {
          resources: [
            {
              ...resource,
              values: { secret: REDACTED, copy: REDACTED, other: 'data-1' },
            },
          ],
        },
      },
    });
  });

  it('keep actions and modes that equal a secret', () => {
    const change = { actions: ['create'], before: null, after: { s: 'create', c: 'create' } };
    const document = {
      resource_changes: [{ mode: 'managed', change: { ...change, after_sensitive: { s: true } } }],
    };
    expect(JSON.parse(redactedJson(JSON.stringify(document)))).toMatchObject({
      resource_changes: [{ change: { actions: ['create'], after: { s: REDACTED, c: REDACTED } } }],
    });
  });
});
