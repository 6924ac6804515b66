import { ProviderConfigAddr } from '@terrane/addresses';
import { graphOf, schedule } from '@terrane/graph';
import { describe, expect, it } from 'vitest';
import { ProviderSessions } from './provider-sessions.ts';
import { SessionGate } from './session-gate.ts';

function aliased(number: number): ProviderConfigAddr {
  const text = `provider["registry.terraform.io/hashicorp/test"].a${number}`;
  const address = ProviderConfigAddr.parse(text);
  if (address === undefined) throw new Error(text);
  return address;
}

/** Sessions that are never opened: the gate only counts their uses. */
function unopened(): ProviderSessions {
  return new ProviderSessions(
    { start: () => expect.unreachable() },
    { provider: () => undefined, resource: () => undefined },
  );
}

/**
 * Runs nodes of which each uses one configuration, with as many pending at the same time as `limit` says. Returns the
 * order in which they started, and the largest number of configurations that were reserved at the same time.
 */
async function run(
  dependencies: readonly (readonly number[])[],
  configurationOf: (node: number) => number,
  limit = Number.MAX_SAFE_INTEGER,
): Promise<{ readonly started: readonly number[]; readonly most: number }> {
  const sessions = unopened();
  const usesOf = (node: number): readonly ProviderConfigAddr[] => [aliased(configurationOf(node))];
  for (const node of dependencies.keys())
    for (const configuration of usesOf(node)) sessions.expect(configuration);
  const started: number[] = [];
  let most = 0;
  const { counts } = await schedule({
    dependencies: graphOf(dependencies),
    limit,
    gate: new SessionGate(sessions, 10, usesOf),
    run: (node) => {
      started.push(node);
      most = Math.max(most, sessions.reserved);
      const turn = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));
      return Promise.resolve(sessions.use(usesOf(node), turn));
    },
  });
  expect(counts.done).toBe(dependencies.length);
  return { started, most };
}

describe('the gate of provider sessions', () => {
  it.each([Number.MAX_SAFE_INTEGER, 10])(
    'opens ten at the same time where 300 are used independently (limit %i)',
    async (limit) => {
      // Two resources each, all of the first ones before all of the second ones.
      const { most } = await run(
        Array.from({ length: 600 }, () => []),
        (node) => node % 300,
        limit,
      );
      expect(most).toBe(10);
    },
  );

  it.each([Number.MAX_SAFE_INTEGER, 10])(
    'finishes the chains of open sessions before it opens others (limit %i)',
    async (limit) => {
      const { most } = await run(
        Array.from({ length: 900 }, (_, node) => (node < 300 ? [] : [node - 300])),
        (node) => node % 300,
        limit,
      );
      expect(most).toBeLessThanOrEqual(11);
    },
  );

  it('opens as many as are needed at the same time', async () => {
    // Every second use waits for all first ones.
    const firsts = Array.from({ length: 30 }, (_, node) => node);
    const { most } = await run(
      [...firsts.map(() => []), ...firsts.map(() => firsts)],
      (n) => n % 30,
    );
    expect(most).toBe(30);
  });

  it('does not change the order of nodes that use few configurations', async () => {
    const { started } = await run(
      Array.from({ length: 40 }, () => []),
      (node) => node % 10,
      1,
    );
    expect(started).toEqual(Array.from({ length: 40 }, (_, node) => node));
  });
});
