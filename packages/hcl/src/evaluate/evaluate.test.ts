import { list, map, number, object, STRING, str, tuple, unknownOf, type Value } from '@terrane/cty';
import { describe, expect, it } from 'vitest';
import type { Diagnostic, Resolution, Scope, Traversal } from '../model.ts';
import { Source } from '../source/source.ts';
import { parseExpression } from '../syntax/parse.ts';
import { sampleScope } from '../testing/sample-scope.ts';
import { showValue } from '../testing/show-value.ts';
import { observeEvaluation } from './effort.ts';
import { evaluate } from './evaluate.ts';
import { childScope, constantScope } from './scope.ts';
import { diagnosticSnippet } from '../diagnostic/snippet.ts';

function run(text: string, scope: Scope | undefined, diagnostics: Diagnostic[] = []): Value {
  const { expression } = parseExpression(new Source('f', text));
  return evaluate(expression!, scope, diagnostics);
}

describe('without a scope', () => {
  it.each([
    ['[1, "a", { b = null }]', []],
    ['[for x in [1, 2] : x * 2]', []],
    ['a.b', ['Variables not allowed']],
    ['[for x in [1] : y]', ['Unknown variable']],
    ['upper("a")', ['Function calls not allowed']],
    ['[for x in [1] : upper(x)]', ['Function calls not allowed']],
  ])('%s', (text, summaries) => {
    const diagnostics: Diagnostic[] = [];
    run(text, undefined, diagnostics);
    expect(diagnostics.map((d) => d.summary)).toEqual(summaries);
  });
});

describe('the observer of evaluations', () => {
  const many = tuple(Array.from({ length: 20_000 }, (_, i) => number(i)));
  const scope = childScope(sampleScope, new Map([['many', many]]));

  it.each([
    ['[for x in many : x]', 4],
    ['{ for x in many : "${x}" => x }', 4],
    ['[for x in many : x if x % 2 == 0]', 4],
    ['many[*]', 1],
    ['length(many)', 1],
    ['[for x in [for y in many : [y]] : x[0]]', 9],
    ['[for x in many : [for y in [x, x] : y]]', 14],
    ['1 + 1', 0],
  ])('sees %s', (text, calls) => {
    let seen = 0;
    observeEvaluation(() => seen++);
    try {
      run(text, scope);
    } finally {
      observeEvaluation(undefined);
    }
    expect(seen).toBeGreaterThanOrEqual(calls - 1);
    expect(seen).toBeLessThanOrEqual(calls + 1);
    if (calls > 0) expect(seen).toBeGreaterThan(0);
  });

  it('ends an evaluation by an error', () => {
    observeEvaluation(() => {
      throw new Error('ended');
    });
    try {
      expect(() => run('[for x in many : x]', scope)).toThrow('ended');
    } finally {
      observeEvaluation(undefined);
    }
  });
});

describe('a template', () => {
  const scope = constantScope({
    accent: str('\u0301'),
    long: str('a'.repeat(2 ** 25)),
    later: unknownOf(STRING),
  });

  it('is normalised as a whole', () => {
    expect(run('"e${accent}x"', scope).asString()).toBe('éx');
  });

  it('has a limit', () => {
    const diagnostics: Diagnostic[] = [];
    expect(run('"${long}${long}b"', scope, diagnostics).isKnown).toBe(false);
    expect(diagnostics.map((d) => d.detail)).toEqual([
      'The value of this expression cannot be computed: the text would be longer than 67108864 characters.',
    ]);
  });

  it('beyond the limit has a prefix', () => {
    const result = run('"b${long}${long}${long}${later}"', scope);
    expect(result.refinement?.prefix).toBe(`b${'a'.repeat(126)}`);
  });
});

describe('a scope that resolves paths', () => {
  const asked: string[] = [];
  const scope: Scope = {
    resolve(traversal: Traversal): Resolution | undefined {
      const names = traversal.steps.map((step) => ('name' in step ? step.name : '[]'));
      asked.push(names.join('.'));
      return names[0] === 'aws' && names.length >= 2
        ? { value: object({ id: str('i-1'), n: number(3) }), consumed: 2 }
        : undefined;
    },
    functionNamed: () => undefined,
    functionNames: () => [],
    rootNames: () => ['aws'],
  };

  it('has the remaining steps applied to its result', () => {
    expect(showValue(run('aws.web.id', scope))).toBe('cty.StringVal("i-1")');
    expect(asked).toEqual(['aws.web.id']);
  });

  it('is not used for names that a loop binds', () => {
    asked.length = 0;
    expect(showValue(run('[for aws in [1] : aws]', scope))).toContain('NumberIntVal(1)');
    expect(asked).toEqual([]);
  });

  it('is used by inner scopes', () => {
    const inner = childScope(scope, new Map([['each', object({ key: str('k') })]]));
    expect(showValue(run('"${each.key}-${aws.web.n}"', inner))).toBe('cty.StringVal("k-3")');
  });

  it('has its names suggested', () => {
    const diagnostics: Diagnostic[] = [];
    run('awz.web', scope, diagnostics);
    expect(diagnostics[0]?.detail).toBe('There is no variable named "awz". Did you mean "aws"?');
  });
});

describe('an index that no value has', () => {
  it.each([
    ['a sensitive map', map(STRING, new Map([['a', str('x')]])).mark('sensitive'), '"b"'],
    ['an ephemeral map', map(STRING, new Map([['a', str('x')]])).mark('ephemeral'), '"b"'],
    ['a sensitive list', list(STRING, [str('x')]).mark('sensitive'), '1'],
    ['an ephemeral tuple', tuple([str('x')]).mark('ephemeral'), '1'],
  ])('of %s is an error that does not disclose the value', (_, value, key) => {
    const diagnostics: Diagnostic[] = [];
    run(`v[${key}]`, constantScope({ v: value }), diagnostics);
    expect(diagnostics.map((d) => `${d.summary}: ${d.detail}`)).toEqual([
      'Invalid index: The given key does not identify an element in this collection value.',
    ]);
  });
});

describe('diagnostics in loops', () => {
  it('keep the values of the element that failed', () => {
    const diagnostics: Diagnostic[] = [];
    run('[for x in [{ a = 1 }, { a = "two" }, { a = 3 }] : x.a + 1]', sampleScope, diagnostics);
    expect(diagnostics).toHaveLength(1);
    expect(diagnosticSnippet(diagnostics[0]!)?.values).toEqual([
      { traversal: 'x.a', statement: 'is "two"' },
    ]);
  });

  it('are available for each element, with nested loops kept apart', () => {
    const diagnostics: Diagnostic[] = [];
    const text = '[for x in [{ a = "p" }, { a = "q" }] : [for y in [{ b = 1 }] : x.a + y.b]]';
    run(text, sampleScope, diagnostics);
    const shown = diagnostics.map((d) => diagnosticSnippet(d)?.values[0]?.statement);
    expect(shown).toEqual(['is "p"', 'is "q"']);
  });
});

describe('splats', () => {
  it('inside splats each see their own element', () => {
    const scope = constantScope({
      a: object({ b: number(1) }),
    });
    const text = '[{ n = [{ k = 1 }, { k = 2 }] }, { n = [] }][*].n[*].k';
    expect(showValue(run(text, scope))).toBe(
      'cty.TupleVal([]cty.Value{cty.TupleVal([]cty.Value{cty.NumberIntVal(1), cty.NumberIntVal(2)}), cty.EmptyTupleVal})',
    );
  });

  it('may have loops in their keys', () => {
    const text = '[["a", "b"], ["c", "d"]][*][[for i in [1] : i][0]]';
    expect(showValue(run(text, sampleScope))).toBe(
      'cty.TupleVal([]cty.Value{cty.StringVal("b"), cty.StringVal("d")})',
    );
  });
});
