import { randomInt } from 'node:crypto';
import type { ResourceLife, Step, Written } from '@terrane/provider/testing';
import { expect } from 'vitest';
import type { Fault, FaultProxy } from './fault-proxy.ts';
import { type Actors, actors, errorOf, type Settings } from './moto-world.ts';

/** The resource that a pattern is tested with. */
export interface Scenario {
  /** type of the object */
  readonly type: string;
  /** what it is to be; `name`: another one each time */
  readonly written: (name: string) => Written;
  /** what is there when the trouble begins: an object like this, with which `act` begins */
  readonly before?: (name: string) => Written;
  /** what else has to be there */
  readonly prepare?: (actors: Actors, name: string) => Promise<Written>;
  /** adds answers that the test server lacks; they are there from the start */
  readonly answers?: (proxy: FaultProxy, name: string) => void;
  /** the trouble */
  readonly trouble: (proxy: FaultProxy, name: string) => Fault;
  /** the `stride` of the clock while the trouble lasts; default none */
  readonly stride?: number;
  /** default: makes the object what is `written` */
  readonly act?: (life: ResourceLife, written: Written) => Promise<Step>;
  /** how the provider is set up where it does without the pattern; default: it does not wait */
  readonly without?: Settings;
}

/** The result of a scenario. */
export interface Outcome {
  readonly step: Step;
  readonly error: string;
  readonly fault: Fault;
  /** milliseconds that passed by the provider's clock */
  readonly elapsedMs: number;
  readonly name: string;
}

// Files share a server, which keeps what they leave.
let names = randomInt(1_000_000_000);

/** Plays a scenario, with the pattern or without it. */
export async function play(
  proxy: FaultProxy,
  scenario: Scenario,
  pattern: 'with' | 'without' = 'with',
): Promise<Outcome> {
  const { type, written, before, prepare, trouble, without } = scenario;
  const { act = (life, wanted) => life.apply(wanted) } = scenario;
  proxy.reset();
  const name = `it-${++names}`;
  const off = pattern === 'without';
  const cast = await actors(proxy, off ? without : {});
  const around = (await prepare?.(cast, name)) ?? {};
  scenario.answers?.(proxy, name);
  const life = await cast.of(type);
  if (before !== undefined) {
    const made = await life.apply({ ...around, ...before(name) });
    expect(errorOf(made), 'before the trouble').toBe('');
  }
  const fault = trouble(proxy, name);
  cast.clock.impatient = off && without === undefined;
  cast.clock.stride = scenario.stride ?? 0;
  const began = cast.clock.elapsedMs;
  const step = await act(life, { ...around, ...written(name) });
  const elapsedMs = cast.clock.elapsedMs - began;
  return { step, error: errorOf(step), fault, elapsedMs, name };
}

/** The scenario goes well with the pattern, and fails in the way that is told without it. */
export async function expectPattern(
  proxy: FaultProxy,
  scenario: Scenario,
  failure: RegExp,
): Promise<Outcome> {
  const without = await play(proxy, scenario, 'without');
  expect(without.fault.hits, 'the trouble happened').toBeGreaterThan(0);
  expect(without.error).toMatch(failure);
  const outcome = await play(proxy, scenario);
  expect(outcome.error).toBe('');
  expect(outcome.fault.hits, 'the trouble happened').toBeGreaterThan(0);
  return outcome;
}
