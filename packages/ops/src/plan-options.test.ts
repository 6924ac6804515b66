import {
  type InstanceAddr,
  parseInstanceAddr,
  parseTarget,
  type TargetAddr,
} from '@terrane/addresses';
import { memoryHost, type MemoryHost } from '@terrane/testkit';
import { expect, test } from 'vitest';
import { apply } from './apply.ts';
import { DEFAULT_PARALLELISM } from './run/run-request.ts';
import { plan } from './plan.ts';
import type { PlanRequest } from './plan-request.ts';
import { openProject } from './project.ts';
import { SILENT } from './run-ports.ts';
import { DEFAULT_STATE_OPTIONS } from './state-options.ts';

const CONFIG = `
variable "v" { default = "1" }
resource "terraform_data" "a" { input = var.v }
resource "terraform_data" "b" { input = terraform_data.a.output }
resource "terraform_data" "c" { input = var.v }
`;

const EVERYTHING: PlanRequest = {
  state: DEFAULT_STATE_OPTIONS,
  variables: [],
  parallelism: DEFAULT_PARALLELISM,
  mode: 'normal',
  refresh: true,
  targets: [],
  targetTexts: [],
  replace: [],
};

async function applied(): Promise<MemoryHost> {
  const host = memoryHost();
  await host.files.writeFile('main.tf', CONFIG);
  const ports = { ...SILENT, showPlan: () => undefined, showDiagnostics: () => undefined };
  const outcome = await apply(openProject(host), { ...EVERYTHING, autoApprove: true }, ports);
  expect(outcome.diagnostics).toEqual([]);
  return host;
}

/** Returns the changes of a plan with options, or its errors. */
async function planned(
  host: MemoryHost,
  options: Partial<PlanRequest>,
): Promise<readonly string[]> {
  const { result, diagnostics } = await plan(
    openProject(host),
    { ...EVERYTHING, ...options },
    SILENT,
  );
  const errors = diagnostics.filter(({ severity }) => severity === 'error');
  if (errors.length > 0) return errors.map(({ summary }) => summary);
  const changes = result?.plan.changes.filter(({ action }) => action !== 'no-op') ?? [];
  const lines = changes.map(({ action, addr }) => `${action} ${addr.text}`);
  const waiting = result?.plan.deferred.map(
    ({ change, reason }) => `${change.addr.text} ${reason}`,
  );
  return [...lines, ...(waiting ?? [])];
}

function target(text: string): TargetAddr {
  const parsed = parseTarget(text).target;
  if (parsed === undefined) throw new Error(text);
  return parsed;
}

function instance(text: string): InstanceAddr {
  const parsed = parseInstanceAddr(text).address;
  if (parsed === undefined) throw new Error(text);
  return parsed;
}

// All options of the command line are available to programs.
test('every option of a plan is a parameter', async () => {
  const host = await applied();
  const variables = [{ kind: 'var', text: 'v=2' }] as const;
  const a = target('terraform_data.a');
  expect(await planned(host, {})).toEqual([]);
  expect(await planned(host, { variables })).toEqual([
    'update terraform_data.a',
    'update terraform_data.b',
    'update terraform_data.c',
  ]);
  expect(
    await planned(host, { variables, targets: [a], targetTexts: ['terraform_data.a'] }),
  ).toEqual(['update terraform_data.a']);
  expect(
    await planned(host, { variables, excludes: [a], excludeTexts: ['terraform_data.a'] }),
  ).toEqual(['update terraform_data.c']);
  expect(await planned(host, { replace: [instance('terraform_data.c')] })).toEqual([
    'delete-then-create terraform_data.c',
  ]);
  expect(await planned(host, { mode: 'destroy', refresh: false })).toHaveLength(3);
  expect(await planned(host, { mode: 'refresh-only', variables })).toEqual([]);
  expect(await planned(host, { minimalRefresh: true, variables })).toHaveLength(3);

  await host.files.writeFile(
    'more.tf',
    'resource "terraform_data" "more" {\n  count = terraform_data.new.output\n}\nresource "terraform_data" "new" { input = 1 }\n',
  );
  expect(await planned(host, {})).toEqual(['Invalid count argument']);
  expect(await planned(host, { allowDeferral: true })).toEqual([
    'create terraform_data.new',
    'terraform_data.more[*] instance_count_unknown',
  ]);
});

test('options that make no sense together are errors', async () => {
  const host = await applied();
  const targets = [target('terraform_data.a')];
  expect(await planned(host, { targets, excludes: targets })).toEqual([
    'Invalid combination of arguments',
  ]);
  const replace = [instance('terraform_data.a')];
  expect(await planned(host, { mode: 'destroy', replace })).toEqual(['Unsupported plan mode']);
  expect(await planned(host, { mode: 'refresh-only', minimalRefresh: true })).toEqual([
    'Incompatible plan mode options',
  ]);
});
