import { parseInstanceAddr, parseTarget } from '@terrane/addresses';
import { STRING } from '@terrane/cty';
import type { ProviderSchema, Schema } from '@terrane/provider';
import { memoryHost } from '@terrane/testkit';
import { loadConfiguration } from '../config/load.ts';
import type { Schemas } from '../config/model.ts';
import type { ResourceNode } from '../evaluate/node.ts';
import { buildProgram, nodeKey, type Program } from '../evaluate/program.ts';
import { configAddr, createBeforeDestroyNodes, DependencyIndex } from '../evaluate/dependencies.ts';
import { describe, expect, it } from 'vitest';
import { type Targeting, targetingOf } from './targets.ts';

const TYPE: Schema = {
  version: 0,
  block: {
    attributes: { name: { type: STRING, optional: true }, id: { type: STRING, computed: true } },
    blocks: {},
  },
};
const PROVIDER: ProviderSchema = {
  provider: {
    version: 0,
    block: { attributes: { region: { type: STRING, optional: true } }, blocks: {} },
  },
  resources: {},
  dataSources: {},
  ephemeralResources: {},
  functions: {},
  capabilities: {},
};
const SCHEMAS: Schemas = { provider: () => PROVIDER, resource: () => TYPE };

interface Project {
  readonly program: Program;
  readonly index: DependencyIndex;
  readonly node: (text: string) => ResourceNode;
}

async function projectOf(main: string, module = ''): Promise<Project> {
  const host = memoryHost();
  await host.files.makeDirectory('/project/m');
  await host.files.writeFile('/project/main.tf', main);
  await host.files.writeFile('/project/m/main.tf', module);
  const { configuration, diagnostics } = loadConfiguration(host.files, '.');
  expect(diagnostics.map((diagnostic) => diagnostic.summary)).toEqual([]);
  if (configuration === undefined) throw new Error('no configuration');
  const { program } = buildProgram(configuration, SCHEMAS);
  if (program === undefined) throw new Error('no program');
  const index = new DependencyIndex(program);
  const node = (text: string): ResourceNode => {
    const resourceNode = index.node(text);
    if (resourceNode === undefined) throw new Error(`no ${text}`);
    return resourceNode;
  };
  return { program, index, node };
}

const thing = (name: string, body = ''): string =>
  `resource "test_thing" "${name}" {\n  ${body}\n}\n`;
const lookup = (name: string, body = ''): string =>
  `data "test_lookup" "${name}" {\n  ${body}\n}\n`;
const call = (body: string): string => `module "m" {\n  source = "./m"\n  ${body}\n}\n`;
const FIRST = 'lifecycle {\n    create_before_destroy = true\n  }';

describe('the dependencies of a resource', () => {
  it('is all that it refers to, near and far, sorted, and not itself', async () => {
    const { index, node } = await projectOf(
      `${thing('a', 'name = local.l')}locals {\n  l = test_thing.c.id\n}\n${thing('c', 'name = test_thing.b.id')}${thing('b')}`,
    );
    expect(index.of(node('test_thing.a'))).toEqual(['test_thing.b', 'test_thing.c']);
    expect(index.of(node('test_thing.b'))).toEqual([]);
    expect(index.of(node('test_thing.a'))).toBe(index.of(node('test_thing.a')));
  });

  it.each([
    ['count', 'count = length(test_thing.b.id)'],
    ['for_each', 'for_each = toset([test_thing.b.id])'],
    ['depends_on', 'depends_on = [test_thing.b]'],
    ['replace_triggered_by', 'lifecycle {\n    replace_triggered_by = [test_thing.b]\n  }'],
    [
      'a condition',
      'lifecycle {\n    precondition {\n      condition = test_thing.b.id != ""\n      error_message = "m"\n    }\n  }',
    ],
  ])('may come from %s', async (_what, body) => {
    const { index, node } = await projectOf(thing('a', body) + thing('b'));
    expect(index.of(node('test_thing.a'))).toEqual(['test_thing.b']);
  });

  it('includes the configuration of its provider', async () => {
    const { index, node } = await projectOf(
      `provider "test" {\n  region = other_thing.r.id\n}\n${thing('a')}resource "other_thing" "r" {}\n`,
    );
    expect(index.of(node('test_thing.a'))).toEqual(['other_thing.r']);
  });

  it('pass through modules by their variables and outputs', async () => {
    const { index, node } = await projectOf(
      `${thing('in')}${thing('unused')}${call('in = test_thing.in.id\n  other = test_thing.unused.id')}${thing('out', 'name = module.m.out')}`,
      `variable "in" {}\nvariable "other" {}\n${thing('inner', 'name = var.in')}${thing('apart')}output "out" {\n  value = test_thing.inner.id\n}\n`,
    );
    expect(index.of(node('test_thing.out'))).toEqual([
      'module.m.test_thing.inner',
      'test_thing.in',
    ]);
    expect(index.of(node('module.m.test_thing.apart'))).toEqual([]);
  });

  it('is everything in a module that depends_on names', async () => {
    const { index, node } = await projectOf(
      call('') + thing('out', 'depends_on = [module.m]'),
      thing('x') + thing('y'),
    );
    expect(index.of(node('test_thing.out'))).toEqual([
      'module.m.test_thing.x',
      'module.m.test_thing.y',
    ]);
  });
});

describe('the dependencies that a data source waits for', () => {
  const awaited = async (
    main: string,
    module?: string,
    text = 'data.test_lookup.l',
  ): Promise<readonly string[]> => {
    const { index, node } = await projectOf(main, module);
    return index
      .awaitedBy(node(text))
      .map((addr) => addr.text)
      .sort();
  };

  it('are also dependencies of its instances', async () => {
    const main = thing('a') + `data "test_lookup" "l" { for_each = toset([test_thing.a.id]) }`;
    expect(await awaited(main)).toEqual(['test_thing.a']);
  });

  it('are its own references, not indirect ones', async () => {
    expect(
      await awaited(
        thing('a') + thing('b', 'name = test_thing.a.id') + lookup('l', 'name = test_thing.b.id'),
      ),
    ).toEqual(['test_thing.b']);
    expect(
      await awaited(
        `${thing('a')}locals {\n  l = test_thing.a.id\n}\n${lookup('l', 'name = local.l')}`,
      ),
    ).toEqual([]);
  });

  it('include depends_on, of its own and of the enclosing modules', async () => {
    expect(await awaited(thing('a') + lookup('l', 'depends_on = [test_thing.a]'))).toEqual([
      'test_thing.a',
    ]);
    expect(
      await awaited(
        thing('a') + call('depends_on = [test_thing.a]'),
        lookup('l'),
        'module.m.data.test_lookup.l',
      ),
    ).toEqual(['test_thing.a']);
    expect(
      await awaited(call('') + lookup('l', 'depends_on = [module.m]'), thing('x') + thing('y')),
    ).toEqual(['module.m.test_thing.x', 'module.m.test_thing.y']);
  });

  it('is everything, near and far, where it has conditions', async () => {
    const condition =
      'lifecycle {\n    postcondition {\n      condition = self.id != ""\n      error_message = "m"\n    }\n  }';
    expect(
      await awaited(
        thing('a') +
          thing('b', 'name = test_thing.a.id') +
          lookup('l', `name = test_thing.b.id\n  ${condition}`),
      ),
    ).toEqual(['test_thing.a', 'test_thing.b']);
  });

  it('is never another data source', async () => {
    expect(await awaited(lookup('k') + lookup('l', 'name = data.test_lookup.k.id'))).toEqual([]);
  });
});

describe('creating before destroying', () => {
  const chosen = async (main: string, module?: string): Promise<readonly string[]> => {
    const { index } = await projectOf(main, module);
    return [...createBeforeDestroyNodes(index)].map((node) => configAddr(node).text).sort();
  };

  it('spreads to all that builds it, and to nothing that builds on it', async () => {
    const main =
      thing('a') +
      thing('b', 'name = test_thing.a.id') +
      thing('c', `name = test_thing.b.id\n  ${FIRST}`) +
      thing('d', 'name = test_thing.c.id');
    expect(await chosen(main)).toEqual(['test_thing.a', 'test_thing.b', 'test_thing.c']);
  });

  it('includes data sources and modules, and is unaffected by false', async () => {
    const main =
      thing('a') +
      lookup('l', 'name = test_thing.a.id') +
      call('in = data.test_lookup.l.id') +
      thing('no', FIRST.replace('true', 'false'));
    expect(
      await chosen(main, `variable "in" {}\n${thing('x', `name = var.in\n  ${FIRST}`)}`),
    ).toEqual(['module.m.test_thing.x', 'test_thing.a']);
  });
});

describe('targets', () => {
  const MAIN =
    thing('a') +
    thing('b', 'name = local.b') +
    'locals {\n  b = test_thing.a.id\n  unused = test_thing.c.id\n}\n' +
    thing('c', 'count = 2') +
    call('in = test_thing.a.id') +
    ['b', 'c'].map((name) => `output "${name}" {\n  value = test_thing.${name}\n}\n`).join('') +
    'output "both" {\n  value = [test_thing.b.id, test_thing.c[0].id]\n}\noutput "none" {\n  value = 1\n}\n';
  const MODULE = `variable "in" {}\n${thing('x', 'name = var.in')}${thing('y')}`;

  async function targeting(
    ...texts: string[]
  ): Promise<{ readonly targeting: Targeting; readonly included: readonly string[] }> {
    const { program, index } = await projectOf(MAIN, MODULE);
    const targets = texts.flatMap((text) => parseTarget(text).target ?? []);
    const selection = targetingOf(targets, program, index);
    const included = program.nodes
      .filter((node) => selection.includes(node))
      .map((node) => `${node.module.path.text} ${nodeKey(node)}`.trim());
    return { targeting: selection, included: included.sort() };
  }

  it('include their dependencies, and the root outputs that show nothing else', async () => {
    expect((await targeting('test_thing.b')).included).toEqual([
      'local.b',
      'output.b',
      'test_thing.a',
      'test_thing.b',
    ]);
    expect((await targeting('test_thing.b', 'test_thing.c')).included).toContain('output.both');
  });

  it('may be a module, a resource in it, or one of its instances', async () => {
    const all = [
      'call.m',
      'module.m test_thing.x',
      'module.m test_thing.y',
      'module.m var.in',
      'test_thing.a',
    ];
    expect((await targeting('module.m')).included).toEqual(all);
    expect((await targeting('module.m.test_thing.x')).included).toEqual(
      all.filter((text) => !text.endsWith('.y')),
    );
    expect((await targeting('module.m.test_thing.y')).included).toEqual([
      'call.m',
      'module.m test_thing.y',
    ]);
  });

  it('name instances, but include all instances of dependencies', async () => {
    const included = (
      { targeting: of }: { readonly targeting: Targeting },
      text: string,
    ): boolean | undefined => {
      const { address } = parseInstanceAddr(text);
      return address === undefined ? undefined : of.includesInstance(address);
    };
    const first = await targeting('test_thing.c[1]');
    expect(
      ['test_thing.c[0]', 'test_thing.c[1]', 'test_thing.a'].map((text) => included(first, text)),
    ).toEqual([false, true, false]);
    const other = await targeting('test_thing.b');
    expect(
      ['test_thing.a', 'test_thing.b', 'test_thing.c[0]'].map((text) => included(other, text)),
    ).toEqual([true, true, false]);
  });

  it('may name nothing that there is', async () => {
    expect((await targeting('test_thing.nowhere')).included).toEqual([]);
  });
});
