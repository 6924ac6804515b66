// The schemas in `schemas/` describe documents for other programs completely.
import { Workbench } from 'terrane/testing';
import { describe, expect, it } from 'vitest';
import { isObject, elements, type Json } from '../differential/json.ts';
import { readRecorded } from '../differential/recorded.ts';
import { caseNames } from '../differential/case.ts';
import { schemaProblems as problems } from './schema-problems.ts';

const FILES = {
  'main.tf': `
variable "size" {
  default = 2
  validation {
    condition     = var.size > 0
    error_message = "Too small."
  }
}
variable "secret" {
  default   = "s"
  sensitive = true
}
resource "terraform_data" "a" {
  count = var.size
  input = { n = count.index, s = var.secret }
  lifecycle {
    postcondition {
      condition     = self.input.n < 5
      error_message = "Too large."
    }
  }
}
resource "terraform_data" "b" {
  for_each         = toset(["x"])
  input            = terraform_data.a[0].output
  triggers_replace = [var.size]
}
moved {
  from = terraform_data.old
  to   = terraform_data.b["x"]
}
module "m" {
  source = "./m"
  in     = terraform_data.b["x"].id
}
check "c" {
  assert {
    condition     = terraform_data.a[0].id == ""
    error_message = "Has an id."
  }
}
output "o" {
  value = module.m.out
}
output "s" {
  value     = var.secret
  sensitive = true
}
`,
  'm/main.tf': `
variable "in" {}
resource "terraform_data" "c" {
  input = var.in
}
output "out" {
  value       = terraform_data.c.output
  description = "What it is."
}
`,
};

function lines(text: string): readonly unknown[] {
  const entries = text.split('\n').filter((line) => line !== '');
  return entries.map((line): unknown => JSON.parse(line));
}

describe('output of the commands', () => {
  it('is described', async () => {
    const bench = await Workbench.with(FILES);
    const run = async (command: string, code = 0): Promise<string> => {
      const ran = await bench.run(command);
      expect({ command, code: ran.code, stderr: ran.stderr }).toEqual({
        command,
        code,
        stderr: '',
      });
      return ran.stdout;
    };
    const document = async (name: string, command: string): Promise<void> => {
      expect(problems(name, JSON.parse(await run(command)))).toBe('');
    };
    const stream = async (command: string, code = 0): Promise<void> => {
      const messages = lines(await run(command, code));
      expect(messages.length).toBeGreaterThan(1);
      for (const message of messages) expect(problems('stream', message)).toBe('');
    };
    await stream('init -json');
    await document('modules', 'modules -json');
    await document('validate', 'validate -json');
    await stream('plan -json -out=plan');
    await document('plan', 'show -json plan');
    await stream('plan -json -explain');
    await document('configuration', 'show -json -config');
    await document('configuration', 'show -json -module=m');
    await document('explain', 'explain -json terraform_data.a[0] plan');
    await stream('apply -json -auto-approve');
    await document('state', 'show -json');
    await document('output', 'output -json');
    await document('state-show', 'state show -json terraform_data.a[0]');
    await bench.write('main.tf', FILES['main.tf'].replace('default = 2', 'default = 1'));
    await run('taint terraform_data.b["x"]');
    await run('plan -no-color -out=plan2');
    await document('plan', 'show -json plan2');
    await stream('refresh -json');
    await stream('state list -json');
    await stream('taint -json terraform_data.a[0]');
    await stream(
      'state replace-provider -json -dry-run terraform.io/builtin/terraform terraform.io/builtin/other',
    );
    await bench.write(
      'main.tftest.hcl',
      `run "right" {
  command = plan
}
run "wrong" {
  assert {
    condition     = output.o == ""
    error_message = "No."
  }
}
`,
    );
    await stream('test -json -verbose -coverage', 1);
    // Warnings of the configuration are in the error stream, beside the document.
    const drift = await bench.run('drift -json');
    expect(problems('drift', JSON.parse(drift.stdout))).toBe('');
    await document('refactoring', 'refactor moved -json');
    const extraction = await run(
      'refactor extract -json -to=extracted module.m terraform_data.b',
      1,
    );
    expect(problems('refactoring', JSON.parse(extraction))).toBe('');
    await stream('destroy -json -auto-approve');
    await document('state', 'show -json');
    await document('workspaces', 'workspace list -json');
    await stream('workspace new -json other');
    await run('workspace select default');
    await document('version', 'version -json');
    await document('functions', 'metadata functions -json');
    await document('providers-schema', 'providers schema -json');
    expect(problems('workspaces', JSON.parse(await run('workspace list -json x', 1)))).toBe('');
    expect(problems('state-show', JSON.parse(await run('state show -json none.x', 1)))).toBe('');
    await document('identities', 'state identities -json');
    await bench.write('wrong.tf', 'output "w" {\n  value = upper(nothing.x, 1)\n}\n');
    expect(problems('validate', JSON.parse(await run('validate -json', 1)))).toBe('');
    await stream('plan -json', 1);
  });
});

describe('output of refactorings', () => {
  it('is described: adopt without anything to query', async () => {
    const bench = await Workbench.with({ 'main.tf': '' });
    const { code, stdout } = await bench.run('adopt -json');
    expect({ code, problems: problems('refactoring', JSON.parse(stdout)) }).toEqual({
      code: 1,
      problems: '',
    });
  });

  const thing = (name: string, input: string): string =>
    `resource "terraform_data" "${name}" {\n  input = ${input}\n}\n`;

  it.each([
    ['moved', 'refactor moved -json', thing('c', '"x"')],
    ['moved', 'refactor moved -json -write', thing('c', '"x"')],
    ['extract', 'refactor extract -json -to=m -write terraform_data.b', undefined],
    ['split', 'refactor split -json -to=there -write terraform_data.b', undefined],
  ])('is described: %s, %s', async (_, command, changed) => {
    const text = thing('a', '"x"') + thing('b', '"y"');
    const bench = await Workbench.with({ 'main.tf': text });
    await bench.run('apply -auto-approve');
    if (changed !== undefined) await bench.write('main.tf', changed + thing('b', '"y"'));
    const { code, stdout, stderr } = await bench.run(command);
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
    const document: { readonly refactoring: object | null } = JSON.parse(stdout);
    expect(problems('refactoring', document)).toBe('');
    expect(document.refactoring).toMatchObject({
      command: command.split(' -')[0],
      written: command.includes('-write'),
    });
    const failed = await bench.run(command.replace(' -json', ' -json -var=none=1'));
    expect(failed.code).toBe(1);
    expect(problems('refactoring', JSON.parse(failed.stdout))).toBe('');
  });
});

describe('recorded output of Terraform', () => {
  it('is described in plans', () => {
    let plans = 0;
    for (const name of caseNames()) {
      for (const step of elements(readRecorded(name)?.['steps'] ?? [])) {
        const plan: Json | undefined = isObject(step) ? step['plan'] : undefined;
        if (!isObject(plan)) continue;
        plans += 1;
        // What was written by hand leaves out what all plans have.
        const complete = { format_version: '1.2', ...plan };
        expect({ name, problems: problems('plan', complete) }).toEqual({ name, problems: '' });
      }
    }
    expect(plans).toBeGreaterThan(500);
  });
});

describe('a schema', () => {
  it.each([
    ['plan', { format_version: '1.2', more: 1 }],
    ['plan', { format_version: '1.2', resource_changes: [{ address: 'x' }] }],
    ['state', { format_version: '1.0', values: {} }],
    ['stream', { type: 'apply_start', '@level': 'info' }],
    ['validate', { format_version: '1.0', valid: 'yes' }],
    ['configuration', { root_module: { variables: { a: { kind: 'string' } } } }],
    ['version', {}],
  ])('of %s rejects invalid documents', (name, document) => {
    expect(problems(name, document)).not.toBe('');
  });
});
