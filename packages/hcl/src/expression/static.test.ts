import { describe, expect, it } from 'vitest';
import { jsonExpression } from '../json/json-expression.ts';
import { parseJsonValue } from '../json/json-parser.ts';
import type { Expression } from '../model.ts';
import { traversalText } from '../diagnostic/compact-value.ts';
import { Source } from '../source/source.ts';
import { parseExpression } from '../syntax/parse.ts';
import { functionCalls, variables } from './references.ts';
import { asCall, asKeyword, asList, asMap, asRelativeTraversal, asTraversal } from './static.ts';

function native(text: string): Expression {
  return parseExpression(new Source('f', text)).expression!;
}

function json(text: string): Expression {
  return jsonExpression(parseJsonValue(new Source('f.json', text)).node);
}

function text(expression: Expression): string | undefined {
  const traversal = asTraversal(expression);
  return traversal === undefined ? undefined : traversalText(traversal);
}

describe('asTraversal', () => {
  it.each([
    [native('a.b[0]["c"].d'), 'a.b[0]["c"].d'],
    [native('a.0.b'), 'a[0].b'],
    [native('true'), 'true'],
    [native('null'), 'null'],
    [native('(a.b)'), undefined],
    [native('"a.b"'), undefined],
    [native('"${a.b}"'), undefined],
    [native('a[b]'), undefined],
    [native('a[*].b'), undefined],
    [native('1'), undefined],
    [json('"a.b[0]"'), 'a.b[0]'],
    [json('"${a.b}"'), undefined],
    [json('1'), undefined],
  ])('%#', (expression, expected) => {
    expect(text(expression)).toBe(expected);
  });

  it('makes the root an attribute if a relative traversal is requested', () => {
    const traversal = asRelativeTraversal(native('tags["a"]'));
    expect(traversal?.steps.map((step) => step.kind)).toEqual(['attr', 'index']);
  });
});

describe('asKeyword', () => {
  it.each([
    [native('all'), 'all'],
    [native('a.b'), undefined],
    [native('"all"'), undefined],
    [json('"all"'), 'all'],
    [json('"a b"'), undefined],
  ])('%#', (expression, expected) => {
    expect(asKeyword(expression)).toBe(expected);
  });
});

describe('asList, asMap and asCall', () => {
  it('take constructors and calls apart', () => {
    expect(asList(native('[a, b]'))?.map(text)).toEqual(['a', 'b']);
    expect(asList(json('["a", "b.c"]'))?.map(text)).toEqual(['a', 'b.c']);
    expect(asList(native('foo([])'))).toBeUndefined();
    expect(asMap(native('{ a = b }'))?.map(({ value }) => text(value))).toEqual(['b']);
    expect(asMap(json('{ "a": "b" }'))?.map(({ key }) => asKeyword(key))).toEqual(['a']);
    expect(asCall(native('f(a, b)'))?.args.map(text)).toEqual(['a', 'b']);
    expect(asCall(json('"f(a)"'))?.name).toBe('f');
    expect(asCall(native('"f(a)"'))).toBeUndefined();
  });
});

describe('variables', () => {
  it.each([
    ['a.b + c', ['a.b', 'c']],
    ['[for x in a.b : x.y + z if w]', ['a.b', 'z', 'w']],
    ['{for k, v in k : k => [for v in v : v]}', ['k']],
    ['{ a = b, (c) = d, "${e}" = f, g.h = i }', ['b', 'c', 'd', 'e', 'f', 'g.h', 'i']],
    ['a[b].c[*].d[e]', ['a', 'b', 'e']],
    ['"%{ for x in a }${x}${b}%{ endfor }"', ['a', 'b']],
    ['1 + upper("x")', []],
  ])('of %s', (source, expected) => {
    const expression = native(source);
    const traversals = variables(expression);
    expect(traversals.map(traversalText)).toEqual(expected);
    expect(variables(expression)).toBe(traversals);
  });

  it('of JSON are those in its strings, also in names', () => {
    const traversals = variables(json('{"${a.b}": ["x ${c}", {"d": "%{ if e }%{ endif }"}]}'));
    expect(traversals.map(traversalText)).toEqual(['a.b', 'c', 'e']);
  });
});

describe('functionCalls', () => {
  it('finds nested and namespaced ones', () => {
    const calls = functionCalls(native('a(b(1), "${provider::c::d()}")'));
    expect(calls.map((call) => call.name)).toEqual(['a', 'b', 'provider::c::d']);
    expect(calls[2]?.range.text()).toBe('provider::c::d');
  });
});
