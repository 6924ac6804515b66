// The same rules, broken by a provider in the process of the program: nothing stands between it and the engine, and the
// run ends as with a plugin.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { breakerProvider } from './breaker-provider.ts';
import { CASES } from './cases.ts';
import { type Outcome, runCaseWithin } from './run-case.ts';

const recorded = (
  JSON.parse(readFileSync(join(import.meta.dirname, 'recorded/terraform.json'), 'utf8')) as {
    readonly outcomes: Readonly<Record<string, Outcome>>;
  }
).outcomes;

/** Violations that Terraform cannot see, because they do not survive the plugin protocol. */
const THROWS = /: throws/;
/** Values that a plugin can't even send, and what is wrong with which attribute of them. */
const MISFITS: Readonly<Record<string, string>> = {
  'plan: wrong type': 'bad.name: string required, but received number',
  'apply: wrong type': 'bad.name: string required, but received number',
  'apply: attribute missing': 'bad: missing required attribute "token"',
  'apply: unsupported attribute': 'bad: unsupported attribute "colour"',
  'read: wrong type': '.size: number required, but received list of string',
  'data: wrong type': 'bad.token: string required, but received list of string',
};

test.each(CASES)('$name', async (breaker) => {
  const { name } = breaker;
  const outcome = await runCaseWithin(breakerProvider, breaker);
  const terraform = recorded[name];
  if (terraform === undefined) throw new Error('this case is not recorded');
  // Nothing that was there before, or that was made, is lost, whatever is said.
  expect(outcome.objects).toEqual(terraform.objects);
  expect(outcome.exit).toBe(terraform.exit);
  const [problem, ...more] = outcome.diagnostics.filter(({ severity }) => severity === 'error');
  const misfit = MISFITS[name.replace(/, in an? \w+$/, '')];
  if (THROWS.test(name)) {
    expect(more).toEqual([]);
    expect(problem?.summary).toBe('Provider failed unexpectedly');
    // The existence of an object is unknown.
    const warned = outcome.diagnostics.filter(({ severity }) => severity === 'warning');
    const isOpen = name.startsWith('apply') && terraform.objects['breaker_thing.bad'] === undefined;
    expect(warned.map(({ summary }) => summary)).toEqual(isOpen ? ['Interrupted operation'] : []);
    expect(problem?.detail).toMatch(
      /^Provider "registry\.terraform\.io\/acme\/breaker" failed while \w+ (data\.breaker_data|ephemeral\.breaker_open|breaker_thing)\.bad: the [\w ]+ is ill\n\nThis is a bug in the provider/,
    );
  } else if (misfit !== undefined) {
    expect(outcome.diagnostics).toHaveLength(1);
    expect(problem?.summary).toMatch(/^Provider produced invalid (plan|object)$/);
    expect(problem?.detail).toMatch(
      /^Provider "(provider\[\\")?registry\.terraform\.io\/acme\/breaker(\\"\])?" /,
    );
    expect(problem?.detail).toMatch(/(data\.breaker_data|breaker_thing)\.bad/);
    expect(problem?.detail).toContain(misfit);
  } else {
    expect(outcome).toEqual(terraform);
  }
});
