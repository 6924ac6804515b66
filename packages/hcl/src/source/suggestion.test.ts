import { describe, expect, it } from 'vitest';
import { closestName, nameSuggestion, suggestedNames } from './suggestion.ts';

describe('nameSuggestion', () => {
  const cases: readonly (readonly [string, readonly string[], string | undefined])[] = [
    ['lenght', ['length', 'lengthy'], 'length'],
    ['abc', ['xbc', 'abc'], 'xbc'],
    ['abc', ['abcdef'], undefined],
    ['abc', [], undefined],
    ['', ['ab'], 'ab'],
    ['kitten', ['sitting'], undefined],
    ['naïve', ['naive'], 'naive'],
  ];

  it.each(cases)('of %j among %j is %j', (misspelled, names, expected) => {
    expect(nameSuggestion(misspelled, names)).toBe(expected);
  });
});

describe('closestName', () => {
  it('prefers fewer edits to the order', () => {
    expect(closestName('abc', ['xyc', 'abd', 'abx'])).toBe('abd');
  });
});

describe('suggestedNames', () => {
  it('excludes names that must not be suggested', () => {
    const schema = {
      attributes: [{ name: 'a' }, { name: 'b', unsuggested: true }],
      blocks: [{ type: 'c', unsuggested: true }, { type: 'd' }],
    };
    expect(suggestedNames(schema)).toEqual({ attributes: ['a'], blocks: ['d'] });
  });
});
