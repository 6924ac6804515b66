import { describe, expect, it } from 'vitest';
import { takeViewFlags } from './view-flags.ts';

const HAS = { flags: { 'show-sensitive': { kind: 'bool', initial: false } } } as const;

describe('options of the view', () => {
  it('may stand anywhere, with one dash or two', () => {
    const { rest, options } = takeViewFlags(['-out', 'p', '--no-color', 'x', '-concise'], HAS);
    expect(rest).toStrictEqual(['-out', 'p', 'x']);
    expect(options).toMatchObject({ noColor: true, concise: true, compactWarnings: false });
  });

  it('take a bool', () => {
    const { rest, options } = takeViewFlags(
      ['-consolidate-warnings=false', '-consolidate-errors=1', '-concise=maybe'],
      HAS,
    );
    expect(rest).toStrictEqual(['-concise=maybe']);
    expect(options).toMatchObject({
      consolidateWarnings: false,
      consolidateErrors: true,
      concise: false,
    });
  });

  it('are left to the command where it does not show secrets', () => {
    const args = ['-show-sensitive'];
    expect(takeViewFlags(args, HAS).options.showSensitive).toBe(true);
    expect(takeViewFlags(args, {}).rest).toStrictEqual(args);
  });
});
