// Flags of OpenTofu 1.12.6 that choose what is shown; Terraform has none.
import { describe, expect, it } from 'vitest';
import { Workbench } from '../testing/run-terrane.ts';

const MAIN = `variable "s" {
  sensitive = true
  default   = "hush"
}

resource "terraform_data" "a" {
  input = { x = var.s, l = [var.s] }
}

output "o" {
  value     = var.s
  sensitive = true
}
`;

describe('-show-sensitive', () => {
  it('shows sensitive values in plans, states and outputs, and nothing else does', async () => {
    const bench = await Workbench.with({ 'main.tf': MAIN });
    const applied = await bench.run('apply -auto-approve -show-sensitive');
    expect(applied.stdout).toContain('              + "hush",\n');
    expect(applied.stdout).toContain('          + x = "hush"\n');
    expect(applied.stdout).toContain('  + o = "hush"\n');
    expect(applied.stdout).toMatch(/Outputs:\n\no = "hush"\n$/);
    await bench.run('plan -out=p -var s=new');
    for (const [command, text] of [
      ['plan -var s=new', '          ~ x = "hush" -> "new"\n'],
      ['show p', '  ~ o = "hush" -> "new"\n'],
      ['show', '\no = "hush"\n'],
      ['state show terraform_data.a', '    input  = {\n        l = [\n            "hush",\n'],
      ['output', 'o = "hush"\n'],
    ] as const) {
      expect((await bench.run(`${command} -show-sensitive`)).stdout).toContain(text);
      const hidden = (await bench.run(command)).stdout;
      expect(hidden).not.toContain(text);
      expect(hidden).toMatch(/\(sensitive value\)|<sensitive>/);
    }
    const { code, stderr } = await bench.run('validate -show-sensitive');
    expect(code).toBe(1);
    expect(stderr).toContain('flag provided but not defined: -show-sensitive');
  });
});

describe('-concise', () => {
  it('prints no progress', async () => {
    const bench = await Workbench.with({ 'main.tf': MAIN });
    const applied = await bench.run('apply -auto-approve -concise');
    expect(applied.stdout).not.toContain('Creating...');
    expect(applied.stdout).toContain('Apply complete! Resources: 1 added, 0 changed, 0 destroyed.');
    expect((await bench.run('plan')).stdout).toContain('terraform_data.a: Refreshing state...');
    expect((await bench.run('plan -concise')).stdout).not.toContain('Refreshing');
  });
});

describe('-consolidate-errors and -consolidate-warnings', () => {
  it('show diagnostics with equal summaries once, or each of them', async () => {
    const faulty = ['a', 'b', 'c']
      .map((name) => `resource "terraform_data" "${name}" {\n  inpt = 1\n}\n`)
      .join('');
    const bench = await Workbench.with({ 'main.tf': faulty });
    const each = (await bench.run('validate')).stderr;
    expect(each.match(/Error: Unsupported argument/g)).toHaveLength(3);
    const once = (await bench.run('validate -consolidate-errors')).stderr;
    expect(once.match(/Error: Unsupported argument/g)).toHaveLength(1);
    expect(once).toContain('(and 2 more similar errors elsewhere)');
    await bench.write('main.tf', 'resource "terraform_data" "a" {\n}\n');
    for (const name of ['b', 'c', 'd'])
      await bench.write(
        `${name}.tf`,
        `resource "terraform_data" "${name}" {\n  depends_on = ["terraform_data.a"]\n}\n`,
      );
    const count = (text: string): number => text.match(/Warning: /g)?.length ?? 0;
    expect(count((await bench.run('validate')).stdout)).toBe(1);
    expect(count((await bench.run('validate -consolidate-warnings=false')).stdout)).toBe(3);
  });
});

describe('show', () => {
  it('accepts its object as -state or -plan', async () => {
    const bench = await Workbench.with({ 'main.tf': MAIN });
    await bench.run('apply -auto-approve');
    await bench.run('plan -destroy -out=p');
    expect((await bench.run('show -plan=p')).stdout).toBe((await bench.run('show p')).stdout);
    expect((await bench.run('show -state')).stdout).toBe((await bench.run('show')).stdout);
    expect((await bench.run('show -state -plan=p')).stderr).toContain(
      'Conflicting object types to show',
    );
    for (const both of ['-state p', '-plan=p p']) {
      expect((await bench.run(`show ${both}`)).stderr).toContain(
        'Unexpected command line arguments',
      );
    }
  });
});
