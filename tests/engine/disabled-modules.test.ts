// Plans that destroy the objects of modules whose `lifecycle { enabled = … }` is false name that as the cause.
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { runWithin } from 'terrane/testing/with-providers';

const CHILD = `resource "terraform_data" "r" {}
`;

const MIDDLE = `variable "inner" {
  default = true
}

resource "terraform_data" "r" {}

module "inner" {
  source = "../child"
  lifecycle {
    enabled = var.inner
  }
}
`;

const ROOT = `variable "outer" {
  default = true
}

variable "inner" {
  default = true
}

variable "instances" {
  default = 2
}

module "outer" {
  source = "./middle"
  inner  = var.inner
  lifecycle {
    enabled = var.outer
  }
}

module "counted" {
  source = "./middle"
  count  = var.instances
  inner  = var.inner
}
`;

let work: string;

beforeEach(() => {
  work = mkdtempSync(join(tmpdir(), 'terrane-disabled-modules-'));
  for (const [directory, text] of [
    ['.', ROOT],
    ['middle', MIDDLE],
    ['child', CHILD],
  ] as const) {
    mkdirSync(join(work, directory), { recursive: true });
    writeFileSync(join(work, directory, 'main.tf'), text);
  }
});

afterEach(() => {
  rmSync(work, { recursive: true, force: true });
});

async function run(...args: readonly string[]): Promise<string> {
  const environment = { PATH: process.env['PATH'] ?? '', HOME: work, CHECKPOINT_DISABLE: '1' };
  const { exit, stdout, stderr } = await runWithin(args, {
    directory: work,
    environment,
    providers: new Map(),
  });
  expect(exit, stdout + stderr).toBe(0);
  return stdout;
}

/** Causes of deletions, by address, of a plan with variables and of `show` of the same plan, which must agree. */
async function causes(...variables: readonly string[]): Promise<Record<string, string>> {
  const assignments = variables.map((variable) => `-var=${variable}`);
  const printed = await run('plan', '-no-color', '-out=tfplan', ...assignments);
  const [planned, shown] = [printed, await run('show', '-no-color', 'tfplan')].map((text) =>
    Object.fromEntries(
      [...text.matchAll(/^ {2}# (\S+) will be destroyed\n {2}# \(because (.*)\)$/gm)].map(
        ([, address = '', cause = '']) => [address, cause],
      ),
    ),
  );
  expect(shown).toEqual(planned);
  return planned ?? {};
}

it('names the module whose enabled is false', async () => {
  await run('init');
  await run('apply', '-auto-approve');

  const outer = 'enabled of module.outer is false';
  expect(await causes('outer=false')).toEqual({
    'module.outer.terraform_data.r': outer,
    'module.outer.module.inner.terraform_data.r': outer,
  });
  expect(await causes('outer=false', 'inner=false', 'instances=1')).toEqual({
    'module.outer.terraform_data.r': outer,
    'module.outer.module.inner.terraform_data.r': outer,
    'module.counted[0].module.inner.terraform_data.r':
      'enabled of module.counted[0].module.inner is false',
    'module.counted[1].terraform_data.r': 'module.counted[1] is not in configuration',
    'module.counted[1].module.inner.terraform_data.r':
      'module.counted[1].module.inner is not in configuration',
  });

  const json = await run('show', '-json', 'tfplan');
  expect(json).toContain('"action_reason":"delete_because_no_module"');
  expect(json).not.toContain('disabledModule');
});
