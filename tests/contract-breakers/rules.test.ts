// Every rule of the contract is broken once, by a plugin and within this process: the run says who did what,
// and what was made before stays known. Beside it is what Terraform does with the same plugin.
import { readFileSync, rmSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { buildPlugin } from './build-plugin.ts';
import { CASES } from './cases.ts';
import { type Outcome, runCase } from './run-case.ts';

const recorded = (
  JSON.parse(readFileSync(join(import.meta.dirname, 'recorded/terraform.json'), 'utf8')) as {
    readonly outcomes: Readonly<Record<string, Outcome>>;
  }
).outcomes;
const command = resolve(import.meta.dirname, '../../bin/terrane');
let plugin: string;

beforeAll(async () => {
  plugin = await buildPlugin();
});
afterAll(() => rmSync(plugin, { recursive: true }));

/** Values that cannot be decoded: Terraform says no more than what was wrong with them. */
const UNDECODED = /wrong type|attribute missing|unsupported attribute/;

test.each(CASES)('$name', (breaker) => {
  const ran = runCase({ command, plugin }, breaker);
  // While destroying, Terraform does not say which object a provider speaks of.
  const outcome = breaker.name === 'destroy: throws' ? withoutAddress(ran) : ran;
  const terraform = recorded[breaker.name];
  if (terraform === undefined) throw new Error('this case is not recorded');
  expect(Object.keys(outcome.objects)).toContain('breaker_thing.good');
  if (!UNDECODED.test(breaker.name)) {
    expect(outcome).toEqual(terraform);
    return;
  }
  // Everything else is the same; the text says whom to blame, for what.
  const [diagnostic] = outcome.diagnostics;
  const [expected] = terraform.diagnostics;
  expect({ ...outcome, diagnostics: [] }).toEqual({ ...terraform, diagnostics: [] });
  const problem = (expected?.summary ?? '').replace(/^\["(\w+)"\]/, '.$1');
  expect(diagnostic?.summary).toBe('Plugin error');
  expect(diagnostic?.detail).toMatch(
    /^The plugin returned an unexpected answer from plugin6\.\(\*GRPCProvider\)\.\w+ for (data\.breaker_data|breaker_thing)\.bad of provider registry\.terraform\.io\/acme\/breaker: /,
  );
  expect(diagnostic?.detail).toContain(problem);
});

function withoutAddress(outcome: Outcome): Outcome {
  const diagnostics = outcome.diagnostics.map(({ address, ...diagnostic }) => {
    expect(address).toBe('breaker_thing.bad');
    return diagnostic;
  });
  return { ...outcome, diagnostics };
}
