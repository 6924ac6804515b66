import { describe, expect, it } from 'vitest';
import { integer, list, str, STRING, tuple } from './index.ts';
import { withoutSecrets } from './without-secrets.ts';

const SECRET = str('s3cret-word').mark('sensitive');

describe('a text without secrets', () => {
  it.each([
    ['cannot use "s3cret-word" as year', 'cannot use "(sensitive value)" as year'],
    ['cannot parse "cret-wo" as "-"', 'cannot parse "(sensitive value)" as "-"'],
    ['a s3cret-word, s3cret-word', 'a (sensitive value), (sensitive value)'],
    ['nothing of it: s3c', 'nothing of it: s3c'],
  ])('%s', (text, without) => {
    expect(withoutSecrets(text, [SECRET])).toBe(without);
  });

  it('keeps non-sensitive text', () => {
    expect(withoutSecrets('open: no such file', [str('open')])).toBe('open: no such file');
  });

  it('finds secrets in containers, by the mark of either', () => {
    const inner = tuple([list(STRING, [SECRET])]);
    expect(withoutSecrets('s3cret-word', [inner])).toBe('(sensitive value)');
    const outer = tuple([list(STRING, [str('plain-word')])]).mark('ephemeral');
    expect(withoutSecrets('plain-word', [outer])).toBe('(sensitive value)');
  });

  it('hides short secrets that stand alone, and numbers', () => {
    expect(withoutSecrets('7 of 17', [integer(7).mark('sensitive')])).toBe(
      '(sensitive value) of 17',
    );
  });

  it.each([
    [
      'invalid value for "a": a number is required',
      'invalid value for "(sensitive value)": a number is required',
    ],
    ['a, or a. A bool', 'a, or a. A bool'],
    ['not a verb: a', 'not a verb: (sensitive value)'],
    ['in a=1 and (a)', 'in (sensitive value)=1 and ((sensitive value))'],
  ])('hides short ones of letters unless they are words of the sentence: %s', (text, without) => {
    expect(withoutSecrets(text, [str('a').mark('sensitive')])).toBe(without);
  });

  it('finds them quoted', () => {
    expect(withoutSecrets('"a\\"b\\nc"', [str('a"b\nc').mark('sensitive')])).toBe(
      '"(sensitive value)"',
    );
  });

  it('keeps words that also occur in a larger secret, such as a script', () => {
    const script = `#!/bin/bash\n# revoke, then use a configuration\n${'x'.repeat(80)} -key s3cret-word-of-mine\n`;
    const secrets = [str(script).mark('sensitive')];
    const ending = "': exit status 1. Output: Using configuration from a file";
    expect(withoutSecrets(`Error running command '${script}${ending}`, secrets)).toBe(
      "Error running command '(sensitive value)': exit status 1. Output: Using(sensitive value) from a file",
    );
    expect(withoutSecrets('no key s3cret-word-of-mine', secrets)).toBe('no (sensitive value)');
  });
});
