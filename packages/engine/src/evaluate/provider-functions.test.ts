import { ProviderSource } from '@terrane/addresses';
import {
  bool,
  DYNAMIC,
  list,
  NUMBER,
  number,
  str,
  STRING,
  tuple,
  unknownOf,
  type Value,
} from '@terrane/cty';
import { functionTable } from '@terrane/functions';
import {
  constantScope,
  type Diagnostic,
  errorDiagnostic,
  evaluate,
  parseExpression,
  type Scope,
  Source,
} from '@terrane/hcl';
import {
  type Awaitable,
  type CallAnswer,
  type CallRequest,
  enforceContract,
  type Provider,
  type ProviderSchema,
} from '@terrane/provider';
import { memoryHost } from '@terrane/testkit';
import { expect, it } from 'vitest';
import type { Module, Schemas } from '../config/model.ts';
import { ProviderSessions } from '../session/provider-sessions.ts';
import { type FunctionResult, FunctionResults } from './function-results.ts';
import { ProviderFunctions } from './provider-functions.ts';

const SOURCE = sourceOf('registry.terraform.io/hashicorp/test');

function sourceOf(text: string): ProviderSource {
  const source = ProviderSource.parse(text);
  if ('error' in source) throw new Error(text);
  return source;
}

const SCHEMA: ProviderSchema = {
  provider: { version: 0, block: { attributes: {}, blocks: {} } },
  resources: {},
  dataSources: {},
  ephemeralResources: {},
  functions: {
    next: { parameters: [{ name: 'n', type: NUMBER }], returns: NUMBER },
    any: { parameters: [{ name: 'v', type: DYNAMIC, allowNull: true }], returns: STRING },
    bold: { parameters: [{ name: 'v', type: STRING, allowUnknown: true }], returns: STRING },
  },
  capabilities: {},
};

type Call = (request: CallRequest) => Awaitable<CallAnswer>;

const next: Call = ({ args: [n] }) => {
  const input = n?.asInt() ?? 0;
  return input < 0
    ? { error: { message: 'must not be negative', argument: 0 } }
    : { result: number(input + 1) };
};
const later =
  (call: Call): Call =>
  async (request) => {
    await Promise.resolve();
    return await call(request);
  };

/** Functions of a provider that answers like this, and what was asked of it. */
function functionsOf(answer: Call, planned: readonly FunctionResult[] = []) {
  const calls: string[] = [];
  const unused = (): never => {
    throw new Error('not asked for');
  };
  const provider: Provider = {
    schema: () => SCHEMA,
    validateProviderConfig: unused,
    configure: unused,
    validateResourceConfig: unused,
    validateDataSourceConfig: unused,
    upgradeResourceState: unused,
    readResource: unused,
    planResourceChange: unused,
    applyResourceChange: unused,
    importResourceState: unused,
    readDataSource: unused,
    callFunction: (request) => {
      calls.push(`${request.name} ${request.args.map((arg) => arg.isKnown)}`);
      return answer(request);
    },
    stop: () => {},
    close: () => {},
  };
  const schemas: Schemas = { provider: () => SCHEMA, resource: () => undefined };
  const start = () => enforceContract(provider, SOURCE.text);
  const results = new FunctionResults(planned);
  const sessions = new ProviderSessions({ start }, schemas);
  const functions = new ProviderFunctions(sessions, schemas, results);
  const requiredProviders = new Map([['test', { source: SOURCE }]]);
  const module = { requiredProviders } as unknown as Module; // all that is asked of it
  const known = constantScope(
    { unknown: unknownOf(NUMBER), name: unknownOf(STRING) },
    functionTable(memoryHost(), { baseDir: '.', pure: true }),
  );
  const scope: Scope = {
    resolve: (traversal, diagnostics) => known.resolve(traversal, diagnostics),
    functionNamed: (name) => functions.find({ module }, name) ?? known.functionNamed(name),
    functionNames: () => known.functionNames(),
    rootNames: () => known.rootNames(),
  };
  const ask = (text: string): Awaitable<{ value: Value; details: readonly string[] }> => {
    const { expression } = parseExpression(new Source('x.tf', text));
    if (expression === undefined) throw new Error(text);
    const diagnostics: Diagnostic[] = [];
    const settled = functions.evaluate(diagnostics, (pass) =>
      evaluate(expression, scope, pass.diagnostics),
    );
    const answered = (value: Value) => ({
      value,
      details: diagnostics.map(({ detail }) => detail),
    });
    return settled instanceof Promise ? settled.then(answered) : answered(settled);
  };
  return { ask, calls, results, functions };
}

it('returns synchronous results immediately', () => {
  const { ask } = functionsOf(next);
  expect(ask('provider::test::next(1)')).toEqual({ value: number(2), details: [] });
});

it('waits for deferred responses, call after call and once for each argument', async () => {
  const { ask, calls } = functionsOf(later(next));
  const { value } = await ask(
    '[for n in [1, 2, 1] : provider::test::next(provider::test::next(n))]',
  );
  expect(value.rawEquals(tuple([number(3), number(4), number(3)]))).toBe(true);
  // 2 is asked for by the loop and by what 1 came to.
  expect(calls).toHaveLength(3);
});

it('discards diagnostics of passes without results', async () => {
  const { ask } = functionsOf(later(next));
  const text = '[for n in range(provider::test::next(0)) : n]';
  expect((await ask(`try(${text}, "no")`)).details).toEqual([]);
  const { details } = await ask('provider::test::next(-1) + true');
  // The conversion error is reported in both rounds. As in HCL 2.24, it precedes the errors of the operands.
  expect(details).toEqual([
    'Unsuitable value for right operand: number required.',
    expect.stringContaining('must not be negative'),
  ]);
});

it('leaves the choice of try and of conditions to the result', async () => {
  const { ask } = functionsOf(later(next));
  expect((await ask('try(provider::test::next(-1), "refused")')).value).toEqual(str('refused'));
  expect((await ask('can(provider::test::next(-1))')).value).toBe(bool(false));
  const { value } = await ask('provider::test::next(0) == 1 ? "one" : provider::test::next(-1)');
  expect(value.rawEquals(str('one'))).toBe(true);
});

it('makes no call with unknown arguments, unless the provider accepts them', async () => {
  const bold: Call = () => ({ result: str('b') });
  const { ask, calls } = functionsOf(later(bold));
  expect((await ask('provider::test::next(unknown)')).value.isKnown).toBe(false);
  expect((await ask('provider::test::any([1, unknown])')).value.isKnown).toBe(false);
  expect(calls).toEqual([]);
  expect((await ask('provider::test::bold(name)')).value.rawEquals(str('b'))).toBe(true);
  expect(calls).toEqual(['bold false']);
  expect((await ask('provider::test::any(null)')).value.rawEquals(str('b'))).toBe(true);
});

it.each([
  ['at once', (call: Call) => call],
  ['later', later],
])('refuses a function that gives something else the next time, %s', async (_, when) => {
  let n = 0;
  const { ask } = functionsOf(when(() => ({ result: number(n++) })));
  expect((await ask('provider::test::next(1)')).details).toEqual([]);
  expect((await ask('provider::test::next(2)')).details).toEqual([]);
  expect((await ask('provider::test::next(1)')).details).toEqual([
    'Call to function "provider::test::next" failed: provider function returned an inconsistent result,\nwas: cty.NumberIntVal(0),\nnow: cty.NumberIntVal(2).',
  ]);
});

it('compares the results of an apply with those of the plan by hash', async () => {
  const { ask, results } = functionsOf(later(next));
  await ask('[provider::test::next(1), provider::test::next(2)]');
  const planned = results.all();
  expect(planned).toHaveLength(2);
  const same = functionsOf(later(next), planned);
  expect((await same.ask('provider::test::next(1)')).details).toEqual([]);
  const other = functionsOf(
    later(() => ({ result: number(0) })),
    planned,
  );
  expect((await other.ask('provider::test::next(1)')).details).toEqual([
    'Call to function "provider::test::next" failed: provider function returned an inconsistent result.',
  ]);
  expect((await other.ask('provider::test::next(7)')).details).toEqual([]);
});

it('distinguishes values with equal text', () => {
  const results = new FunctionResults();
  const keys = [[str('1')], [number(1)], [list(NUMBER, [number(1)])], [tuple([number(1)])], []].map(
    (args) => results.key(SOURCE.text, 'any', args),
  );
  expect(new Set(keys).size).toBe(keys.length);
});

it('evaluates the enclosing expression again', async () => {
  const { ask, functions } = functionsOf(later(next));
  const diagnostics: Diagnostic[] = [];
  let passes = 0;
  const value = functions.evaluate(diagnostics, () => {
    passes++;
    const inner = ask('provider::test::next(4)');
    return inner instanceof Promise ? undefined : inner.value;
  });
  expect((await value)?.rawEquals(number(5))).toBe(true);
  expect(passes).toBe(2);
});

it('lets the diagnostics and effects of the last pass happen, once', async () => {
  const { ask, functions } = functionsOf(later(next));
  const diagnostics: Diagnostic[] = [];
  const effects: number[] = [];
  let passes = 0;
  await functions.evaluate(diagnostics, (pass) => {
    const number = ++passes;
    pass.commit(() => effects.push(number));
    pass.diagnostics.push(errorDiagnostic(`pass ${number}`, ''));
    void ask('provider::test::next(1)');
  });
  expect(passes).toBe(2);
  expect(effects).toEqual([2]);
  expect(diagnostics.map(({ summary }) => summary)).toEqual(['pass 2']);
});
