import { ManualClock, memoryHost, type MemoryHost } from '@terrane/testkit';
import { defineProvider, resource, string } from '@terrane/provider/sdk';
import { inspect } from 'node:util';
import { describe, expect, test } from 'vitest';
import {
  type LibraryEvent,
  openWorkingDirectory,
  RunError,
  SensitiveValue,
  UNKNOWN_VALUE,
  type WorkingDirectory,
  type WorkingDirectoryOptions,
} from '../index.ts';

const CONFIG = `
variable "n" { type = number }
variable "password" {
  type      = string
  sensitive = true
  default   = "hunter2"
}
resource "terraform_data" "a" { input = { n = var.n, password = var.password } }
output "n" { value = terraform_data.a.output.n }
output "password" {
  value     = var.password
  sensitive = true
}
`;

async function open(
  files: Readonly<Record<string, string>>,
  options: WorkingDirectoryOptions = {},
  host: MemoryHost = memoryHost(),
): Promise<WorkingDirectory> {
  for (const [path, text] of Object.entries(files)) {
    const slash = path.lastIndexOf('/');
    if (slash > 0) await host.files.makeDirectory(path.slice(0, slash));
    await host.files.writeFile(path, text);
  }
  return openWorkingDirectory('.', { host, ...options });
}

async function errorOf(work: PromiseLike<unknown>): Promise<RunError> {
  try {
    await work;
  } catch (error) {
    if (error instanceof RunError) return error;
    throw error;
  }
  throw new Error('there was no error');
}

describe('results are JavaScript data', () => {
  test('of a plan, an apply, the outputs and expressions', async () => {
    const directory = await open({ 'main.tf': CONFIG }, { values: { n: 2 } });
    const planned = await directory.plan();
    expect(planned.hasChanges).toBe(true);
    expect(planned.changes).toMatchObject([{ address: 'terraform_data.a', action: 'create' }]);
    expect(planned.outputs).toEqual({ n: UNKNOWN_VALUE, password: expect.any(SensitiveValue) });
    const applied = await directory.apply();
    expect(applied).toMatchObject({ isApproved: true, counts: { added: 1 }, outputs: { n: 2 } });
    expect(await directory.outputs()).toMatchObject({ n: 2 });
    expect(await directory.evaluate('terraform_data.a.output.n + 1')).toBe(3);
    expect((await directory.plan()).hasChanges).toBe(false);
    expect(await directory.apply()).toMatchObject({ counts: { added: 0, changed: 0 } });
    expect(await directory.destroy()).toMatchObject({ counts: { removed: 1 } });
    expect(await directory.outputs()).toEqual({});
  });

  test('without sensitive values', async () => {
    const directory = await open({ 'main.tf': CONFIG }, { values: { n: 2 } });
    const events: LibraryEvent[] = [];
    const { plan: _plan, ...planned } = await directory.plan();
    const run = directory.apply();
    for await (const event of run) events.push(event);
    const outputs = await directory.outputs();
    const evaluated = await directory.evaluate('[var.password, terraform_data.a.input]');
    for (const data of [planned, events, await run, outputs, evaluated]) {
      expect(inspect(data, { depth: null, showHidden: true })).not.toContain('hunter2');
      expect(JSON.stringify(data)).not.toContain('hunter2');
    }
    expect((outputs['password'] as SensitiveValue).reveal()).toBe('hunter2');
  });

  test('from values of an operation, over those of the directory', async () => {
    const directory = await open({ 'main.tf': CONFIG }, { values: { n: 2 } });
    const password = new SensitiveValue('x');
    const { outputs } = await directory.apply({ values: { n: 3, password } });
    expect(outputs['n']).toBe(3);
    expect((outputs['password'] as SensitiveValue).reveal()).toBe('x');
  });

  test('of the selected workspace', async () => {
    const files = { 'main.tf': 'output "name" { value = terraform.workspace }' };
    const directory = await open(files, { workspace: 'staging' });
    expect((await directory.apply()).outputs).toEqual({ name: 'staging' });
  });

  test('with the environment of the options', async () => {
    const environment = { TF_VAR_n: '7', TF_VAR_password: undefined };
    const host = memoryHost({ variables: { TF_VAR_password: 'from the process' } });
    const directory = await open({ 'main.tf': CONFIG }, { environment }, host);
    const { outputs } = await directory.apply();
    expect(outputs['n']).toBe(7);
    expect((outputs['password'] as SensitiveValue).reveal()).toBe('hunter2');
  });
});

describe('an apply prompts for approval', () => {
  test('with the plan, and changes nothing if it is refused', async () => {
    const directory = await open({ 'main.tf': CONFIG }, { values: { n: 2 } });
    const shown: unknown[] = [];
    const result = await directory.apply({
      approve: ({ changes }) => {
        shown.push(...changes.map(({ address }) => address));
        return false;
      },
    });
    expect(result).toMatchObject({ isApproved: false, counts: { added: 0 }, outputs: {} });
    expect(shown).toEqual(['terraform_data.a']);
    expect(await directory.outputs()).toEqual({});
  });

  test('and releases the lock if the callback throws', async () => {
    const directory = await open({ 'main.tf': CONFIG }, { values: { n: 2 } });
    const approve = (): boolean => {
      throw new Error('not today');
    };
    await expect(directory.apply({ approve })).rejects.toThrow('not today');
    expect(await directory.apply()).toMatchObject({ isApproved: true });
  });

  test('a saved plan is applied without', async () => {
    const directory = await open({ 'main.tf': CONFIG }, { values: { n: 2 } });
    await directory.plan({ saveAs: 'saved.tfplan' });
    const result = await directory.apply({ planFile: 'saved.tfplan', values: {} });
    expect(result).toMatchObject({ isApproved: true, counts: { added: 1 } });
  });
});

describe('errors', () => {
  test('are thrown with the diagnostics and their text', async () => {
    const directory = await open(
      { 'main.tf': `${CONFIG}\noutput "x" { value = var.m }\n` },
      { values: { n: 2 } },
    );
    const error = await errorOf(directory.plan());
    expect(error.diagnostics).toMatchObject([
      { summary: 'Reference to undeclared input variable', file: 'main.tf', line: 15, column: 22 },
    ]);
    expect(error.message).toBe(error.diagnostics[0]?.format());
    expect(error.message).toContain('on main.tf line 15, in output "x":');
    expect(JSON.stringify(error.diagnostics)).not.toContain('format');
  });

  test('of addresses name the option', async () => {
    const directory = await open({ 'main.tf': CONFIG }, { values: { n: 2 } });
    const message = async (options: Parameters<WorkingDirectory['plan']>[0]): Promise<string> =>
      (await errorOf(directory.plan(options))).message;
    expect(await message({ targets: ['a.b['] })).toContain('Invalid target "a.b["');
    expect(await message({ replace: ['data.x.y'] })).toContain(
      'Only managed resources can be replaced.',
    );
    expect(await message({ targets: ['a.b'], excludes: ['a.c'] })).toContain(
      'A plan has either targets or excludes.',
    );
  });

  test('of values name the path', async () => {
    const directory = await open({ 'main.tf': CONFIG }, { values: { n: Number.NaN } });
    await expect(directory.plan()).rejects.toThrow('values.n: NaN is not a number');
  });

  test('of expressions are thrown', async () => {
    const directory = await open({ 'main.tf': CONFIG }, { values: { n: 2 } });
    const error = await errorOf(directory.evaluate('1 +'));
    expect(error.diagnostics[0]?.summary).toBe('Missing expression');
  });

  test('reach a reader of events after the last event', async () => {
    const directory = await open({ 'main.tf': 'resource "terraform_data" "a" {' });
    const read = async (): Promise<void> => {
      for await (const event of directory.apply()) expect(event.kind).toBe('diagnostic');
    };
    await errorOf(read());
  });

  test('of a validation are returned', async () => {
    const directory = await open({ 'main.tf': 'output "x" { value = var.m }' });
    expect(await directory.validate()).toMatchObject([{ severity: 'error', line: 1 }]);
  });
});

test('selected objects only are planned', async () => {
  const config = 'resource "terraform_data" "a" {}\nresource "terraform_data" "b" {}\n';
  const directory = await open({ 'main.tf': config });
  const addresses = async (
    options: Parameters<WorkingDirectory['plan']>[0],
  ): Promise<readonly string[]> =>
    (await directory.plan(options)).changes.map(({ address }) => address);
  expect(await addresses({ targets: ['terraform_data.a'] })).toEqual(['terraform_data.a']);
  expect(await addresses({ excludes: ['terraform_data.a'] })).toEqual(['terraform_data.b']);
  await directory.apply();
  expect((await directory.plan({ replace: ['terraform_data.b'] })).changes).toMatchObject([
    { address: 'terraform_data.b', action: 'delete-then-create', reason: 'replace_by_request' },
  ]);
});

test('a run is stopped gracefully by leaving the loop', async () => {
  const config = `
resource "time_sleep" "a" { create_duration = "1ms" }
resource "terraform_data" "b" { input = time_sleep.a.id }`;
  const clock = new ManualClock();
  const directory = await open({ 'main.tf': config }, {}, memoryHost({ clock }));
  const run = directory.apply();
  const kinds: string[] = [];
  for await (const event of run) {
    kinds.push(event.kind);
    if (event.kind === 'plan') break;
  }
  const error = await errorOf(run);
  expect(error.message).toContain('context canceled');
  expect(kinds.at(-1)).toBe('plan');
  expect((await directory.plan()).changes.map(({ address }) => address)).toContain(
    'terraform_data.b',
  );
});

test('a provider of the program needs no installation', async () => {
  const note = resource({
    attributes: { id: string({ computed: true }), text: string({ required: true }) },
    create: ({ plan }) => ({ ...plan, id: `note-${plan.text.length}` }),
  });
  const config = `
terraform {
  required_providers { notes = { source = "example/notes" } }
}
resource "notes_note" "a" { text = "hello" }
output "id" { value = notes_note.a.id }`;
  const providers = {
    'example/notes': () => defineProvider({ resources: { notes_note: note } }),
  };
  const directory = await open({ 'main.tf': config }, { providers });
  expect((await directory.apply()).outputs).toEqual({ id: 'note-5' });
  expect(await directory.refresh()).toMatchObject({ outputs: { id: 'note-5' } });
});

test('init prepares modules and reports events', async () => {
  const directory = await open({
    'main.tf': 'module "m" { source = "./m" }\noutput "x" { value = module.m.x }',
    'm/main.tf': 'output "x" { value = 1 }',
  });
  const run = directory.init();
  const kinds: string[] = [];
  for await (const event of run) kinds.push(event.kind);
  expect(kinds).toContain('module');
  expect((await run).diagnostics).toEqual([]);
  expect((await directory.apply()).outputs).toEqual({ x: 1 });
});

test('tests are executed, and failures are results', async () => {
  const assertion = (n: number): string =>
    `run "r${n}" {\n  command = plan\n  assert {\n    condition = var.n == ${n}\n    error_message = "no"\n  }\n}\n`;
  const directory = await open(
    { 'main.tf': CONFIG, 'tests/a.tftest.hcl': assertion(2) + assertion(3) },
    { values: { n: 2 } },
  );
  const run = directory.test();
  const seen: string[] = [];
  for await (const event of run) {
    if (event.kind === 'run' && event.progress === 'complete') {
      seen.push(`${event.run.name} ${event.run.status}`);
    }
  }
  expect(seen).toEqual(['r2 pass', 'r3 fail']);
  expect(await run).toMatchObject({
    status: 'fail',
    files: [
      {
        name: 'tests/a.tftest.hcl',
        runs: [
          { name: 'r2', diagnostics: [] },
          { name: 'r3', diagnostics: [{ summary: 'Test assertion failed', line: 11 }] },
        ],
      },
    ],
    diagnostics: [],
  });
});
