import { describe, expect, it } from 'vitest';
import { Workbench } from '../../testing/run-terrane.ts';

const MAIN = `resource "terraform_data" "a" {
  input = "one"
}

output "it" {
  value = terraform_data.a.output
}
`;
const QUESTION = `Do you want to perform these actions?
  Terrane will perform the actions described above.
  Only 'yes' will be accepted to approve.

  Enter a value: `;

describe('apply', () => {
  it('prompts, and applies the approved plan', async () => {
    const bench = await Workbench.with({ 'main.tf': MAIN });
    const { code, stdout, stderr } = await bench.run('apply', { input: ['yes'] });
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
    expect(stdout).toContain(`\n${QUESTION}\nterraform_data.a: Creating...\n`);
    expect(stdout).toMatch(/terraform_data\.a: Creation complete after 0s \[id=[-0-9a-f]+\]\n/);
    expect(
      stdout.endsWith(
        '\nApply complete! Resources: 1 added, 0 changed, 0 destroyed.\n\nOutputs:\n\nit = "one"\n',
      ),
    ).toBe(true);
  });

  it.each([['no'], ['Yes'], ['']])('does nothing for the answer %j', async (answer) => {
    const bench = await Workbench.with({ 'main.tf': MAIN });
    const { code, stdout } = await bench.run('apply', { input: [answer] });
    expect(code).toBe(1);
    expect(stdout.endsWith('Enter a value: \nApply cancelled.\n')).toBe(true);
    expect(await bench.exists('terraform.tfstate')).toBe(false);
  });

  it('does nothing without an answer', async () => {
    const bench = await Workbench.with({ 'main.tf': MAIN });
    const { code, stderr } = await bench.run('apply');
    expect(code).toBe(1);
    expect(stderr).toContain('Error: error asking for approval: EOF\n');
  });

  it('does not ask where nothing would change', async () => {
    const bench = await Workbench.with({ 'main.tf': MAIN });
    await bench.run('apply -auto-approve');
    const { code, stdout } = await bench.run('apply');
    expect(code).toBe(0);
    expect(stdout).toContain('No changes. Your infrastructure matches the configuration.');
    expect(stdout).toContain('Apply complete! Resources: 0 added, 0 changed, 0 destroyed.');
  });

  it.each([
    ['file("x.txt")', 'file'],
    ['templatefile("x.txt", {})', 'templatefile'],
    ['core::filemd5("x.txt")', 'core::filemd5'],
  ])('rejects a plan whose local value %s has changed', async (expression, name) => {
    const bench = await Workbench.with({
      'main.tf': `locals {\n  a = upper(${expression})\n}\nresource "terraform_data" "a" {\n  input = local.a\n}\n`,
      'x.txt': 'one',
    });
    expect((await bench.run('plan -out=saved.plan')).code).toBe(0);
    await bench.write('x.txt', 'two');
    const { code, stderr } = await bench.run('apply saved.plan');
    expect(code).toBe(1);
    expect(stderr).toContain(`while calling ${name}(`);
    expect(stderr).toMatch(/function returned an inconsistent\s+result/);
  });

  it('keeps the previous state as a backup with -backup', async () => {
    const bench = await Workbench.with({ 'main.tf': MAIN });
    await bench.run('apply -auto-approve');
    await bench.write('main.tf', MAIN.replace('one', 'two'));
    await bench.run('apply -auto-approve');
    expect(await bench.read('terraform.tfstate.backup')).toContain('"one"');
    await bench.write('main.tf', MAIN.replace('one', 'three'));
    await bench.run('apply -auto-approve -backup=kept');
    expect(await bench.read('kept')).toContain('"two"');
    await bench.remove('terraform.tfstate.backup');
    await bench.write('main.tf', MAIN.replace('one', 'four'));
    await bench.run('apply -auto-approve -backup=-');
    expect(await bench.exists('terraform.tfstate.backup')).toBe(false);
  });

  it('writes the state to the path of -state-out', async () => {
    const bench = await Workbench.with({ 'main.tf': MAIN });
    const { stdout } = await bench.run('apply -auto-approve -state-out=out.tfstate');
    expect(stdout).toContain('State path: out.tfstate\n');
    expect(await bench.exists('terraform.tfstate')).toBe(false);
    expect(await bench.exists('out.tfstate')).toBe(true);
  });

  it('writes the state elsewhere also where nothing changes', async () => {
    const bench = await Workbench.with({ 'main.tf': MAIN });
    await bench.run('apply -auto-approve');
    await bench.run('apply -auto-approve -state-out=out.tfstate');
    expect(await bench.read('out.tfstate')).toBe(await bench.read('terraform.tfstate'));
    await bench.run('refresh -state-out=refreshed.tfstate');
    expect(await bench.read('refreshed.tfstate')).toBe(await bench.read('terraform.tfstate'));
  });

  it('refuses values that contradict a saved plan', async () => {
    const bench = await Workbench.with({
      'main.tf': 'variable "v" {}\n\nresource "terraform_data" "a" {\n  input = var.v\n}\n',
    });
    await bench.run('plan -out=saved -var v=1');
    const other = await bench.run('apply -var v=2 saved');
    expect(other.code).toBe(1);
    expect(other.stderr).toContain("Error: Can't change variable when applying a saved plan");
    const environment = { TF_VAR_v: '3' };
    const warned = await bench.run('apply saved', { environment });
    expect(warned.code).toBe(0);
    expect(warned.stdout).toContain('Warning: Ignoring variable when applying a saved plan');
    expect(await bench.read('terraform.tfstate')).toContain('"value": "1"');
  });

  it('stops when it is interrupted while asking', async () => {
    const bench = await Workbench.with({ 'main.tf': MAIN });
    const { code, stdout, stderr } = await bench.run('apply', {
      input: ['yes'],
      onRead: (interrupt) => interrupt(),
    });
    expect(code).toBe(1);
    expect(stdout).toContain(
      'Interrupt received.\nPlease wait for Terrane to exit or data loss may occur.\nGracefully shutting down...\n',
    );
    expect(stderr).toContain('Error: error asking for approval: interrupted\n');
    expect(await bench.exists('terraform.tfstate')).toBe(false);
  });

  it('records operations that completed before a failure', async () => {
    const bench = await Workbench.with({
      'main.tf':
        'resource "terraform_data" "a" {\n  input = 1\n}\n\nresource "local_file" "b" {\n  filename = "/project/main.tf/x"\n  content  = terraform_data.a.id\n}\n',
    });
    const { code, stdout, stderr } = await bench.run('apply -auto-approve');
    expect(code).toBe(1);
    expect(stderr).toContain('Error: ');
    expect(stdout).not.toContain('Apply complete!');
    expect((await bench.run('state list')).stdout).toBe('terraform_data.a\n');
  });
});

describe('destroy', () => {
  it('has a separate prompt for a destroy', async () => {
    const bench = await Workbench.with({ 'main.tf': MAIN });
    await bench.run('apply -auto-approve');
    const no = await bench.run('destroy', { input: ['no'] });
    expect(no.stdout).toContain(
      "Do you really want to destroy all resources?\n  Terrane will destroy all your managed infrastructure, as shown above.\n  There is no undo. Only 'yes' will be accepted to confirm.\n\n  Enter a value: \nDestroy cancelled.\n",
    );
    const yes = await bench.run('destroy', { input: ['yes'] });
    expect(yes.code).toBe(0);
    expect(yes.stdout.endsWith('\nDestroy complete! Resources: 1 destroyed.\n')).toBe(true);
    expect((await bench.run('state list')).stdout).toBe('');
  });

  it('takes no plan file', async () => {
    const bench = await Workbench.with({ 'main.tf': MAIN });
    await bench.run('plan -out=saved');
    expect((await bench.run('destroy saved')).stderr).toContain(
      "Error: Destroy can't be called with a plan file",
    );
  });
});

describe('refresh', () => {
  it('warns that there is nothing, and shows outputs where there is something', async () => {
    const bench = await Workbench.with({ 'main.tf': MAIN });
    expect((await bench.run('refresh')).stdout).toContain('Warning: Empty or non-existent state');
    await bench.run('apply -auto-approve');
    const { code, stdout } = await bench.run('refresh');
    expect(code).toBe(0);
    expect(stdout).toContain('Outputs:\n\nit = "one"\n');
  });
});
