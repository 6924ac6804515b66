// Whole lives of objects of published providers: plans, states, outputs and diagnostics are those of Terraform.
import { expect, it } from 'vitest';
import { findTerraform } from '../differential/program.ts';
import { missingModules, missingProviders } from '../differential/installed-providers.ts';
import { compareCase, interopCases } from './lifecycle.ts';
import { postgresqlProgram } from './postgresql.ts';
import { rabbitmqServer } from './rabbitmq.ts';

const missing = [
  ...(findTerraform() === undefined ? ['terraform on PATH'] : []),
  ...(['initdb', 'postgres', 'psql'] as const)
    .filter((name) => postgresqlProgram(name) === undefined)
    .map((name) => `${name} of PostgreSQL`),
  ...(rabbitmqServer() === undefined ? ['rabbitmq-server'] : []),
  ...missingModules().map((name) => `provider ${name} (scripts/oracle/install-providers.mjs)`),
];

it.runIf(process.env['CI'] === 'true')('nothing is missing that these tests need', () => {
  expect(missing).toEqual([]);
});

// INTEROP_SAMPLE=N: fewer cases, for runs that have little time. There are not many, and each has much in it.
const every = Math.ceil(Number(process.env['INTEROP_SAMPLE'] ?? 1) / 5);

for (const testCase of interopCases().filter((_, position) => position % every === 0)) {
  const { name } = testCase;
  const lacks = missingProviders(testCase);
  // Providers that only their sources give cannot be had everywhere; the title says so.
  const title = lacks.length === 0 ? name : `${name} (not here: ${lacks.join(', ')})`;
  const canRun = findTerraform() !== undefined && lacks.length === 0;
  it.skipIf(!canRun)(`${title} comes out as with terraform`, async () => {
    const { report } = await compareCase(testCase);
    expect(report).toBe('');
  });
}
