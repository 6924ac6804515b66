import { attrStep, indexStep, number, type Path, str } from '@terrane/cty';
import { parseNative, Source } from '@terrane/hcl';
import { describe, expect, it } from 'vitest';
import { diagnosticsOf, rangeAt } from './provider-diagnostics.ts';

const TEXT = `list = ["first", "second"]
map  = { "k" = "v", other = lookup(x) }
call = concat([], [])
block {
  name = "one"
}
block {
  name = "two"
}
keyed "a" {
  name = "three"
}
`;
const { body } = parseNative(new Source('main.tf', TEXT));

function at(...steps: readonly (string | number | { readonly key: string })[]): Path {
  return steps.map((step) => {
    if (typeof step === 'string') return attrStep(step);
    return indexStep(typeof step === 'number' ? number(step) : str(step.key));
  });
}

// The rules of Terraform's attribute diagnostics.
describe('where a path of a provider points', () => {
  it.each<[Path, string]>([
    [at('list'), '["first", "second"]'],
    [at('list', 1), '"second"'],
    [at('list', 2), 'list'],
    [at('call', 0), 'concat([], [])'],
    [at('map', { key: 'other' }), 'lookup('],
    [at('map', { key: 'absent' }), 'map'],
    [at('block', 1, 'name'), '"two"'],
    [at('keyed', { key: 'a' }, 'name'), '"three"'],
  ])('%#', (path, expected) => {
    const { start, end } = rangeAt(body, path);
    expect(TEXT.slice(start, end)).toBe(expected);
  });

  it.each<[Path]>([[at('absent')], [at(0)], [at('block', 'name')], [at('block', 7, 'name')]])(
    'and where it does not, the place where something is missing',
    (path) => {
      expect(`${rangeAt(body, path)}`).toBe(`${body.missingItemRange}`);
    },
  );
});

describe('provider diagnostics without a path', () => {
  const reported = [
    { severity: 'error', summary: 'no', detail: 'x.a was meant', sourceless: true },
    { severity: 'error', summary: 'no', detail: '', sourceless: true },
  ] as const;

  it('names no object where the configuration has one', () => {
    expect(diagnosticsOf(reported, { body, address: 'x.a' }).map((each) => each.address)).toEqual([
      undefined,
      undefined,
    ]);
  });

  it('names the object that is destroyed, unless it does so itself', () => {
    expect(diagnosticsOf(reported, { address: 'x.a' }).map((each) => each.address)).toEqual([
      undefined,
      'x.a',
    ]);
  });
});
