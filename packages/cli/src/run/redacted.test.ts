import { describe, expect, it } from 'vitest';
import { Workbench } from '../testing/run-terrane.ts';

const SECRET = 'canary-2b7e';

const MAIN = `variable "token" {
  sensitive = true
  default   = "${SECRET}-default"
}
variable "nested" {
  sensitive = true
  type      = object({ password = string, port = number })
  default   = { password = "${SECRET}-nested", port = 7183905264 }
}
resource "terraform_data" "a" {
  input = { plain = "visible", secret = var.token, big = 123456789012345678901 }
}
module "inner" {
  source = "./inner"
  token  = var.token
}
output "whole" {
  value     = var.nested
  sensitive = true
}
output "plain" {
  value = 12345678901234567890
}
`;

const INNER = `variable "token" {
  sensitive = true
}
resource "terraform_data" "b" {
  triggers_replace = [var.token]
}
`;

async function bench(): Promise<Workbench> {
  const made = await Workbench.with({ 'main.tf': MAIN, 'inner/main.tf': INNER });
  expect((await made.run('init')).code).toBe(0);
  return made;
}

describe('-redacted', () => {
  it('keeps secrets out of the JSON of plans, states and outputs', async () => {
    const made = await bench();
    expect((await made.run('plan -out=saved')).code).toBe(0);
    const plan = await made.run('show -json -redacted saved');
    expect((await made.run('show -json saved')).stdout).toContain(SECRET);
    expect((await made.run('apply -auto-approve')).code).toBe(0);
    const state = await made.run('show -json -redacted');
    const outputs = await made.run('output -json -redacted');
    const output = await made.run('output -json -redacted whole');
    const stream = await made.run('plan -json -redacted -destroy');
    for (const { code, stdout } of [plan, state, outputs, output, stream]) {
      expect(code).toBe(0);
      expect(stdout).not.toContain(SECRET);
      expect(stdout).not.toContain('7183905264');
    }
    expect(plan.stdout).toContain('visible');
    expect(JSON.parse(output.stdout)).toBe('(sensitive value)');
    expect(JSON.parse(outputs.stdout)).toMatchObject({ whole: { value: '(sensitive value)' } });
  });

  it('replaces values and keeps everything else exactly', async () => {
    const made = await bench();
    await made.run('apply -auto-approve');
    const { stdout } = await made.run('show -json -redacted');
    expect(stdout).toContain('123456789012345678901');
    const document = JSON.parse(stdout) as {
      values: { root_module: { resources: { values: { input: unknown } }[] } };
    };
    expect(document.values.root_module.resources[0]?.values.input).toMatchObject({
      plain: 'visible',
      secret: '(sensitive value)',
    });
    expect((await made.run('output -json -redacted')).stdout).toContain('12345678901234567890');
  });

  it('replaces copies in outputs, also of a short value, and keeps others', async () => {
    const made = await Workbench.with({
      'main.tf': `variable "pin" {
  sensitive = true
  default   = "4711"
}
resource "terraform_data" "a" {
  input = { secret = var.pin, list = [sensitive("${SECRET}-list")] }
}
output "pin" {
  value = terraform_data.a.output.secret
}
output "url" {
  value = { at = "x:\${terraform_data.a.output.list[0]}", port = 4711, name = "no 4711" }
}
`,
    });
    expect((await made.run('apply -auto-approve')).code).toBe(0);
    const outputs = await made.run('output -json -redacted');
    expect(JSON.parse(outputs.stdout)).toMatchObject({
      pin: { value: '(sensitive value)' },
      url: { value: { at: '(sensitive value)', port: 4711, name: 'no 4711' } },
    });
    const one = await made.run('output -json -redacted pin');
    expect(JSON.parse(one.stdout)).toBe('(sensitive value)');
    const other = await made.run('output -json -redacted url');
    expect(other.stdout).not.toContain(SECRET);
    const state = await made.run('show -json -redacted');
    expect(state.stdout).not.toMatch(/canary|"4711"/);
  });

  it('requires JSON output', async () => {
    const made = await bench();
    for (const command of ['show', 'plan', 'output']) {
      const { code, stderr } = await made.run(`${command} -redacted`);
      expect({ command, code }).toEqual({ command, code: 1 });
      expect(stderr).toContain('Error: JSON output required');
    }
  });
});
