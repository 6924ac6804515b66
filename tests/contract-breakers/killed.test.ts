// A plugin that ends at one of its calls, or never answers it, ends the run; not the tool, and not what is known.
import { rmSync } from 'node:fs';
import { resolve } from 'node:path';
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import { buildPlugin } from './build-plugin.ts';
import { GOOD } from './cases.ts';
import { runInterrupted, type Scenario } from './interrupted.ts';
import { stateBefore } from './run-case.ts';
import { CALL_NAMES, FRAGILE, SCENARIOS } from './scenarios.ts';

const PROVIDER = 'registry.terraform.io/acme/breaker';
const command = resolve(import.meta.dirname, '../../bin/terrane');
const states = new Map<string, string>();
let plugin: string;

beforeAll(async () => {
  plugin = await buildPlugin();
  states.set('good', stateBefore({ command, plugin }, GOOD));
  states.set('fragile', stateBefore({ command, plugin }, `${GOOD}\n${FRAGILE}`));
});
afterAll(() => rmSync(plugin, { recursive: true }));

test('there is a scenario for each call', () => {
  expect(SCENARIOS.map(({ call }) => call).sort()).toEqual([...CALL_NAMES].sort());
});

/** Those at which a plugin also ends with something to say. */
const CRASHES = SCENARIOS.filter(({ call }) =>
  ['GetProviderSchema', 'ConfigureProvider', 'ApplyResourceChange'].includes(call),
);

vi.setConfig({ testTimeout: 300_000 });

/** Something is being created when the call is reached. */
const changesWhen = ({ call, namedCall = call }: Scenario): boolean =>
  namedCall === 'ApplyResourceChange' || call === 'RenewEphemeralResource';

describe.each([
  ['kill', SCENARIOS],
  ['crash', CRASHES],
] as const)('a plugin that ends by %s', (how, scenarios) => {
  test.concurrent.each(scenarios)('at $call', async (scenario) => {
    const state = states.get(scenario.state ?? 'good') ?? '';
    const ended = await runInterrupted(plugin, scenario, how, state);
    const { text, objects } = ended;
    expect(ended.reached, text).toBeGreaterThan(0);
    expect([ended.exit, ended.signal], text).toEqual([scenario.harmless === true ? 0 : 1, null]);
    expect(ended.survivors).toEqual([]);
    expect(Object.keys(objects)).toContain('breaker_thing.good');
    if (scenario.harmless === true) return;
    expect(text).toContain(scenario.namedCall ?? scenario.call);
    // Lines are wrapped.
    const flat = text.replaceAll(/\s+/g, ' ');
    expect(flat).toContain(PROVIDER);
    expect(flat).toContain(scenario.about ?? '');
    if (how === 'crash') expect(text).toContain('panic: the provider is ill');
    // A request that was sent may have taken effect; a request that was not sent has not.
    const isOpen = changesWhen(scenario);
    expect(flat.includes('Interrupted operation'), text).toBe(isOpen);
    expect(ended.isOpen).toBe(isOpen);
  });
});

describe('a plugin that never answers', () => {
  test.concurrent.each(SCENARIOS)('$call', async (scenario) => {
    const state = states.get(scenario.state ?? 'good') ?? '';
    const ended = await runInterrupted(plugin, scenario, 'hang', state);
    expect(ended.reached, ended.text).toBeGreaterThan(0);
    expect([ended.exit, ended.signal], ended.text).toEqual([1, null]);
    expect(ended.survivors).toEqual([]);
    expect(Object.keys(ended.objects)).toContain('breaker_thing.good');
    // A creation beside a renewal obeys the first interrupt, and may answer before the second.
    if (scenario.call !== 'RenewEphemeralResource')
      expect(ended.isOpen).toBe(changesWhen(scenario));
  });
});
