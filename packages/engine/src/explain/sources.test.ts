import { ROOT_INSTANCE } from '@terrane/addresses';
import { parseReference } from '@terrane/addresses';
import { number, type Path } from '@terrane/cty';
import { type Expression, variables } from '@terrane/hcl';
import { describe, expect, it } from 'vitest';
import { explainerOf, outline, ROOT, SampleProject } from './fixtures/sample-explainer.ts';
import { Sources } from './sources.ts';
import { nameOfStep } from './value-parts.ts';

const THING = 'resource "test_thing" "a" {\n  name = "new"\n}\n';

async function sourcesOf(
  files: string | Readonly<Record<string, string>>,
  values: Readonly<Record<string, string>> = {},
) {
  const project = new SampleProject(files, values);
  project.store({ 'test_thing.a': { id: 'i', name: 'old', size: 1 } });
  const { facts, worlds, local } = await explainerOf(project);
  return { sources: new Sources(facts, worlds), local };
}

const attr = (name: string): Path => [{ kind: 'attr', name }];

function referenceIn(expression: Expression) {
  const [traversal] = variables(expression);
  const reference = traversal && parseReference(traversal).reference;
  if (reference === undefined) throw new Error('no reference');
  return reference;
}

describe('the value of an expression', () => {
  it('is that of the stored objects before, and that of the planned objects after', async () => {
    const { sources, local } = await sourcesOf(`${THING}locals {\n  n = test_thing.a.name\n}\n`);
    expect(sources.before(local('n'), ROOT, [])?.asString()).toBe('old');
    expect(sources.after(local('n'), ROOT, [])?.asString()).toBe('new');
    expect(sources.concerns(local('n'), ROOT, [], 'changed')).toBe(true);
    expect(sources.concerns(local('n'), ROOT, [], 'unknown')).toBe(false);
  });

  it('is followed to a part of it', async () => {
    const { sources, local } = await sourcesOf(`locals {\n  o = { a = 1, b = 2 }\n}\n`);
    expect(sources.after(local('o'), ROOT, attr('b'))?.asInt()).toBe(2);
  });

  it('is text only if it is known and primitive', async () => {
    const { sources, local } = await sourcesOf('locals {\n  a = 5\n  b = [5]\n}\n');
    expect(sources.text(local('a'), ROOT)).toBe('5');
    expect(sources.text(local('b'), ROOT)).toBeUndefined();
  });
});

describe('the parts of a constructor', () => {
  const TEXT = 'locals {\n  o = { a = 1, b = [2, 3] }\n  l = [4, 5]\n  n = 6\n}\n';
  it.each([
    ['o', attr('a'), ['1']],
    ['o', [], ['1', '[2, 3]']],
    ['l', [{ kind: 'index', key: number(1) }], ['5']],
    ['l', [], ['4', '5']],
    ['n', [], undefined],
  ] as const)('of local.%s at %j', async (name, path, expected) => {
    const { sources, local } = await sourcesOf(TEXT);
    const parts = sources.parts(local(name), ROOT, path);
    expect(parts?.map(([expression]) => expression.range.text())).toEqual(expected);
  });
});

it('a conditional leads to the selected arm', async () => {
  const { sources, local } = await sourcesOf('locals {\n  c = true ? "yes" : "no"\n}\n');
  const expression = local('c');
  if (expression.kind !== 'conditional') throw new Error('no conditional');
  expect(sources.branchOf(expression, ROOT)?.range.text()).toBe('"yes"');
});

describe('a reference leads to the expression of', () => {
  const FILES = {
    'main.tf': `
locals {
  n = "text"
  to_local = local.n
  to_output = module.m.out
  to_resource = test_thing.a.name
}
module "m" {
  source = "./m"
  given = "argument"
}
${THING}`,
    'm/main.tf': 'variable "given" {}\noutput "out" {\n  value = var.given\n}\n',
  };

  it.each([
    ['to_local', 'local local.n "text"'],
    ['to_output', 'output module.m.out var.given'],
    ['to_resource', undefined],
  ])('local.%s', async (name, expected) => {
    const { sources, local } = await sourcesOf(FILES);
    const source = sources.sourceOf(referenceIn(local(name)), ROOT, []);
    expect(source && `${source.kind} ${source.address} ${source.expression.range.text()}`).toBe(
      expected,
    );
  });

  it('an argument of the module call, in the calling module', async () => {
    const { sources, local } = await sourcesOf(FILES);
    const output = sources.sourceOf(referenceIn(local('to_output')), ROOT, []);
    if (output === undefined) throw new Error('no output');
    const source = sources.sourceOf(referenceIn(output.expression), output.place, []);
    expect(source).toMatchObject({ kind: 'argument', address: 'module.m.var.given' });
    expect(source?.place.module).toBe(ROOT_INSTANCE);
    expect(source?.expression.range.text()).toBe('"argument"');
  });

  it('all outputs of a module', async () => {
    const { sources, local } = await sourcesOf({
      ...FILES,
      'more.tf': 'locals {\n  whole_module = module.m\n}\n',
    });
    const outputs = sources.outputsOf(referenceIn(local('whole_module')), ROOT, []);
    expect(outputs.map(({ address, steps }) => [address, steps.map(nameOfStep)])).toEqual([
      ['module.m.out', ['out']],
    ]);
  });
});

describe('a root variable', () => {
  const TEXT = 'variable "v" {\n  default = "d"\n}\n';
  it('is a cause with its origin', async () => {
    const { sources } = await sourcesOf(TEXT);
    const causes = sources.variable('v', [], undefined) ?? [];
    expect(outline(causes)).toBe('variable var.v');
    expect(causes[0]?.after?.asString()).toBe('d');
    expect(causes[0]?.origin?.source).toBe('default');
  });

  it('is none with the earlier value', async () => {
    const { sources, local } = await sourcesOf(`${TEXT}locals {\n  same = "d"\n}\n`);
    const earlier = sources.after(local('same'), ROOT, []);
    expect(sources.variable('v', [], earlier)).toBeUndefined();
    expect(sources.variable('missing', [], undefined)).toBeUndefined();
  });
});

it('the default of a module variable if an argument is not set', async () => {
  const { sources, local } = await sourcesOf({
    'main.tf': 'module "m" {\n  source = "./m"\n}\nlocals {\n  o = module.m.out\n}\n',
    'm/main.tf': 'variable "given" {\n  default = "d"\n}\noutput "out" {\n  value = var.given\n}\n',
  });
  const output = sources.sourceOf(referenceIn(local('o')), ROOT, []);
  if (output === undefined) throw new Error('no output');
  const causes = sources.missingArgument(
    referenceIn(output.expression),
    output.place,
    [],
    undefined,
  );
  expect(outline(causes ?? [])).toBe(
    'argument-removed? module.m.var.given.given, variable? module.m.var.given',
  );
});
