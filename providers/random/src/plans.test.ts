import { nodeHost } from '@terrane/host';
import { enforceContract } from '@terrane/provider';
import { planScenario } from '@terrane/provider/testing';
import { expect, test } from 'vitest';
import plans from '../recorded/plans.json' with { type: 'json' };
import scenarios from '../recorded/scenarios.json' with { type: 'json' };
import { provider } from './index.ts';

const published: Readonly<Record<string, unknown>> = plans;

test.each(scenarios)('$name is planned as by the published provider', async (scenario) => {
  const checked = enforceContract(provider.create(nodeHost()), provider.address);
  expect(await planScenario(checked, scenario)).toEqual(published[scenario.name]);
});
