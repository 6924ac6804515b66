import { describe, expect, it } from 'vitest';
import { parseFlags } from './parse-flags.ts';

const FLAGS = {
  refresh: { kind: 'bool', initial: true },
  json: { kind: 'bool', initial: false },
  out: { kind: 'text', initial: '' },
  parallelism: { kind: 'integer', initial: 10 },
  'lock-timeout': { kind: 'duration', initial: 0 },
  var: { kind: 'list', initial: [] },
  'var-file': { kind: 'list', initial: [] },
} as const;

describe('a command line', () => {
  it.each([
    { args: '-json', name: 'json', value: true },
    { args: '--json', name: 'json', value: true },
    { args: '-json=true', name: 'json', value: true },
    { args: '-refresh=false', name: 'refresh', value: false },
    { args: '-refresh=0', name: 'refresh', value: false },
    { args: '-out plan', name: 'out', value: 'plan' },
    { args: '-out=plan', name: 'out', value: 'plan' },
    { args: '--out=a=b', name: 'out', value: 'a=b' },
    { args: '-out=', name: 'out', value: '' },
    { args: '-parallelism=3', name: 'parallelism', value: 3 },
    { args: '-parallelism 0x10', name: 'parallelism', value: 16 },
    { args: '-parallelism=-1', name: 'parallelism', value: -1 },
    { args: '-lock-timeout=1m30s', name: 'lock-timeout', value: 90_000 },
    { args: '-var a=1 -var=b=2', name: 'var', value: ['a=1', 'b=2'] },
    { args: '-json -json=false', name: 'json', value: false },
  ] as const)('$args sets $name', ({ args, name, value }) => {
    const parsed = parseFlags(FLAGS, args.split(' '));
    expect(parsed.error).toBeUndefined();
    expect(parsed.values[name]).toEqual(value);
    expect(parsed.rest).toEqual([]);
  });

  it.each([
    { args: '-nope', error: 'flag provided but not defined: -nope' },
    { args: '--nope=1', error: 'flag provided but not defined: -nope' },
    { args: '-out', error: 'flag needs an argument: -out' },
    { args: '-refresh=maybe', error: 'invalid boolean value "maybe" for -refresh: parse error' },
    { args: '-parallelism=x', error: 'invalid value "x" for flag -parallelism: parse error' },
    { args: '-lock-timeout=5', error: 'invalid value "5" for flag -lock-timeout: parse error' },
    { args: '---json', error: 'bad flag syntax: ---json' },
    { args: '-=x', error: 'bad flag syntax: -=x' },
    { args: '-help', error: 'flag: help requested' },
  ])('$args is refused', ({ args, error }) => {
    expect(parseFlags(FLAGS, args.split(' ')).error).toBe(error);
  });

  it('ends at the first argument that is no option', () => {
    const parsed = parseFlags(FLAGS, ['-json', 'plan.bin', '-refresh=false']);
    expect(parsed.rest).toEqual(['plan.bin', '-refresh=false']);
    expect(parsed.values.refresh).toBe(true);
  });

  it('ends behind two dashes, and takes one dash for an argument', () => {
    expect(parseFlags(FLAGS, ['--', '-json']).rest).toEqual(['-json']);
    expect(parseFlags(FLAGS, ['-', '-json']).rest).toEqual(['-', '-json']);
  });

  it('keeps the order of flags with different names', () => {
    const { occurrences } = parseFlags(FLAGS, ['-var', 'a=1', '-var-file=x', '-var=b=2']);
    expect(occurrences).toEqual([
      { name: 'var', text: 'a=1' },
      { name: 'var-file', text: 'x' },
      { name: 'var', text: 'b=2' },
    ]);
  });

  it('does not take a name that every object has for an option', () => {
    expect(parseFlags(FLAGS, ['-constructor']).error).toBe(
      'flag provided but not defined: -constructor',
    );
  });
});
