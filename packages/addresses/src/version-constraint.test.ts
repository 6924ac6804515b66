import { describe, expect, it } from 'vitest';
import { compareVersions, parseVersionConstraint } from './version-constraint.ts';

describe('a version constraint', () => {
  it.each([
    ['~> 1.2', '1.9.0', true],
    ['~> 1.2', '2.0.0', false],
    ['~> 1.2.3', '1.2.9', true],
    ['~> 1.2.3', '1.3.0', false],
    ['~> 1', '1.99.0', true],
    ['~> 1', '2.0.0', true],
    ['>= 1.0, < 2.0', '1.5.0', true],
    ['>= 1.0, < 2.0', '2.0.0', false],
    ['!= 1.0.0', '1.0', false],
    ['1.0', '1.0.0', true],
    ['= v1.0', '1.0.0', true],
    ['>= 1.0.0', '1.1.0-beta1', false],
    ['>= 1.1.0-alpha', '1.1.0-beta1', true],
    ['1.1.0-beta1', '1.1.0-beta1', true],
    ['> 1.0.0-beta', '1.0.0', true],
    ['>= 1.0', 'nonsense', false],
  ])('%s allows %s: %s', (constraint, version, expected) => {
    expect(parseVersionConstraint(constraint).allows?.(version)).toBe(expected);
  });

  it.each(['', 'x', '>= ', '1.0,', '=> 1', '~> 1.x', '1.0 2.0'])('%j is none', (text) => {
    expect(parseVersionConstraint(text).error).toMatch(/^Malformed constraint: /);
  });

  it('orders versions by their segments, then by their prereleases', () => {
    const inOrder = ['1.0.0-alpha', '1.0.0-alpha.1', '1.0.0-beta', '1.0.0', '1.2', '1.10.0', '2'];
    const order = inOrder.toReversed().sort((a, b) => compareVersions(a, b) ?? 0);
    expect(order).toEqual(inOrder);
    expect(compareVersions('1.0', '1.0.0')).toBe(0);
    expect(compareVersions('x', '1')).toBeUndefined();
  });
});
