import { afterEach, describe, expect, it } from 'vitest';
import { programCommand, setProgramName } from './program-name.ts';

afterEach(() => setProgramName('terrane'));

describe('commands in messages', () => {
  it('begin with the name of the program', () => {
    expect(programCommand('init -upgrade')).toBe('terrane init -upgrade');
  });

  it.each(['terraform', 'tofu'] as const)('begin with %s where it is called so', (name) => {
    setProgramName(name);
    expect(programCommand('init')).toBe(`${name} init`);
  });
});
