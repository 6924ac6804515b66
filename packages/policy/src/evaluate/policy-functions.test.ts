import {
  integer,
  list,
  nullOf,
  object,
  str,
  STRING,
  tuple,
  unknownOf,
  type Value,
} from '@terrane/cty';
import { constantScope, evaluate, parseExpression, Source } from '@terrane/hcl';
import { memoryHost } from '@terrane/testkit';
import { loadFunctionLibraries } from '@terrane/functions';
import { beforeAll, describe, expect, it } from 'vitest';
import { PendingRequests, policyFunctions } from './policy-functions.ts';
import { LanguageFunctions } from './policy-set.ts';
import { type PolicyWorld, ResourceSet } from './world.ts';

beforeAll(() => loadFunctionLibraries());

const OBJECTS: readonly Value[] = [
  object({ id: str('a'), parent: str('p'), size: integer(1) }),
  object({ id: str('b'), parent: str('p').mark('sensitive'), size: integer(2) }),
  object({ id: str('c'), parent: unknownOf(STRING), size: integer(3) }),
  object({ id: str('d'), parent: nullOf(STRING), size: integer(4) }),
];

const WORLD: PolicyWorld = { resourcesOf: (type) => new ResourceSet(type === 't' ? OBJECTS : []) };

/** Evaluates an expression; the summary of the first error if there is one. */
function value(text: string, world: PolicyWorld = WORLD): Value | string {
  const language = new LanguageFunctions(memoryHost()).tableFor('a.policy.hcl');
  const own = policyFunctions(language, world, new PendingRequests());
  const scope = constantScope(
    { known: str('k'), unknown: unknownOf(STRING), secret: str('s').mark('sensitive') },
    new Map([...language, ...own]),
  );
  const { expression } = parseExpression(new Source('x', text));
  const diagnostics: Parameters<typeof evaluate>[2] = [];
  if (expression === undefined) throw new Error(text);
  const result = evaluate(expression, scope, diagnostics);
  return diagnostics[0]?.detail ?? result;
}

describe('getresources', () => {
  const ids = (text: string): unknown => {
    const result = value(`[for each in ${text} : each.id]`);
    return typeof result === 'string' ? result : result.elements().map((each) => each.asString());
  };

  it('returns all objects of a type for an empty or absent filter', () => {
    for (const filter of ['', ', {}', ', null'])
      expect(ids(`core::getresources("t"${filter})`)).toEqual(['a', 'b', 'c', 'd']);
    expect(ids('core::getresources("other", {})')).toEqual([]);
  });

  it('compares attributes with their types', () => {
    expect(ids('core::getresources("t", { size = 2 })')).toEqual(['b']);
    expect(ids('core::getresources("t", { size = "2" })')).toEqual([]);
    expect(ids('core::getresources("t", { absent = 1 })')).toEqual([]);
    expect(ids('core::getresources("t", { parent = null, size = 4 })')).toEqual(['d']);
    expect(ids('core::getresources("t", { parent = "p", size = 2 })')).toEqual(['b']);
  });

  it('is an unknown list with bounds if unknown values decide', () => {
    const matched = value('core::getresources("t", { parent = "p" })') as Value;
    expect(matched.isKnown).toBe(false);
    expect(matched.refinement).toMatchObject({ minLength: 2, maxLength: 3 });
    expect(value('core::length(core::getresources("t", { parent = "p" })) > 1')).toMatchObject({
      payload: true,
    });
    expect(
      (value('core::length(core::getresources("t", { parent = unknown })) > 0') as Value).isKnown,
    ).toBe(false);
    expect(
      value('core::length(core::getresources("t", { parent = unknown, size = 9 }))'),
    ).toMatchObject({
      payload: 0,
    });
  });

  it('has no upper bound while changes are deferred', () => {
    const world: PolicyWorld = { resourcesOf: () => new ResourceSet(OBJECTS, true) };
    const result = value('core::getresources("t", { size = 1 })', world) as Value;
    expect(result.refinement).toMatchObject({ minLength: 1 });
    expect(result.refinement?.maxLength ?? Infinity).toBe(Infinity);
  });

  it('finds objects by sensitive values', () => {
    expect(ids('core::getresources("t", { id = core::sensitive("b") })')).toEqual(['b']);
  });
});

describe('other functions', () => {
  it.each([
    ['core::semverconstraint("4.67.2", "~> 4.67.0")', 'true'],
    ['core::semverconstraint("5.0.0", ">= 4.0.0, < 5.0.0")', 'false'],
    ['core::semvercmp("1.10.0", "1.9.0")', '1'],
    ['core::contains_substring("abc", "b")', 'true'],
    ['core::regex_match("i-123", "^i-[0-9]+$")', 'true'],
    ['core::valuetostring(12)', '12'],
    ['core::valuetostring(null)', '(null)'],
    ['core::valuetostring(unknown)', '(unknown)'],
    ['core::valuetostring([1, { a = "x" }])', '[\n  1,\n  {\n    "a": "x"\n  }\n]'],
  ])('%s', (text, expected) => {
    expect(value(`core::tostring(${text})`)).toEqual(str(expected));
  });

  it('rejects malformed versions and constraints', () => {
    expect(value('core::semverconstraint("x", ">= 1.0.0")')).toContain('malformed version: x');
    expect(value('core::semverconstraint("1.0.0", "about 1")')).toContain(
      'Invalid value for "constraint"',
    );
  });

  it('reports lookups that the evaluation does not support', () => {
    expect(value('core::getdatasource("t", {})')).toContain('data sources cannot be read');
    expect(value('core::gethttprequest("http://x", {})')).toContain('HTTP requests cannot be sent');
  });

  it('keeps marks of arguments', () => {
    expect((value('core::contains_substring(secret, "s")') as Value).hasMark('sensitive')).toBe(
      true,
    );
    expect(
      value('core::length(core::getresources("t", { size = core::sensitive(1) }))'),
    ).toBeDefined();
  });

  it('returns lists of one type and tuples of several', () => {
    const world: PolicyWorld = {
      resourcesOf: () => new ResourceSet([object({ a: str('x') }), object({ b: str('y') })]),
    };
    expect(value('core::getresources("t", {})', world)).toEqual(
      tuple([object({ a: str('x') }), object({ b: str('y') })]),
    );
    const same: PolicyWorld = { resourcesOf: () => new ResourceSet([object({ a: str('x') })]) };
    const expected = object({ a: str('x') });
    expect(value('core::getresources("t", {})', same)).toEqual(list(expected.type, [expected]));
  });
});
