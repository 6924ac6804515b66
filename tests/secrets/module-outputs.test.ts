// Outputs of child modules that are declared sensitive: their values are hidden wherever the calling module uses them.
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { runWithin } from 'terrane/testing/with-providers';

const SECRET = 'marker-module-output-1d7e';

const CHILD = `variable "plain" {
  default = "${SECRET}"
}

variable "hidden" {
  default   = "${SECRET}"
  sensitive = true
}

resource "terraform_data" "inner" {
  triggers_replace = [var.hidden, "a \${var.hidden}", { (upper("key")) = var.hidden }]
}

output "secret" {
  value     = var.plain
  sensitive = true
}

output "object" {
  value     = { password = var.plain, list = [var.plain] }
  sensitive = true
}

output "typed" {
  type      = object({ password = string })
  value     = { password = var.plain }
  sensitive = true
}
`;

// The arguments are triggers: a provider copies `input` to `output`, which nobody declared sensitive.
const ROOT = `module "one" {
  source = "./child"
}

module "many" {
  source = "./child"
  count  = 2
}

module "each" {
  source   = "./child"
  for_each = { a = "x" }
}

module "passed" {
  source = "./child"
  plain  = module.one.secret
}

locals {
  uses = {
    attribute   = module.one.object.password
    index       = module.one.object["list"][0]
    template    = "a \${module.one.secret} b"
    directive   = "%{ for x in [module.one.secret] }\${x}%{ endfor }"
    splat       = module.many[*].secret
    loop        = [for m in module.many : m.object.password]
    keys        = { for k, m in module.each : k => m.secret }
    function    = upper(module.one.secret)
    encoded     = jsonencode(module.one.object)
    conversion  = toset([module.one.secret])
    conditional = module.one.secret == "" ? "empty" : module.one.secret
    merged      = merge({ a = 1 }, module.one.object)
    typed       = module.one.typed
    whole       = module.each
    passed      = module.passed.secret
  }
}

resource "terraform_data" "use" {
  for_each         = toset(keys(local.uses))
  triggers_replace = local.uses[each.key]
}

resource "terraform_data" "all" {
  triggers_replace = [local.uses, module.one.secret]
}

output "hidden" {
  value     = local.uses
  sensitive = true
}
`;

const TEST = `run "plan" {
  command = plan
  assert {
    condition     = module.one.secret == "other"
    error_message = "It is not what was expected."
  }
}

run "module" {
  module {
    source = "./child"
  }
  assert {
    condition     = output.secret == "other"
    error_message = "Neither is the output of the module."
  }
}
`;

let work: string;

beforeEach(() => {
  work = mkdtempSync(join(tmpdir(), 'terrane-module-outputs-'));
  mkdirSync(join(work, 'child'));
  writeFileSync(join(work, 'child', 'main.tf'), CHILD);
});

afterEach(() => {
  rmSync(work, { recursive: true, force: true });
});

async function run(...args: readonly string[]): Promise<{ exit: number; printed: string }> {
  const environment = { PATH: process.env['PATH'] ?? '', CHECKPOINT_DISABLE: '1' };
  const { exit, stdout, stderr } = await runWithin(args, {
    directory: work,
    environment,
    providers: new Map(),
  });
  return { exit, printed: stdout + stderr };
}

function leaks(printed: string): boolean {
  return printed.toLowerCase().includes(SECRET);
}

it.each(['main.tf', 'main.tofu'])('%s: no command prints the value of the output', async (name) => {
  writeFileSync(join(work, name), ROOT);
  writeFileSync(join(work, 'main.tftest.hcl'), TEST);
  const findings: string[] = [];
  for (const [args, exit] of [
    [['init'], 0],
    [['validate'], 0],
    [['plan', '-out=one.tfplan'], 0],
    [['plan', '-json'], 0],
    [['show', 'one.tfplan'], 0],
    [['explain', 'terraform_data.all', 'one.tfplan'], 0],
    [['apply', 'one.tfplan'], 0],
    [['show'], 0],
    [['state', 'show', 'terraform_data.all'], 0],
    [['state', 'show', 'terraform_data.use["loop"]'], 0],
    [['output'], 0],
    [['plan', '-destroy'], 0],
    [['apply', '-auto-approve', '-json', '-replace=terraform_data.all'], 0],
    [['test', '-verbose'], 1],
    [['test', '-json'], 1],
    [['destroy', '-auto-approve'], 0],
  ] as const) {
    const result = await run(...args);
    const command = args.join(' ');
    expect(`${command}: ${result.exit}`, result.printed).toBe(`${command}: ${exit}`);
    if (leaks(result.printed)) findings.push(command);
  }
  expect(findings).toEqual([]);
});

it('the state remembers which attributes are sensitive', async () => {
  writeFileSync(join(work, 'main.tf'), ROOT);
  expect((await run('apply', '-auto-approve')).exit).toBe(0);
  // Without the configuration, only the state can tell.
  writeFileSync(join(work, 'main.tf'), '');
  for (const args of [['show'], ['plan'], ['apply', '-auto-approve']]) {
    const { exit, printed } = await run(...args);
    expect(exit).toBe(0);
    expect(printed).toContain('terraform_data.use["loop"]');
    expect(leaks(printed)).toBe(false);
  }
});

it.each(['main.tf', 'main.tofu'])('%s: a root output must be declared sensitive', async (name) => {
  writeFileSync(
    join(work, name),
    'module "m" {\n  source = "./child"\n}\noutput "o" {\n  value = module.m.secret\n}\n',
  );
  const { exit, printed } = await run('plan');
  expect(exit).toBe(1);
  expect(printed).toContain('Output refers to sensitive values');
  expect(leaks(printed)).toBe(false);
});
