import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { Workbench } from '../../testing/run-terrane.ts';

function readRecorded(name: string): Readonly<Record<string, unknown>> {
  const folder = join(import.meta.dirname, '../../../../functions/src/recorded');
  return JSON.parse(readFileSync(join(folder, name), 'utf8')) as Readonly<Record<string, unknown>>;
}

/**
 * Output of `terraform metadata functions -json` without the descriptions: of 1.11.4, and of 1.17-dev for the functions
 * that follow it.
 */
const recorded: Readonly<Record<string, unknown>> = {
  ...readRecorded('signatures.json'),
  ...readRecorded('later-signatures.json'),
};

interface Described {
  description?: string;
}

interface Signature extends Described {
  readonly parameters?: readonly Described[];
  readonly variadic_parameter?: Described;
}

async function signatures(): Promise<Readonly<Record<string, Signature>>> {
  const bench = await Workbench.with({});
  const { code, stdout } = await bench.run('metadata functions -json');
  expect(code).toBe(0);
  const printed: unknown = JSON.parse(stdout);
  expect(printed).toMatchObject({ format_version: '1.0' });
  return (printed as { function_signatures: Readonly<Record<string, Signature>> })
    .function_signatures;
}

it('prints the signatures that Terraform has, each under both of its names', async () => {
  const printed = await signatures();
  for (const [name, signature] of Object.entries(recorded)) {
    const ours = structuredClone(printed[name]);
    delete ours?.description;
    for (const parameter of [...(ours?.parameters ?? []), ours?.variadic_parameter]) {
      delete parameter?.description;
    }
    expect({ [name]: ours }).toEqual({ [name]: signature });
    expect(printed[`core::${name}`]).toEqual(printed[name]);
  }
});

it('describes all of them, those that only OpenTofu or later versions have too', async () => {
  const printed = await signatures();
  for (const [name, { description }] of Object.entries(printed)) {
    expect(`${name}: ${description}`).toMatch(/: \S.*\.$/s);
  }
  expect(printed).toHaveProperty('cidrcontains');
  expect(printed).toHaveProperty('convert');
  expect(printed).not.toHaveProperty('list');
});

it('requires -json', async () => {
  const bench = await Workbench.with({});
  const refused = await bench.run('metadata functions');
  expect(refused.code).toBe(1);
  expect(refused.stdout).toBe('');
  expect(refused.stderr).toContain('command requires the `-json` flag.\n\nUsage: ');
  expect((await bench.run('metadata functions -nope')).stderr).toMatch(
    /^Usage: [^]*\nError parsing command-line flags: flag provided but not defined: -nope\n\n$/,
  );
});
