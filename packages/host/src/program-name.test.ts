import { afterEach, describe, expect, it } from 'vitest';
import { inProductName, programCommand, setProgramName } from './program-name.ts';

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

describe('inProductName', () => {
  const text = 'changed outside of Terraform since the last "terraform apply"';

  it.each(['terrane', 'terraform'] as const)('keeps the text for %s', (name) => {
    setProgramName(name);
    expect(inProductName(text)).toBe(text);
  });

  it('names OpenTofu for tofu', () => {
    setProgramName('tofu');
    expect(inProductName(text)).toBe('changed outside of OpenTofu since the last "tofu apply"');
  });
});
