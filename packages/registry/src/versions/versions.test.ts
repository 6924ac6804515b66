import { describe, expect, it } from 'vitest';
import {
  allowsVersion,
  constraintsText,
  parseProviderConstraints,
} from './provider-constraints.ts';
import { comparePrecedence, parseVersion, type Version } from './version.ts';

function version(text: string): Version {
  const parsed = parseVersion(text);
  if ('error' in parsed) throw new Error(parsed.error);
  return parsed;
}

function selected(constraints: string, available: readonly string[]): string[] {
  const parsed = parseProviderConstraints(constraints);
  if ('error' in parsed) throw new Error(parsed.error);
  return available.filter((each) => allowsVersion(parsed, version(each)));
}

describe('versions', () => {
  it.each([
    ['1.2.3', '1.2.3'],
    ['1', '1.0.0'],
    ['1.2.3-beta.1+build.5', '1.2.3-beta.1+build.5'],
    ['01.2.3', '1.2.3'],
  ])('%s is %s', (text, normal) => {
    expect(version(text).text).toBe(normal);
  });

  // Messages of go-versions v1.0.2.
  it.each([
    ['', 'empty specification'],
    ['v1.0.0', 'a "v" prefix should not be used'],
    ['1.2.3.4', 'too many numbered portions; only three are allowed (major, minor, patch)'],
    ['>= 1.0.0', 'can\'t use constraint operator ">="; an exact version is required'],
    [' 1.0.0', 'extraneous spaces at start of specification'],
    ['1.0.0 ', 'extraneous spaces at end of specification'],
    ['1.x.0', "can't use wildcard for minor number; an exact version is required"],
    [
      'abc',
      'invalid specification; required format is three positive integers separated by periods',
    ],
    ['1.0.0, 2.0.0', "can't specify multiple versions; a single exact version is required"],
    ['1.0.0 - 2.0.0', "can't specify version range; a single exact version is required"],
    ['1.0.0 beta', 'invalid characters "beta"'],
  ])('%j is invalid: %s', (text, error) => {
    expect(parseVersion(text)).toEqual({ error });
  });

  it('are ordered by precedence', () => {
    const inOrder = [
      '1.0.0-9',
      '1.0.0-10',
      '1.0.0-alpha',
      '1.0.0-alpha.1',
      '1.0.0',
      '1.0.1',
      '1.10.0',
      '2.0.0',
    ];
    const sorted = [...inOrder].reverse().map(version).sort(comparePrecedence);
    expect(sorted.map((each) => each.text)).toEqual(inOrder);
    expect(comparePrecedence(version('1.0.0+a'), version('1.0.0+b'))).toBe(0);
  });
});

describe('constraints', () => {
  const ALL = [
    '0.0.0',
    '0.9.0',
    '1.0.0-beta',
    '1.0.0',
    '1.0.1',
    '1.2.0',
    '1.2.9',
    '1.3.0',
    '2.0.0-rc1',
    '2.0.0',
  ];

  it.each([
    ['', ['0.9.0', '1.0.0', '1.0.1', '1.2.0', '1.2.9', '1.3.0', '2.0.0']],
    ['1.0.0', ['1.0.0']],
    ['= 1.0.0-beta', ['1.0.0-beta']],
    ['>= 1.0.0-beta, < 1.2.0', ['1.0.0', '1.0.1']],
    ['~> 1.2.0', ['1.2.0', '1.2.9']],
    ['~> 1.2', ['1.2.0', '1.2.9', '1.3.0']],
    ['~> 1', ['1.0.0', '1.0.1', '1.2.0', '1.2.9', '1.3.0']],
    ['> 1.0.0, != 1.2.0, <= 1.3.0', ['1.0.1', '1.2.9', '1.3.0']],
    ['>= 2.0.0-rc1', ['2.0.0']],
    ['2.0.0-rc1, >= 1.0.0', ['2.0.0-rc1']],
  ])('%j allows %j', (text, expected) => {
    expect(selected(text, ALL)).toEqual(expected);
  });

  // Terraform 1.11's VersionConstraintsString.
  it.each([
    ['>=2.68,>=2.68.0', '>= 2.68.0'],
    ['>= 2, >= 1.2, < 1.3', '>= 1.2.0, < 1.3.0, >= 2.0.0'],
    ['~> 3, 3.1', '~> 3.0, 3.1.0'],
    ['~> 3.2.1', '~> 3.2.1'],
    ['= 1.0.0-beta+x', '1.0.0-beta+x'],
    ['!= 1.0.0, > 1.0.0, < 1.0.0, 1.0.0', '> 1.0.0, 1.0.0, < 1.0.0, != 1.0.0'],
  ])('%j is %j', (text, normal) => {
    const parsed = parseProviderConstraints(text);
    expect('error' in parsed ? parsed.error : constraintsText(parsed)).toBe(normal);
  });

  it.each([
    [
      '=> 1.0',
      'invalid specification "=> 1.0": invalid constraint operator "=>"; did you mean ">="?',
    ],
    [
      '>=  1.0',
      'invalid specification ">=  1.0": only one space is expected after the operator ">="',
    ],
    ['1.0.0 2.0.0', 'missing comma after "1.0.0"'],
    ['v1.0', 'a "v" prefix should not be used'],
    [
      '1.0.0.0',
      'invalid specification "1.0.0.0": too many numbered portions; only three are allowed (major, minor, patch)',
    ],
    [
      '1.*',
      'invalid specification "1.*": can\'t use wildcard for minor number; omit segments that should be unconstrained',
    ],
    ['^1.0', 'invalid specification "^1.0": invalid constraint operator "^"'],
  ])('%j is rejected', (text, error) => {
    expect(parseProviderConstraints(text)).toEqual({ error });
  });
});
