import { describe, expect, it } from 'vitest';
import { Workbench } from '../../testing/run-terrane.ts';

const calledAs = 'terraform';

describe('called by the name of Terraform, the program', () => {
  it('prints that version in the first line, and its own name in the last', async () => {
    const { stdout } = await new Workbench().run('version', { calledAs });
    expect(stdout).toMatch(
      /^Terraform v1\.11\.4\non \w+\n\nThis is Terrane v[\d.]+, which answers to the name of Terraform here\.\n$/,
    );
    expect((await new Workbench().run('version')).stdout).toMatch(/^Terrane v/);
  });

  it('prints the same JSON as under its own name', async () => {
    const { stdout } = await new Workbench().run('version -json', { calledAs });
    expect(JSON.parse(stdout)).toMatchObject({
      terraform_version: '1.11.4',
      terrane_version: expect.any(String),
      terraform_outdated: false,
    });
    expect(stdout).toBe((await new Workbench().run('version -json')).stdout);
  });

  it('speaks of Terraform where it speaks of itself', async () => {
    const bench = await Workbench.with({
      'main.tf': 'resource "terraform_data" "a" {\n  input = "Terrane, terrane plan"\n}\n',
    });
    const init = await bench.run('init', { calledAs });
    expect(init.stdout).toContain('Terraform has been successfully initialized!');
    expect(init.stdout).not.toMatch(/terrane/i);
    const plan = await bench.run('plan', { calledAs });
    expect(plan.stdout).toContain('if you run "terraform apply" now.');
    const apply = await bench.run('apply', { calledAs, input: ['no'] });
    expect(apply.stdout).toContain('Terraform will perform the actions described above.');
    // Text of the user stays unchanged.
    expect(apply.stdout).toContain('= "Terrane, terrane plan"');
    expect((await bench.run('-help', { calledAs })).stdout).toMatch(/^Usage: terraform /);
    expect((await bench.run('plan -help', { calledAs })).stdout).toMatch(/^Usage: terraform /);
    expect((await bench.run('nothing', { calledAs })).stderr).toContain('Terraform has no command');
  });

  it.each([
    ['terrane', {}],
    ['terraform', { calledAs: 'terraform' }],
    ['tofu', { calledAs: 'tofu' }],
  ] as const)('advises to run %s by the name that the user called', async (name, options) => {
    const bench = await Workbench.with({
      'main.tf': 'module "a" {\n  source = "git::https://example.invalid/a"\n}\n',
    });
    expect((await bench.run('plan', options)).stderr).toContain(`Run "${name} init" to install`);
    expect((await bench.run('plan -json', options)).stdout).toContain(`Run \\"${name} init\\" to`);
    await bench.write(
      'main.tf',
      'terraform {\n  backend "http" {\n    address = "http://h"\n  }\n}\n',
    );
    expect((await bench.run('plan', options)).stderr).toContain(`please run "${name} init"`);
    expect((await bench.run('env list', options)).stdout).toContain(
      `The "${name} workspace" commands`,
    );
    expect((await bench.run('push', options)).stderr).toContain(`Command "${name} push"`);
  });
});
