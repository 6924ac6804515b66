import { describe, expect, it } from 'vitest';
import { asksVersion, readCommandLine, takeChdir, withExtraArgs } from './command-line.ts';

const COMMANDS = new Set(['plan', 'state', 'state list', 'workspace']);
const read = (line: string): ReturnType<typeof readCommandLine> =>
  readCommandLine(line.split(' '), (name) => COMMANDS.has(name));

describe('the command of a command line', () => {
  it.each([
    { line: 'plan -out x', command: 'plan', args: ['-out', 'x'] },
    { line: 'state list -id=1 a', command: 'state list', args: ['-id=1', 'a'] },
    { line: 'state posh', command: 'state', args: ['posh'] },
    { line: 'state -x list', command: 'state', args: ['-x', 'list'] },
    { line: 'nothing here', command: 'nothing', args: ['here'] },
  ])('of "$line" is $command', ({ line, command, args }) => {
    expect(read(line)).toMatchObject({ command, args, help: false, strayFlags: [] });
  });

  it('accepts -help before and after the command', () => {
    expect(read('-help plan').help).toBe(true);
    expect(read('plan --help').help).toBe(true);
    expect(read('plan -- -help').help).toBe(false);
  });

  it('must not have options of its own before it', () => {
    expect(read('-foo plan').strayFlags).toEqual(['-foo']);
  });
});

it('-version may be anywhere', () => {
  expect(asksVersion(['plan', '-v'])).toBe(true);
  expect(asksVersion(['plan', '-var', 'v'])).toBe(false);
});

describe('-chdir', () => {
  it('is taken out of the options before the command', () => {
    expect(takeChdir(['-chdir=a', 'plan'])).toEqual({ args: ['plan'], directory: 'a' });
    expect(takeChdir(['-x', '-chdir=a', 'plan'])).toEqual({ args: ['-x', 'plan'], directory: 'a' });
    expect(takeChdir(['plan', '-chdir=a'])).toEqual({ args: ['plan', '-chdir=a'] });
  });

  it.each([['-chdir', 'a'], ['-chdir=']])(
    'needs a directory behind an equals sign: %s',
    (...args) => {
      expect(takeChdir(args).error).toContain('must include an equals sign');
    },
  );
});

it('arguments of the environment come right behind the command', () => {
  expect(withExtraArgs(['state', 'list', '-x'], 'state list', '-id=1')).toEqual([
    'state',
    'list',
    '-id=1',
    '-x',
  ]);
  expect(withExtraArgs(['plan'], 'plan', undefined)).toEqual(['plan']);
  expect(withExtraArgs(['plan'], 'plan', `'`)).toBeUndefined();
});
