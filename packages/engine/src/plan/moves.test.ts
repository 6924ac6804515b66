import { parseInstanceAddr, ProviderConfigAddr } from '@terrane/addresses';
import { memoryHost } from '@terrane/testkit';
import { describe, expect, it } from 'vitest';
import { loadConfiguration } from '../config/load.ts';
import type { Configuration } from '../config/model.ts';
import { replay } from '../state/draft.ts';
import type { State } from '../state/model.ts';
import { EMPTY_STATE } from '../state/snapshot.ts';
import { applyMoves } from './moves.ts';

const PROVIDER = ProviderConfigAddr.parse('provider["registry.terraform.io/hashicorp/test"]');

async function configurationOf(files: Readonly<Record<string, string>>): Promise<Configuration> {
  const host = memoryHost();
  for (const [name, text] of Object.entries(files)) {
    await host.files.makeDirectory(`/project/${name.split('/').slice(0, -1).join('/')}`);
    await host.files.writeFile(`/project/${name}`, text);
  }
  const { configuration, diagnostics } = loadConfiguration(host.files, '.');
  expect(diagnostics.map((diagnostic) => diagnostic.summary)).toEqual([]);
  if (configuration === undefined) throw new Error('no configuration');
  return configuration;
}

/** A state with an object at each address, which remembers where it began. */
function stateOf(addresses: readonly string[]): State {
  return replay(
    EMPTY_STATE,
    addresses.map((text) => {
      const { address } = parseInstanceAddr(text);
      if (address === undefined || PROVIDER === undefined) throw new Error(text);
      const object = {
        status: 'ready',
        schemaVersion: 0,
        attributesJson: JSON.stringify({ id: text }),
        sensitivePaths: [],
        dependencies: [],
        createBeforeDestroy: false,
        provider: PROVIDER,
      } as const;
      return { kind: 'put', addr: address, object };
    }),
  );
}

/** Returns the moves of objects as "from -> to", without those that stay. */
function placesOf(state: State): readonly string[] {
  return [...state.instances()].flatMap((addr) => {
    const { id } = JSON.parse(state.instance(addr)?.current?.attributesJson ?? '{}') as {
      id: string;
    };
    return id === addr.text ? [] : [`${id} -> ${addr.text}`];
  });
}

const moved = (from: string, to: string): string =>
  `moved {\n  from = ${from}\n  to   = ${to}\n}\n`;
const thing = (name: string, body = ''): string =>
  `resource "test_thing" "${name}" {\n  ${body}\n}\n`;
const call = (name: string, body = ''): string =>
  `module "${name}" {\n  source = "./child"\n  ${body}\n}\n`;

interface Case {
  readonly what: string;
  readonly main: string;
  readonly child?: string;
  readonly state: readonly string[];
  readonly places: readonly string[];
  readonly blocked?: readonly string[];
}

const CASES: readonly Case[] = [
  {
    what: 'a renamed resource takes all its instances along',
    main: moved('test_thing.a', 'test_thing.b'),
    state: ['test_thing.a[0]', 'test_thing.a[1]'],
    places: ['test_thing.a[0] -> test_thing.b[0]', 'test_thing.a[1] -> test_thing.b[1]'],
  },
  {
    what: 'one instance moves alone where a key says so',
    main: moved('test_thing.a[0]', 'test_thing.b["x"]'),
    state: ['test_thing.a[0]', 'test_thing.a[1]'],
    places: ['test_thing.a[0] -> test_thing.b["x"]'],
  },
  {
    what: 'an end without a key means the instance without one when the other end has a key',
    main: moved('test_thing.a', 'test_thing.a["x"]'),
    state: ['test_thing.a', 'test_thing.a["y"]'],
    places: ['test_thing.a -> test_thing.a["x"]'],
  },
  {
    what: 'a chain is followed to its end, whatever the order of its blocks',
    main:
      moved('test_thing.b', 'test_thing.c') +
      moved('test_thing.c', 'test_thing.d') +
      moved('test_thing.a', 'test_thing.b'),
    state: ['test_thing.a'],
    places: ['test_thing.a -> test_thing.d'],
  },
  {
    what: 'count comes and goes inside a module that moves',
    main: `${call('m', 'for_each = toset(["b"])')}${moved('module.m["a"]', 'module.m["b"]')}`,
    child: thing('gains', 'count = 1') + thing('loses'),
    state: ['module.m["a"].test_thing.gains', 'module.m["a"].test_thing.loses[0]'],
    places: [
      'module.m["a"].test_thing.gains -> module.m["b"].test_thing.gains[0]',
      'module.m["a"].test_thing.loses[0] -> module.m["b"].test_thing.loses',
    ],
  },
  {
    what: 'a block about one instance of a module leaves the implied moves of the others',
    main:
      call('m', 'count = 2') +
      moved('module.m[0].test_thing.old', 'module.m[0].test_thing.gains[0]'),
    child: thing('gains', 'count = 1'),
    state: ['module.m[0].test_thing.old', 'module.m[1].test_thing.gains'],
    places: [
      'module.m[0].test_thing.old -> module.m[0].test_thing.gains[0]',
      'module.m[1].test_thing.gains -> module.m[1].test_thing.gains[0]',
    ],
  },
  {
    what: 'a renamed module takes everything below it along',
    main: moved('module.a', 'module.b'),
    state: [
      'module.a[0].test_thing.x',
      'module.a[1].module.in["k"].test_thing.y[3]',
      'module.other.test_thing.x',
    ],
    places: [
      'module.a[0].test_thing.x -> module.b[0].test_thing.x',
      'module.a[1].module.in["k"].test_thing.y[3] -> module.b[1].module.in["k"].test_thing.y[3]',
    ],
  },
  {
    what: 'a module call that gets keys',
    main: moved('module.a', 'module.a["k"]'),
    state: ['module.a.test_thing.x'],
    places: ['module.a.test_thing.x -> module.a["k"].test_thing.x'],
  },
  {
    what: 'a resource moves into a module',
    main: moved('test_thing.a', 'module.m.test_thing.b'),
    state: ['test_thing.a["x"]'],
    places: ['test_thing.a["x"] -> module.m.test_thing.b["x"]'],
  },
  {
    what: 'a resource moves out of one instance of a module',
    main: moved('module.m["k"].test_thing.a', 'test_thing.b'),
    state: ['module.m["k"].test_thing.a', 'module.m["l"].test_thing.a'],
    places: ['module.m["k"].test_thing.a -> test_thing.b'],
  },
  {
    what: 'a block in a module is about each of its instances',
    main: call('m', 'count = 2'),
    child: moved('test_thing.a', 'test_thing.b'),
    state: ['module.m[0].test_thing.a', 'module.m[1].test_thing.a', 'test_thing.a'],
    places: [
      'module.m[0].test_thing.a -> module.m[0].test_thing.b',
      'module.m[1].test_thing.a -> module.m[1].test_thing.b',
    ],
  },
  {
    what: 'what moves into a module that moves goes with it',
    main: moved('module.m', 'module.n') + moved('test_thing.a', 'module.m.test_thing.a'),
    state: ['test_thing.a'],
    places: ['test_thing.a -> module.n.test_thing.a'],
  },
  {
    what: 'count that is added keeps the instance without a key as the first',
    main: thing('a', 'count = 2'),
    state: ['test_thing.a'],
    places: ['test_thing.a -> test_thing.a[0]'],
  },
  {
    what: 'count that is taken away keeps the first',
    main: thing('a'),
    state: ['test_thing.a[0]', 'test_thing.a[1]'],
    places: ['test_thing.a[0] -> test_thing.a'],
  },
  {
    what: 'for_each keeps none',
    main: thing('a', 'for_each = {}'),
    state: ['test_thing.a', 'test_thing.a[0]'],
    places: [],
  },
  {
    what: 'a block about a resource does away with what count would keep',
    main: thing('a', 'count = 2') + moved('test_thing.a', 'test_thing.a[1]'),
    state: ['test_thing.a'],
    places: ['test_thing.a -> test_thing.a[1]'],
  },
  {
    what: 'a move to where something is does not happen',
    main: moved('test_thing.a', 'test_thing.b'),
    state: ['test_thing.a', 'test_thing.b'],
    places: [],
    blocked: ['test_thing.a could not move to test_thing.b'],
  },
  {
    what: 'a resource moves with all its instances or not at all',
    main: moved('test_thing.a', 'test_thing.b'),
    state: ['test_thing.a[0]', 'test_thing.a[1]', 'test_thing.b[7]'],
    places: [],
    blocked: ['test_thing.a could not move to test_thing.b'],
  },
  {
    what: 'a module instance moves with all its resources or not at all',
    main: moved('module.a', 'module.b'),
    state: ['module.a.test_thing.x', 'module.b.test_thing.y'],
    places: [],
    blocked: ['module.a could not move to module.b'],
  },
  {
    // As Terraform does: the first block comes first, though the second would have made room.
    what: 'a chain of which two links are taken moves the last',
    main: moved('test_thing.b', 'test_thing.c') + moved('test_thing.c', 'test_thing.d'),
    state: ['test_thing.b', 'test_thing.c'],
    places: ['test_thing.c -> test_thing.d'],
    blocked: ['test_thing.b could not move to test_thing.c'],
  },
  {
    what: 'a chain that is blocked at its end stops before it',
    main: moved('test_thing.a', 'test_thing.b') + moved('test_thing.b', 'test_thing.c'),
    state: ['test_thing.a', 'test_thing.c'],
    places: ['test_thing.a -> test_thing.b'],
    blocked: ['test_thing.b could not move to test_thing.c'],
  },
];

describe('moves', () => {
  it.each(CASES)('$what', async ({ main, child, state, places, blocked = [] }) => {
    const configuration = await configurationOf({
      'main.tf': main,
      ...(child === undefined ? {} : { 'child/main.tf': child }),
    });
    const before = stateOf(state);
    const result = applyMoves(configuration, before);
    expect(placesOf(result.state)).toEqual([...places].sort());
    expect([...result.previous].map(([to, from]) => `${from.text} -> ${to.text}`).sort()).toEqual(
      [...places].sort(),
    );
    expect(placesOf(replay(before, result.events))).toEqual(placesOf(result.state));
    const warned = result.diagnostics.flatMap(
      (diagnostic) => diagnostic.detail.match(/(?<=\n {2}- ).*/g) ?? [],
    );
    expect(warned).toEqual(blocked);
    expect(
      result.diagnostics.map((diagnostic) => `${diagnostic.severity}: ${diagnostic.summary}`),
    ).toEqual(
      blocked.length === 0 ? [] : ['warning: Unresolved resource instance address changes'],
    );
  });

  it('leave a state alone that they are not about', async () => {
    const configuration = await configurationOf({
      'main.tf': moved('test_thing.x', 'test_thing.y'),
    });
    const state = stateOf(['test_thing.a']);
    expect(applyMoves(configuration, state).state).toBe(state);
  });

  it('that go round in a circle are refused, and nothing moves', async () => {
    const main = moved('test_thing.b', 'test_thing.c') + moved('test_thing.c', 'test_thing.b');
    const state = stateOf(['test_thing.b', 'test_thing.c']);
    const result = applyMoves(await configurationOf({ 'main.tf': main }), state);
    expect(result.state).toBe(state);
    expect(
      result.diagnostics.map((diagnostic) => `${diagnostic.severity}: ${diagnostic.summary}`),
    ).toEqual(['error: Cyclic dependency in move statements']);
    expect(result.diagnostics[0]?.detail)
      .toBe(`The following chained move statements form a cycle, and so there is no final location to move objects to:
  - main.tf:1,1: test_thing.b[*] → test_thing.c[*]
  - main.tf:5,1: test_thing.c[*] → test_thing.b[*]

A chain of move statements must end with an address that doesn't appear in any other statements, and which typically also refers to an object still declared in the configuration.`);
  });

  it('of a call that gains count leave out the instances that a block names, in OpenTofu', async () => {
    const configuration = await configurationOf({
      'main.tofu':
        'module "p" {\n  source = "./p"\n  count = 3\n}\n' +
        moved('module.p[0].module.old', 'module.p[0].module.c') +
        moved('module.p[1].module.c["x"]', 'module.p[1].module.c[1]'),
      'p/main.tofu': 'module "c" {\n  source = "./c"\n  count = 2\n}\n',
      'p/c/main.tofu': thing('x'),
    });
    const at = (path: string): string => `${path}.test_thing.x`;
    const state = stateOf([0, 1, 2].map((i) => at(`module.p[${i}].module.c`)));
    expect(placesOf(applyMoves(configuration, state).state)).toEqual([
      `${at('module.p[1].module.c')} -> ${at('module.p[1].module.c[0]')}`,
      `${at('module.p[2].module.c')} -> ${at('module.p[2].module.c[0]')}`,
    ]);
  });

  it('take linear time: quadratic cost does not end within the limit of a test', async () => {
    const ends = Array.from({ length: 20_000 }, (_, i) => [
      [`test_thing.a${i}`, `test_thing.b${i}`],
      [`test_thing.a[${i}]`, `test_thing.a["${i}"]`],
      [`module.a[${i}].test_thing.x`, `module.a["${i}"].test_thing.x`],
    ]).flat();
    const main = ends.map(([from = '', to = '']) => moved(from, to)).join('');
    const configuration = await configurationOf({ 'main.tf': main });
    const result = applyMoves(configuration, stateOf(ends.map(([from = '']) => from)));
    expect(result.previous.size).toBe(ends.length);
  });
});
