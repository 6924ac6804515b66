import { MODULE_ROOT, parseInstanceAddr, ProviderConfigAddr } from '@terrane/addresses';
import { STRING } from '@terrane/cty';
import { graphOf, Reachability } from '@terrane/graph';
import type { ProviderSchema, Schema } from '@terrane/provider';
import { memoryHost } from '@terrane/testkit';
import { loadConfiguration } from '../config/load.ts';
import type { Schemas } from '../config/model.ts';
import { buildProgram, type Program } from '../evaluate/program.ts';
import type { StoredObject } from '../state/model.ts';
import { createBeforeDestroyNodes, DependencyIndex } from '../evaluate/dependencies.ts';
import type { PlannedChange } from '../objects/change.ts';
import { expect, it } from 'vitest';
import { EDGE_CLASSES, type EdgeClass } from './step-order.ts';
import type { Step } from './step.ts';
import { planSteps, type StepSources } from './steps.ts';

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

async function programOf(main: string): Promise<Program> {
  const host = memoryHost();
  await host.files.makeDirectory('/project');
  await host.files.writeFile('/project/main.tf', main);
  const { configuration, diagnostics } = loadConfiguration(host.files, '.');
  expect(diagnostics).toEqual([]);
  if (configuration === undefined) throw new Error('no configuration');
  const { program } = buildProgram(configuration, SCHEMAS);
  if (program === undefined) throw new Error('no program');
  return program;
}

interface Stored {
  readonly dependencies?: readonly string[];
  readonly previousDependencies?: readonly string[];
  readonly createBeforeDestroy?: boolean;
}

interface Case {
  readonly configuration: string;
  /** Planned actions by address, with what the state has of the object. */
  readonly changes: Readonly<Record<string, readonly [PlannedChange['action'], Stored?]>>;
  /** The steps that must be in this order, such as `delete test_thing.a`. */
  readonly earlier: string;
  readonly later: string;
}

async function stepsOf({ configuration, changes }: Case, without?: EdgeClass) {
  const program = await programOf(configuration);
  const states = new Map<unknown, Stored>();
  const planned: PlannedChange[] = [];
  for (const [text, [action, stored = {}]] of Object.entries(changes)) {
    const { address: addr } = parseInstanceAddr(text);
    if (addr === undefined) throw new Error(`no address ${text}`);
    states.set(addr, stored);
    const source = program.configuration.root.providerSource(
      text.startsWith('other') ? 'other' : 'test',
    );
    const provider = ProviderConfigAddr.of(MODULE_ROOT, source);
    // The steps depend on these properties of changes and stored objects alone.
    planned.push({ addr, action, provider } as PlannedChange);
  }
  const objectOf = (of: (stored: Stored) => readonly string[]): StepSources['stored'] => {
    const objects = new Map<unknown, StoredObject>();
    for (const [address, stored] of states) {
      const { createBeforeDestroy = false } = stored;
      const object = { dependencies: of(stored), createBeforeDestroy };
      objects.set(address, object as unknown as StoredObject);
    }
    return (addr) => objects.get(addr);
  };
  const current = ({ dependencies = [] }: Stored) => dependencies;
  const sources: StepSources = {
    program,
    includes: () => true,
    changes: planned,
    stored: objectOf(current),
    original: objectOf((stored) => stored.previousDependencies ?? current(stored)),
    createBeforeDestroy: createBeforeDestroyNodes(new DependencyIndex(program)),
    newDeposedKey: () => '00000000',
    invocations: [],
  };
  return planSteps(sources, without);
}

function isAfter(steps: readonly Step[], later: string, earlier: string): boolean {
  const named = (text: string): number => {
    const step = steps.find(
      (candidate) => 'addr' in candidate && `${candidate.kind} ${candidate.addr.text}` === text,
    );
    if (step === undefined) throw new Error(`no step ${text}`);
    return step.id;
  };
  const reach = new Reachability(graphOf(steps.map(({ after }) => after)));
  return reach.from(named(later)).includes(named(earlier));
}

const thing = (name: string, body = ''): string =>
  `resource "test_thing" "${name}" {\n  ${body}\n}\n`;
const FIRST = 'lifecycle {\n    create_before_destroy = true\n  }';

const CASES: Readonly<Record<string, Case>> = {
  'users of a resource follow the deletion of its surplus instances': {
    configuration: thing('a', 'count = 1') + thing('b', 'name = test_thing.a[0].id'),
    changes: { 'test_thing.a[1]': ['delete'], 'test_thing.b': ['create'] },
    earlier: 'delete test_thing.a[1]',
    later: 'create test_thing.b',
  },
  'an object is updated after the deletion of what it no longer depends on': {
    configuration: thing('b'),
    changes: {
      'test_thing.a': ['delete'],
      'test_thing.b': ['update', { dependencies: ['test_thing.a'] }],
    },
    earlier: 'delete test_thing.a',
    later: 'update test_thing.b',
  },
  'a resource is updated after the objects that depended on it are deleted': {
    configuration: thing('a'),
    changes: {
      'test_thing.a': ['update'],
      'test_thing.b': ['delete', { dependencies: ['test_thing.a'] }],
    },
    earlier: 'delete test_thing.b',
    later: 'update test_thing.a',
  },
  'what configures a provider is deleted after the objects of that provider': {
    configuration: `resource "other_thing" "a" {\n  count = 0\n}\nprovider "test" {\n  region = join("", other_thing.a[*].id)\n}\n${thing('b', 'count = 0')}`,
    changes: {
      'other_thing.a[0]': ['delete'],
      'test_thing.b[0]': ['delete', { dependencies: ['other_thing.a'] }],
    },
    earlier: 'delete test_thing.b[0]',
    later: 'delete other_thing.a[0]',
  },
  'an object that the state has as create_before_destroy is deleted after its users turned away': {
    configuration: thing('a', 'count = 1') + thing('b'),
    changes: {
      'test_thing.a[1]': ['delete', { createBeforeDestroy: true }],
      'test_thing.b': ['update', { dependencies: ['test_thing.a'] }],
    },
    earlier: 'update test_thing.b',
    later: 'delete test_thing.a[1]',
  },
  'a dependency that the refresh recorded orders the deletions': {
    configuration: '',
    changes: {
      'test_thing.a': ['delete'],
      'test_thing.b': ['delete', { dependencies: ['test_thing.a'], previousDependencies: [] }],
    },
    earlier: 'delete test_thing.b',
    later: 'delete test_thing.a',
  },
  'an orphan that the state has as create_before_destroy is deleted after its users turned away': {
    configuration: thing('b'),
    changes: {
      'test_thing.a': ['delete', { createBeforeDestroy: true }],
      'test_thing.b': ['update', { dependencies: ['test_thing.a'] }],
    },
    earlier: 'update test_thing.b',
    later: 'delete test_thing.a',
  },
  'a replaced object is deleted after its users turned to the new one': {
    configuration: thing('a', FIRST) + thing('b', 'name = test_thing.a.id'),
    changes: {
      'test_thing.a': ['create-then-delete', { createBeforeDestroy: true }],
      'test_thing.b': ['update', { dependencies: ['test_thing.a'] }],
    },
    earlier: 'update test_thing.b',
    later: 'delete test_thing.a',
  },
};

it('every class of edges has a case, and every case a class', () => {
  expect(EDGE_CLASSES.map(({ test }) => test)).toEqual(Object.keys(CASES));
});

it.each(EDGE_CLASSES.map(({ test, name }) => [test, name] as const))(
  '%s, because of the class %s',
  async (test, name) => {
    const testCase = CASES[test];
    if (testCase === undefined) throw new Error(`no case ${test}`);
    const { earlier, later } = testCase;
    expect(isAfter(await stepsOf(testCase), later, earlier)).toBe(true);
    expect(isAfter(await stepsOf(testCase, name), later, earlier)).toBe(false);
  },
);

it('a cycle drops the order of its own steps alone', async () => {
  // The references between a and b are reversed. The objects c and d have nothing to do with them.
  const cycle: Case = {
    configuration:
      thing('a', 'name = test_thing.b.id') +
      thing('b') +
      thing('c', 'count = 1') +
      thing('d', 'name = test_thing.c[0].id'),
    changes: {
      'test_thing.a': ['delete-then-create'],
      'test_thing.b': ['delete-then-create', { dependencies: ['test_thing.a'] }],
      'test_thing.c[1]': ['delete'],
      'test_thing.d': ['create'],
    },
    earlier: 'delete test_thing.b',
    later: 'delete test_thing.a',
  };
  const steps = await stepsOf(cycle);
  expect(isAfter(steps, 'delete test_thing.a', 'delete test_thing.b')).toBe(true);
  expect(isAfter(steps, 'create test_thing.a', 'create test_thing.b')).toBe(true);
  expect(isAfter(steps, 'create test_thing.d', 'delete test_thing.c[1]')).toBe(true);
});
