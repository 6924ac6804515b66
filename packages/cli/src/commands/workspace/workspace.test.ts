import { expect, it } from 'vitest';
import { Workbench } from '../../testing/run-terrane.ts';

const MAIN = 'resource "terraform_data" "a" {\n  input = terraform.workspace\n}\n';

it('workspaces are created, selected, listed and deleted, each with a separate state', async () => {
  const bench = await Workbench.with({ 'main.tf': MAIN });
  expect((await bench.run('workspace list')).stdout).toBe('* default\n\n');
  const made = await bench.run('workspace new dev');
  expect(made.code).toBe(0);
  expect(made.stdout).toContain('Created and switched to workspace "dev"!');
  expect((await bench.run('workspace show')).stdout).toBe('dev\n');
  await bench.run('apply -auto-approve');
  expect(await bench.exists('terraform.tfstate.d/dev/terraform.tfstate')).toBe(true);
  expect((await bench.run('workspace select default')).stdout).toBe(
    'Switched to workspace "default".\n',
  );
  expect((await bench.run('state list')).code).toBe(1);
  const full = await bench.run('workspace delete dev');
  expect(full.code).toBe(1);
  expect(full.stderr).toContain('Error: Workspace is not empty');
  expect(full.stderr).toContain('  - terraform_data.a');
  const forced = await bench.run('workspace delete -force dev');
  expect(forced.stdout).toContain('Deleted workspace "dev"!\nWARNING: "dev" was non-empty.');
  expect((await bench.run('workspace list')).stdout).toBe('* default\n\n');
});

it('the environment overrides the selected workspace', async () => {
  const bench = await Workbench.with({ 'main.tf': MAIN });
  const environment = { TF_WORKSPACE: 'ci' };
  expect((await bench.run('workspace show', { environment })).stdout).toBe('ci\n');
  expect(
    (await bench.run('workspace show', { environment: { TERRANE_WORKSPACE: 'x' } })).stdout,
  ).toBe('x\n');
  expect((await bench.run('plan', { environment })).stdout).toContain('input  = "ci"');
  expect((await bench.run('workspace select default', { environment })).code).toBe(1);
  expect((await bench.run('plan', { environment: { TF_WORKSPACE: 'a/b' } })).stderr).toContain(
    'Error: Invalid workspace name set using TF_WORKSPACE',
  );
});

it.each([
  ['workspace new', 'Expected a single argument: NAME.'],
  ['workspace new a/b', 'The workspace name "a/b" is not allowed.'],
  ['workspace new default', 'Workspace "default" already exists'],
  ['workspace select nope', 'Workspace "nope" doesn\'t exist.'],
  ['workspace delete nope', 'Workspace "nope" doesn\'t exist.'],
  ['workspace delete default', 'Workspace "default" is your active workspace.'],
])('%s is refused', async (command, message) => {
  const { code, stderr } = await new Workbench().run(command);
  expect(code).toBe(1);
  expect(stderr).toContain(message);
});

it('a workspace is made where it is missing, and from a state', async () => {
  const bench = await Workbench.with({ 'main.tf': MAIN });
  await bench.run('apply -auto-approve');
  expect((await bench.run('workspace select -or-create=true dev')).stdout).toContain(
    'Created and switched',
  );
  expect((await bench.run('workspace new -state=terraform.tfstate copy')).code).toBe(0);
  expect((await bench.run('state list')).stdout).toBe('terraform_data.a\n');
});

it('a workspace is not made from a file that holds no state', async () => {
  const bench = await Workbench.with({ 'main.tf': MAIN, 'empty.tfstate': '' });
  const { code, stderr } = await bench.run('workspace new -state=empty.tfstate copy');
  expect([code, stderr]).toEqual([1, 'no state\n']);
  expect((await bench.run('workspace list')).stdout).toBe('* default\n\n');
});

it('the default workspace is reported as in use before it is reported as undeletable', async () => {
  const bench = await Workbench.with({ 'main.tf': MAIN });
  await bench.run('apply -auto-approve');
  await bench.run('workspace new dev');
  expect((await bench.run('workspace delete default')).stderr).toContain('Workspace is not empty');
  expect(await bench.run('workspace delete -force default')).toMatchObject({
    code: 1,
    stderr: 'cannot delete default state\n',
  });
});

it('a backend without workspaces has none to be listed, made or selected', async () => {
  const text = 'terraform {\n  backend "http" {\n    address = "http://localhost:1/x"\n  }\n}\n';
  const bench = await Workbench.with({
    'main.tf': text,
    '.terraform/terraform.tfstate': JSON.stringify({
      version: 3,
      backend: { type: 'http', config: { address: 'http://localhost:1/x' }, hash: 1 },
    }),
  });
  for (const command of ['list', 'new dev', 'select dev', 'delete dev']) {
    const { code, stderr } = await bench.run(`workspace ${command}`);
    const failed = command === 'new dev' ? 'Failed to get configured named states: ' : '';
    expect([command, code, stderr]).toEqual([command, 1, `${failed}workspaces not supported\n`]);
  }
});

it('the data directory may be elsewhere', async () => {
  const bench = await Workbench.with({ 'main.tf': MAIN });
  const environment = { TF_DATA_DIR: 'data' };
  await bench.run('workspace new dev', { environment });
  expect(await bench.read('data/environment')).toBe('dev');
  expect((await bench.run('workspace show')).stdout).toBe('default\n');
});

it('a failure to list workspaces is reported in one line', async () => {
  const bench = await Workbench.with({ 'main.tf': MAIN, 'terraform.tfstate.d': 'a file' });
  for (const command of ['list', 'new dev', 'select dev', 'delete dev']) {
    const { code, stderr } = await bench.run(`workspace ${command}`);
    expect(code).toBe(1);
    expect(stderr).toMatch(
      /^(?:Failed to get configured named states: )?open .*terraform\.tfstate\.d: .*\n$/,
    );
  }
});
