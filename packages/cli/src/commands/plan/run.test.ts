import { describe, expect, it } from 'vitest';
import { Workbench } from '../../testing/run-terrane.ts';

const MAIN = `variable "size" {
  type    = number
  default = 1
}

resource "terraform_data" "a" {
  input = var.size
}

output "size" {
  value = terraform_data.a.output
}
`;

describe('plan', () => {
  it('shows the planned actions and the next command', async () => {
    const bench = await Workbench.with({ 'main.tf': MAIN });
    const { code, stdout, stderr } = await bench.run('plan');
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
    expect(stdout).toContain('  # terraform_data.a will be created\n');
    expect(stdout).toContain('Plan: 1 to add, 0 to change, 0 to destroy.\n');
    expect(stdout).toMatch(/─{77}\n\nNote: You didn't use the -out option to save this plan/);
    expect(await bench.names()).toEqual(['main.tf']);
  });

  it('rejects infinite numbers where they would be stored', async () => {
    const main = `variable "size" {
  type    = number
  default = 1
}

resource "terraform_data" "a" {
  input = { sizes = [1 / var.size] }
}

output "inverse" {
  value = -1 / var.size
}

output "compared" {
  value = 1 / var.size > 5
}
`;
    const bench = await Workbench.with({ 'main.tf': main });
    const { code, stdout, stderr } = await bench.run('plan -out=saved -var size=0');
    expect(code).toBe(1);
    expect(stderr.match(/(?<=argument |output )"[^"]+"(?= is or contains)/g)).toEqual([
      '"input.sizes[0]"',
      '"inverse"',
    ]);
    expect(stdout).toContain('+ compared = true');
    expect((await bench.run('plan -var size=2')).code).toBe(0);
    const given = await bench.run('plan -var size=Inf');
    expect({ code: given.code, stderr: given.stderr }).toEqual({
      code: 1,
      stderr: expect.stringContaining('a finite number is\nrequired'),
    });
  });

  it('prints no advice in automation', async () => {
    const bench = await Workbench.with({ 'main.tf': MAIN });
    const { stdout } = await bench.run('plan', { environment: { TF_IN_AUTOMATION: '1' } });
    expect(stdout).not.toContain('Note:');
  });

  it('reports changes by its exit code with -detailed-exitcode', async () => {
    const bench = await Workbench.with({ 'main.tf': MAIN });
    expect((await bench.run('plan -detailed-exitcode')).code).toBe(2);
    await bench.run('apply -auto-approve');
    expect((await bench.run('plan -detailed-exitcode')).code).toBe(0);
    expect((await bench.run('plan -detailed-exitcode -var size=2')).code).toBe(2);
    expect((await bench.run('plan -detailed-exitcode -var size=x')).code).toBe(1);
  });

  it('takes values from the environment, files and options, the last one winning', async () => {
    const bench = await Workbench.with({ 'main.tf': MAIN, 'more.tfvars': 'size = 5\n' });
    const environment = { TF_VAR_size: '4' };
    expect((await bench.run('plan', { environment })).stdout).toContain('input  = 4');
    expect((await bench.run('plan', { environment: { TERRANE_VAR_size: '7' } })).stdout).toContain(
      'input  = 7',
    );
    expect((await bench.run('plan -var-file=more.tfvars', { environment })).stdout).toContain(
      'input  = 5',
    );
    expect((await bench.run('plan -var-file=more.tfvars -var size=6')).stdout).toContain(
      'input  = 6',
    );
    expect((await bench.run('plan -var size=6 -var-file=more.tfvars')).stdout).toContain(
      'input  = 5',
    );
  });

  it('prompts for missing variables, unless that is disabled', async () => {
    const bench = await Workbench.with({
      'main.tf':
        'variable "name" {\n  description = "Whose it is."\n}\n\noutput "name" {\n  value = var.name\n}\n',
    });
    const asked = await bench.run('plan', { input: ['me'] });
    expect(asked.stdout).toContain('var.name\n  Whose it is.\n\n  Enter a value: \n');
    expect(asked.stdout).toContain('+ name = "me"');
    for (const options of [
      { command: 'plan -input=false' },
      { command: 'plan', environment: { TF_INPUT: '0' } },
    ]) {
      const { code, stderr, stdout } = await bench.run(options.command, {
        ...options,
        input: ['me'],
      });
      expect(code).toBe(1);
      expect(stdout).not.toContain('Enter a value');
      expect(stderr).toContain('Error: No value for required variable');
    }
  });

  it('saves a plan that only its owner can read, and that can be shown and applied', async () => {
    const bench = await Workbench.with({ 'main.tf': MAIN });
    const { stdout } = await bench.run('plan -out=saved');
    expect(stdout).toContain(
      'Saved the plan to: saved\n\nTo perform exactly these actions, run the following command to apply:\n    terrane apply "saved"\n',
    );
    expect(await bench.mode('saved')).toBe(0o600);
    expect((await bench.run('show saved')).stdout).toContain('# terraform_data.a will be created');
    const json: unknown = JSON.parse((await bench.run('show -json saved')).stdout);
    expect(json).toMatchObject({ format_version: '1.2', applyable: true });
    const applied = await bench.run('apply saved');
    expect(applied.stdout).toContain('Apply complete! Resources: 1 added, 0 changed, 0 destroyed.');
    expect(applied.stdout).not.toContain('Enter a value');
    const again = await bench.run('apply saved');
    expect(again.code).toBe(1);
    expect(again.stderr).toContain('Error: Saved plan is stale');
  });

  it('speaks JSON, a line for everything', async () => {
    const bench = await Workbench.with({ 'main.tf': MAIN });
    const { code, stdout } = await bench.run('plan -json');
    expect(code).toBe(0);
    const lines = stdout
      .trimEnd()
      .split('\n')
      .map((line): unknown => JSON.parse(line));
    expect(lines.map((line) => (line as { type: string }).type)).toEqual([
      'version',
      'planned_change',
      'change_summary',
      'outputs',
    ]);
  });

  it('does not plan a directory without configuration, unless to destroy', async () => {
    const bench = new Workbench();
    const { code, stderr } = await bench.run('plan');
    expect(code).toBe(1);
    expect(stderr).toContain('Error: No configuration files');
    expect((await bench.run('plan -destroy')).code).toBe(0);
  });

  it('compacts warnings if requested', async () => {
    const bench = await Workbench.with({ 'main.tf': MAIN, 'terraform.tfvars': 'other = 1\n' });
    const full = await bench.run('plan');
    expect(full.stdout).toContain('Warning: Value for undeclared variable');
    expect(full.stdout).toContain('To silence these warnings');
    const compact = await bench.run('plan -compact-warnings');
    expect(compact.stdout).toContain('Warnings:\n\n- Value for undeclared variable\n');
    expect(compact.stdout).not.toContain('To silence these warnings');
  });

  it("uses colors on a terminal only, and not against the user's wish", async () => {
    const bench = await Workbench.with({ 'main.tf': MAIN });
    const escape = '\u001b[';
    expect((await bench.run('plan', { terminal: true })).stdout).toContain(escape);
    expect((await bench.run('plan')).stdout).not.toContain(escape);
    expect((await bench.run('plan -no-color', { terminal: true })).stdout).not.toContain(escape);
    const environment = { NO_COLOR: '1' };
    expect((await bench.run('plan', { terminal: true, environment })).stdout).not.toContain(escape);
  });

  it('rejects removed backends', async () => {
    const bench = await Workbench.with({ 'main.tf': 'terraform {\n  backend "swift" {}\n}\n' });
    const { code, stderr } = await bench.run('plan');
    expect(code).toBe(1);
    expect(stderr).toContain('Error: Invalid backend type');
    expect(stderr.replaceAll('\n', ' ')).toContain(
      'The "swift" backend is not supported in Terraform v1.3 or later.',
    );
  });

  it('stores the state at the path of the local backend', async () => {
    const bench = await Workbench.with({
      'main.tf': `terraform {\n  backend "local" {\n    path = "there/x.tfstate"\n  }\n}\n${MAIN}`,
    });
    const before = await bench.run('apply -auto-approve');
    expect(before.code).toBe(1);
    expect(before.stderr).toContain('Error: Backend initialization required');
    expect((await bench.run('init')).code).toBe(0);
    await bench.run('apply -auto-approve');
    expect(await bench.exists('there/x.tfstate')).toBe(true);
    expect(await bench.exists('terraform.tfstate')).toBe(false);
  });

  it('reports providers that are neither bundled nor installed', async () => {
    const bench = await Workbench.with({ 'main.tf': 'resource "aws_instance" "x" {}\n' });
    const { code, stderr } = await bench.run('plan');
    expect(code).toBe(1);
    expect(stderr).toContain('Error: Inconsistent dependency lock file');
    expect(stderr).toContain(
      '  - provider registry.terraform.io/hashicorp/aws: required by this configuration but no version is selected\n',
    );
    expect((await bench.run('validate')).stderr).toContain('Error: Missing required provider');
  });

  it('obeys the version that the lock file selects', async () => {
    const lock = 'provider "registry.terraform.io/hashicorp/null" {\n  version = "0.0.9"\n}\n';
    const bench = await Workbench.with({
      'main.tf': 'resource "null_resource" "x" {}\n',
      '.terraform.lock.hcl': lock,
    });
    const { code, stderr } = await bench.run('plan');
    expect(code).toBe(1);
    expect(stderr).toContain('Error: Required plugins are not installed');
    expect(stderr).toContain(
      '  - registry.terraform.io/hashicorp/null: there is no package for registry.terraform.io/hashicorp/null 0.0.9 cached in .terraform/providers\n',
    );
    expect(await bench.read('.terraform.lock.hcl')).toBe(lock);
  });

  it('uses no bundled provider if an installation method is configured', async () => {
    const bench = await Workbench.with({
      'main.tf': 'resource "null_resource" "x" {}\n',
      rc: 'provider_installation {\n  direct {\n    include = ["hashicorp/null"]\n  }\n}\n',
    });
    expect((await bench.run('plan')).code).toBe(0);
    const environment = { TF_CLI_CONFIG_FILE: 'rc' };
    const { stderr } = await bench.run('plan', { environment });
    expect(stderr).toContain('Error: Inconsistent dependency lock file');
    const preferred = { ...environment, TERRANE_BUNDLED_PROVIDERS: 'prefer' };
    expect((await bench.run('plan', { environment: preferred })).code).toBe(0);
    const off = { TERRANE_BUNDLED_PROVIDERS: 'off' };
    expect((await bench.run('plan', { environment: off })).code).toBe(1);
  });
});

describe('plan while another run holds the lock', () => {
  const info = JSON.stringify({
    ID: 'other',
    Operation: 'OperationTypeApply',
    Info: '',
    Who: 'ann@laptop',
    Version: '1.11.4',
    Created: '2026-01-02T03:04:05Z',
    Path: 'terraform.tfstate',
  });

  async function locked(): Promise<{ bench: Workbench; release: () => Promise<void> }> {
    const bench = await Workbench.with({ 'main.tf': 'resource "terraform_data" "a" {}\n' });
    expect((await bench.run('apply -auto-approve')).code).toBe(0);
    const release = await bench.lock('terraform.tfstate');
    await bench.write('.terraform.tfstate.lock.info', info);
    return { bench, release };
  }

  it('uses a snapshot and reports the run', async () => {
    const { bench, release } = await locked();
    const { code, stdout } = await bench.run('plan');
    await release();
    expect(code).toBe(0);
    expect(stdout).toContain('No changes.');
    expect(stdout).toContain('Warning: State is locked by a run in progress');
    expect(stdout).toContain('ann@laptop has held the lock of this state for OperationTypeApply');
  });

  it('locks with -lock=true and for a saved plan', async () => {
    const { bench, release } = await locked();
    for (const options of ['-lock=true', '-out=saved']) {
      const { code, stderr } = await bench.run(`plan ${options}`);
      expect({ options, code }).toEqual({ options, code: 1 });
      expect(stderr).toContain('Error: Error acquiring the state lock');
    }
    await release();
  });

  it('reads an empty file under the lock, as Terraform may be writing it', async () => {
    const { bench, release } = await locked();
    await bench.write('terraform.tfstate', '');
    const { code, stderr } = await bench.run('plan');
    await release();
    expect(code).toBe(1);
    expect(stderr).toContain('Error: Error acquiring the state lock');
  });

  it('reports nothing for the description of a killed run', async () => {
    const { bench, release } = await locked();
    await release();
    expect((await bench.run('plan')).stdout).not.toContain('Warning');
  });
});
