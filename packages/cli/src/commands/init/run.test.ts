import { describe, expect, it } from 'vitest';
import { Workbench } from '../../testing/run-terrane.ts';

const MAIN = 'module "m" {\n  source = "./m"\n}\n\nresource "null_resource" "a" {}\n';

describe('init', () => {
  it('reports the providers, and writes only the module manifest', async () => {
    const bench = await Workbench.with({
      'main.tf': MAIN,
      'm/main.tf': 'resource "terraform_data" "x" {}\n',
    });
    const { code, stdout } = await bench.run('init');
    expect(code).toBe(0);
    expect(stdout).toMatch(
      /^Initializing the backend\.\.\.\nInitializing modules\.\.\.\n- m in m\nInitializing provider plugins\.\.\.\n- terraform\.io\/builtin\/terraform is built in to Terrane\n- Using hashicorp\/null v[\d.]+, which is bundled with Terrane\n\nTerrane has been successfully initialized!\n\nYou may now begin/,
    );
    expect(await bench.read('.terraform/modules/modules.json')).toBe(
      '{"Modules":[{"Key":"","Source":"","Dir":"."},{"Key":"m","Source":"./m","Dir":"m"}]}',
    );
    expect(await bench.exists('.terraform/providers')).toBe(false);
    expect(await bench.exists('.terraform.lock.hcl')).toBe(false);
  });

  it('sets no backend up where a cloud block is there too', async () => {
    const bench = await Workbench.with({
      'main.tf': 'terraform {\n  backend "local" {}\n  cloud {}\n}\n',
    });
    const { code, stdout } = await bench.run('init');
    expect(code).toBe(1);
    expect(stdout).not.toContain('Successfully configured');
    expect(await bench.exists('.terraform/terraform.tfstate')).toBe(false);
  });

  it('speaks JSON', async () => {
    const bench = await Workbench.with({ 'main.tf': MAIN, 'm/main.tf': '' });
    const lines = (await bench.run('init -json')).stdout
      .trimEnd()
      .split('\n')
      .map((line) => JSON.parse(line) as { type: string; message_code?: string });
    expect(lines.map((line) => line.message_code ?? line.type)).toEqual([
      'version',
      'initializing_backend_message',
      'initializing_modules_message',
      'log',
      'initializing_provider_plugin_message',
      'log',
      'output_init_success_message',
      'output_init_success_cli_message',
    ]);
  });

  it('reports an empty directory', async () => {
    const { code, stdout } = await new Workbench().run('init');
    expect(code).toBe(0);
    expect(stdout).toContain('Terrane initialized in an empty directory!');
  });

  it('reports errors in the configuration', async () => {
    const bench = await Workbench.with({ 'main.tf': 'resource "a" {\n}\n' });
    const { code, stderr } = await bench.run('init');
    expect(code).toBe(1);
    expect(stderr).toContain('Terrane encountered problems during initialisation');
    expect(stderr).toContain('on main.tf line 1');
  });

  it('queries a registry for versions that no bundled provider has', async () => {
    const bench = await Workbench.with({
      'main.tf':
        'terraform {\n  required_providers {\n    null = {\n      source  = "hashicorp/null"\n      version = "99.0.0"\n    }\n  }\n}\n',
    });
    const { code, stdout, stderr } = await bench.run('init');
    expect(code).toBe(1);
    expect(stdout).toContain('- Finding hashicorp/null versions matching "99.0.0"...\n');
    expect(stderr.replaceAll('\n', ' ')).toContain('could not connect to registry.opentofu.org');
  });

  it('sets up the backend that files and arguments of the command line complete', async () => {
    const bench = await Workbench.with({
      'main.tf': 'terraform {\n  backend "local" {\n  }\n}\n',
      'b.hcl': 'path = "a.tfstate"\nworkspace_dir = "w"\n',
    });
    const { code, stdout } = await bench.run(
      'init -backend-config=b.hcl -backend-config=path=b.tfstate',
    );
    expect(code).toBe(0);
    expect(stdout).toContain('Successfully configured the backend "local"!');
    expect(JSON.parse(await bench.read('.terraform/terraform.tfstate'))).toEqual({
      version: 3,
      terraform_version: '1.11.4',
      backend: {
        type: 'local',
        config: { path: 'b.tfstate', workspace_dir: 'w' },
        hash: 666019178,
      },
    });
    expect((await bench.run('plan')).code).toBe(0);
    expect((await bench.run('init')).stderr).toBe('');
    expect((await bench.run('init -backend-config=path=c')).stderr).toContain(
      'Error: Backend configuration changed',
    );
    expect((await bench.run('init -backend-config=x=c')).stderr).toContain(
      'Error: Invalid backend configuration argument',
    );
    expect((await bench.run('init -backend-config=nowhere')).stderr).toContain(
      'The file "nowhere" could not be read.',
    );
  });

  it('moves the state along with the backend', async () => {
    const resource = 'resource "terraform_data" "x" {}\n';
    const bench = await Workbench.with({ 'main.tf': resource });
    await bench.run('apply -auto-approve');
    const state = await bench.read('terraform.tfstate');
    await bench.write(
      'main.tf',
      `terraform {\n  backend "local" {\n    path = "a/b"\n  }\n}\n${resource}`,
    );
    expect((await bench.run('init -input=false')).stderr).toContain(
      "Can't ask approval for state migration when interactive input is disabled.",
    );
    const { code, stdout } = await bench.run('init', { input: ['yes'] });
    expect(code).toBe(0);
    expect(stdout).toContain('Do you want to copy existing state to the new backend?');
    expect(await bench.read('a/b')).toBe(state);
    expect(await bench.read('terraform.tfstate')).toBe('');
    expect(await bench.read('terraform.tfstate.backup')).toBe(state);
    await bench.write('main.tf', resource);
    expect((await bench.run('plan')).stderr).toContain(
      'Reason: Unsetting the previously set backend "local"',
    );
    expect((await bench.run('init -force-copy')).stdout).toContain(
      'Successfully unset the backend "local".',
    );
    expect(await bench.read('terraform.tfstate')).toBe(state);
    expect((await bench.run('plan -detailed-exitcode')).code).toBe(0);
  });
});

it('get lists modules', async () => {
  const bench = await Workbench.with({ 'main.tf': MAIN, 'm/main.tf': '' });
  expect(await bench.run('get')).toEqual({ code: 0, stdout: '- m in m\n', stderr: '' });
});

it('providers shows a tree of modules and their requirements', async () => {
  const bench = await Workbench.with({
    'main.tf': MAIN,
    'm/main.tf': 'resource "random_pet" "x" {}\n',
  });
  expect((await bench.run('providers')).stdout).toBe(
    '\nProviders required by configuration:\n.\n├── provider[registry.terraform.io/hashicorp/null]\n└── module.m\n    └── provider[registry.terraform.io/hashicorp/random]\n\n',
  );
});

describe('validate', () => {
  it('validates, and reports errors', async () => {
    const bench = await Workbench.with({
      'main.tf': 'variable "x" {}\n\noutput "y" {\n  value = var.x\n}\n',
    });
    expect((await bench.run('validate')).stdout).toBe('Success! The configuration is valid.\n\n');
    await bench.write('more.tf', 'output "z" {\n  value = var.nope\n}\n');
    const { code, stderr } = await bench.run('validate');
    expect(code).toBe(1);
    expect(stderr).toContain('Error: Reference to undeclared input variable');
    const json = await bench.run('validate -json');
    expect(json.code).toBe(1);
    expect(JSON.parse(json.stdout)).toMatchObject({
      valid: false,
      error_count: 1,
      warning_count: 0,
    });
  });
});
