import { describe, expect, it } from 'vitest';
import { Workbench } from '../../testing/run-terrane.ts';

const MAIN = `variable "name" {
  default = "x"

  validation {
    condition     = var.name != "bad"
    error_message = "not bad"
  }
}

resource "terraform_data" "a" {
  input = var.name
}

resource "terraform_data" "never" {
  count = var.name == "never" ? 1 : 0
}

output "name" {
  value = terraform_data.a.output
}

check "c" {
  assert {
    condition     = var.name != "checked"
    error_message = "checked"
  }
}
`;

const run = (name: string, more: string): string => `run "${name}" {\n${more}\n}\n`;
const NAME_IS = (name: string): string =>
  `  assert {\n    condition     = output.name == "${name}"\n    error_message = "it is \${output.name}"\n  }`;

describe('test', () => {
  it('reports passed and failed runs with reasons', async () => {
    const bench = await Workbench.with({
      'main.tf': MAIN,
      'tests/a.tftest.hcl': run('good', NAME_IS('x')) + run('poor', NAME_IS('y')),
    });
    const { code, stdout, stderr } = await bench.run('test');
    expect(stdout).toBe(
      'tests/a.tftest.hcl... in progress\n  run "good"... pass\n  run "poor"... fail\ntests/a.tftest.hcl... tearing down\ntests/a.tftest.hcl... fail\n\nFailure! 1 passed, 1 failed.\n',
    );
    expect(stderr).toContain('output.name is "x"');
    expect(stderr).toContain('it is x');
    expect(code).toBe(1);
  });

  it('defers resources with unknown instances with -allow-deferral, as Terraform 1.17 does', async () => {
    const bench = await Workbench.with({
      'main.tf': `
resource "terraform_data" "a" { input = 1 }
resource "terraform_data" "b" {
  count = terraform_data.a.id == "x" ? 1 : 2
}
output "name" { value = tostring(length(terraform_data.b)) }
`,
      'a.tftest.hcl':
        run('planned', '  command = plan') + run('applied', '') + run('again', NAME_IS('2')),
    });
    const without = await bench.run('test');
    expect(without.stdout).toContain('Failure! 0 passed, 1 failed, 2 skipped.');
    const { stdout, stderr, code } = await bench.run('test -allow-deferral');
    expect(stderr).toBe('');
    expect(stdout).toContain('Success! 3 passed, 0 failed.');
    expect(code).toBe(0);
  });

  it('names the program as it was called when objects remain', async () => {
    const bench = await Workbench.with({
      'main.tf': `resource "terraform_data" "a" {
  input = 1
  lifecycle {
    postcondition {
      condition     = self.output.x == 1
      error_message = "no x"
    }
  }
}
`,
      'a.tftest.hcl': `override_resource {
  target = terraform_data.a
  values = { id = "mocked" }
}
${run('one', '')}`,
    });
    const { stderr, code } = await bench.run('test', { calledAs: 'terraform' });
    expect(stderr).toContain(
      'Terraform encountered an error destroying resources created while executing\na.tftest.hcl/one.\n',
    );
    expect(stderr).toContain('Terraform left the following resources in state after executing');
    expect(stderr).not.toContain('Terrane');
    expect(code).toBe(1);
  });

  it('leaves no state behind', async () => {
    const bench = await Workbench.with({ 'main.tf': MAIN, 'a.tftest.hcl': run('one', '') });
    expect((await bench.run('test')).code).toBe(0);
    expect(await bench.exists('terraform.tfstate')).toBe(false);
  });

  it('reports resources and conditions that are not exercised', async () => {
    const bench = await Workbench.with({
      'main.tf': MAIN,
      'a.tftest.hcl':
        run('one', NAME_IS('x')) +
        run(
          'bad',
          '  command = plan\n  variables {\n    name = "bad"\n  }\n  expect_failures = [var.name]',
        ),
    });
    const { stdout, code } = await bench.run('test -coverage');
    expect(code).toBe(0);
    expect(stdout).toContain(
      [
        'Coverage:',
        '  resources   1 of 2 (50 %), 1 of them applied',
        '  conditions  2 of 2 (100 %), 1 of them with both outcomes',
        '',
        'Not exercised:',
        '  - terraform_data.never (main.tf:14): in no plan',
        '  - assertion of check.c (main.tf:23): never failed',
        '',
      ].join('\n'),
    );
    const json = await bench.run('test -coverage -json');
    const last = JSON.parse(json.stdout.trim().split('\n').at(-1) ?? '');
    expect(last.type).toBe('test_coverage');
    expect(last.test_coverage.resources).toStrictEqual([
      { address: 'terraform_data.a', reached: 'applied', range: { file: 'main.tf', line: 10 } },
      { address: 'terraform_data.never', reached: 'none', range: { file: 'main.tf', line: 14 } },
    ]);
  });

  it('takes a .tofutest file in place of the .tftest file of the same name', async () => {
    const bench = await Workbench.with({
      'main.tf': MAIN,
      'a.tftest.hcl': run('terraform', ''),
      'a.tofutest.hcl': run('tofu', ''),
      'b.tftest.hcl': run('both', ''),
    });
    const { stdout } = await bench.run('test');
    expect(stdout).toContain('run "tofu"... pass');
    expect(stdout).toContain('run "both"... pass');
    expect(stdout).not.toContain('run "terraform"');
  });

  it('executes runs side by side that may, and others in their order', async () => {
    const parallel = (name: string, more = ''): string =>
      run(name, `  parallel  = true\n  state_key = "${name}"\n${more}`);
    const bench = await Workbench.with({
      'main.tf': MAIN,
      'a.tftest.hcl':
        parallel('a') +
        parallel('b', '  variables {\n    name = run.a.name\n  }') +
        run('after', NAME_IS('x')) +
        parallel('c'),
      'b.tftest.hcl': `test {\n  parallel = true\n}\n${run('d', '')}${run('e', '')}`,
    });
    for (const limit of [1, 10]) {
      const { stdout, code } = await bench.run(`test -run-parallelism=${limit}`);
      expect(code).toBe(0);
      expect(stdout.match(/run "\w+"/g)).toStrictEqual(
        ['a', 'b', 'after', 'c', 'd', 'e'].map((name) => `run "${name}"`),
      );
      expect(stdout).toContain('Success! 6 passed, 0 failed.');
    }
  });

  it('shows differences of multi-line values and of types; JSON output is that of OpenTofu', async () => {
    const assertion = 'condition = output.l == ["a"]\n error_message = "control: \\u0007"';
    const files = { 'main.tf': 'output "l" {\n  value = tolist(["a"])\n}\n' };
    const bench = await Workbench.with({
      ...files,
      'a.tftest.hcl': run('one', `assert {\n ${assertion}\n}`),
      'b.tofutest.hcl': run('two', `assert {\n ${assertion}\n}`),
    });
    const printed = await bench.run('test -junit-xml=o.xml');
    expect(
      printed.stderr.match(/Only the types differ: list of string on the left, tuple/g),
    ).toHaveLength(2);
    const report = await bench.read('o.xml');
    expect(report).toContain('control: \ufffd');
    expect(report).not.toContain('\u0007');
    expect(report.match(/Only the types differ/g)).toHaveLength(1);
    const { stdout } = await bench.run('test -json');
    const failures = stdout.split('\n').filter((line) => line.includes('Test assertion failed"'));
    expect(failures.map((line) => line.includes('"difference":{"before":["a"]'))).toStrictEqual([
      false,
      true,
    ]);
  });

  it('refuses remote runs, and warns of files that are not there', async () => {
    const bench = await Workbench.with({ 'main.tf': MAIN });
    const refused = await bench.run('test -cloud-run=app.terraform.io/a/b/c');
    expect(refused.code).toBe(1);
    expect(refused.stderr).toContain('Remote test runs are not supported');
    const astray = await bench.run('test -filter=nope.tftest.hcl');
    expect(astray.code).toBe(0);
    expect(astray.stdout).toContain('Unknown test file');
  });

  it('uses the mock values of ephemeral resources', async () => {
    const bench = await Workbench.with({
      'main.tf': `ephemeral "random_password" "p" {\n  length = 8\n}\nlocals {\n  p = ephemeral.random_password.p.result\n}\ncheck "c" {\n  assert {\n    condition     = local.p == "mocked"\n    error_message = "not mocked"\n  }\n}\n`,
      'a.tftest.hcl': `mock_provider "random" {\n  mock_ephemeral "random_password" {\n    defaults = {\n      result = "mocked"\n    }\n  }\n}\n${run('one', '  command = plan')}`,
    });
    const { stdout, stderr } = await bench.run('test');
    expect(stderr).toBe('');
    expect(stdout).toContain('run "one"... pass');
  });

  it('keeps the state of a failed teardown, continues, and removes its objects later', async () => {
    const stuck = `resource "terraform_data" "a" {\n  provisioner "local-exec" {\n    when    = destroy\n    command = "exit 1"\n  }\n}\n`;
    const bench = await Workbench.with({ 'main.tf': stuck, 'a.tftest.hcl': run('one', '') });
    for (let times = 0; times < 2; times++) {
      const { code, stdout, stderr } = await bench.run('test');
      expect(code).toBe(1);
      expect(stdout).toContain('run "one"... pass');
      expect(stderr).toContain('  - terraform_data.a');
    }
    expect((await bench.run('test cleanup')).code).toBe(1);
    await bench.write('main.tf', 'resource "terraform_data" "a" {}\n');
    const { code, stdout, stderr } = await bench.run('test cleanup -no-color');
    expect(stderr).toBe('');
    expect(code).toBe(0);
    expect(stdout).toContain('Success!');
    const manifest = await bench.read('.terraform/test/manifest.json');
    expect(JSON.parse(manifest)).toStrictEqual({ version: 0, files: {} });
  });

  // As OpenTofu 1.12.6 does, whose messages of tests are not Terraform's.
  it.each([
    ['main.tofu', 'a.tofutest.hcl', ['pass', 'pass', 'pass', 'pass', 'pass']],
    ['main.tofu', 'a.tftest.hcl', ['pass', 'pass', 'pass', 'pass', 'pass']],
    ['main.tf', 'a.tftest.hcl', ['pass', 'fail', 'pass', 'fail', 'pass']],
  ])('overrides objects of earlier runs in %s by %s: %s', async (file, tests, statuses) => {
    const override = `  override_resource {\n    target = terraform_data.a\n    values = { id = "fixed" }\n  }\n`;
    const expects = (condition: string): string =>
      `  assert {\n    condition     = ${condition}\n    error_message = "x"\n  }`;
    const bench = await Workbench.with({
      [file]: `variable "n" {\n  default = 1\n}\nresource "terraform_data" "a" {\n  input = var.n\n}\nresource "terraform_data" "b" {\n  input = terraform_data.a.id\n}\noutput "a" {\n  value = terraform_data.a.id\n}\noutput "b" {\n  value = terraform_data.b.output\n}\n`,
      [tests]: [
        run('first', ''),
        run('planned', `  command = plan\n${override}${expects('output.a == "fixed"')}`),
        run('not_overridden', `  command = plan\n${expects('output.a != "fixed"')}`),
        run(
          'applied',
          `  variables {\n    n = 2\n  }\n${override}${expects('output.a == "fixed" && output.b == "fixed"')}`,
        ),
        run('last', ''),
      ].join(''),
    });
    const { stdout } = await bench.run('test');
    expect(Array.from(stdout.matchAll(/run "\w+"\.\.\. (\w+)/g), ([, status]) => status)).toEqual(
      statuses,
    );
  });

  // As OpenTofu 1.12.6 does.
  it('has mock providers stand for each instance of a provider', async () => {
    const bench = await Workbench.with({
      'main.tofu': `locals {\n  regions = { east = "e", west = "w" }\n}\nprovider "local" {\n  alias    = "by_region"\n  for_each = local.regions\n}\nresource "local_file" "f" {\n  for_each = local.regions\n  provider = local.by_region[each.key]\n  filename = each.value\n  content  = each.key\n}\noutput "name" {\n  value = join(" ", [for file in local_file.f : file.id])\n}\n`,
      'a.tofutest.hcl': `mock_provider "local" {\n  alias    = "by_region"\n  for_each = { east = 1, west = 2 }\n  mock_resource "local_file" {\n    defaults = { id = "made up" }\n  }\n}\n${run('one', NAME_IS('made up made up'))}`,
    });
    const { stdout, stderr } = await bench.run('test');
    expect(stderr).toBe('');
    expect(stdout).toContain('run "one"... pass');
    expect(await bench.exists('e')).toBe(false);
    await bench.write('a.tofutest.hcl', 'mock_provider "local" {\n  for_each = {}\n}\n');
    const without = await bench.run('test');
    expect(without.stderr).toContain('Alias required when using "for_each"');
  });

  // As Terraform since 1.13 does.
  it('lets variables of a file refer to runs before, and to each other', async () => {
    const bench = await Workbench.with({
      'main.tf': MAIN,
      'setup/main.tf': 'output "name" {\n  value = "set up"\n}\n',
      'a.tftest.hcl': `variables {\n  name  = var.whole\n  whole = "\${run.setup.name}!"\n}\n${run('setup', '  module {\n    source = "./setup"\n  }')}${run('one', NAME_IS('set up!'))}`,
      'b.tftest.hcl': `variables {\n  name = run.late.name\n}\n${run('early', '')}${run('late', '')}`,
      'c.tftest.hcl': `variables {\n  name = var.name\n}\n${run('one', '')}`,
    });
    const { stdout, stderr } = await bench.run('test');
    expect(stdout).toContain('run "one"... pass');
    expect(stderr).toContain('The run block "late" has not executed yet.');
    expect(stderr).toContain('The input variable "name" is not available to the current context.');
  });

  // As OpenTofu 1.12.6 does; to Terraform the first of them is unknown, and the second not available.
  it('uses mock values of a .tofutest file in plans, and variable defaults in runs', async () => {
    const tests = `mock_provider "local" {\n}\noverride_resource {\n  target = terraform_data.a\n  values = { output = "overridden" }\n}\n${run('one', `  command = plan\n  variables {\n    name = "\${var.name}-y"\n  }\n${NAME_IS('overridden')}\n  assert {\n    condition     = var.name == "x-y" && length(local_file.f.id) == 8\n    error_message = "known"\n  }`)}`;
    const bench = await Workbench.with({
      'main.tf': `${MAIN}\nresource "local_file" "f" {\n  filename = "f"\n  content  = "f"\n}\n`,
      'a.tofutest.hcl': tests,
    });
    const { stdout, stderr } = await bench.run('test');
    expect(stderr).toBe('');
    expect(stdout).toContain('run "one"... pass');
    // Apply uses the values that the mock generated for the plan.
    await bench.write('a.tofutest.hcl', `mock_provider "local" {\n}\n${run('one', '')}`);
    expect((await bench.run('test')).code).toBe(0);
    const other = await Workbench.with({ 'main.tf': MAIN, 'a.tftest.hcl': tests });
    expect((await other.run('test')).stderr).toContain('Reference to unavailable variable');
  });

  it('executes modules of any source, once they are installed', async () => {
    const bench = await Workbench.with({
      'main.tf': MAIN,
      'a.tofutest.hcl': run(
        'one',
        '  module {\n    source = "git::https://example.com/m.git"\n  }',
      ),
    });
    expect((await bench.run('test')).stderr).toContain('This module is not yet installed.');
    await bench.write('fetched/main.tf', 'output "name" {\n  value = "there"\n}\n');
    const module = { Source: 'git::https://example.com/m.git', Dir: 'fetched' };
    const Modules = [
      { Key: '', Source: '', Dir: '.' },
      { Key: 'test.a.tofutest.hcl.one', ...module },
    ];
    await bench.write('.terraform/modules/modules.json', JSON.stringify({ Modules }));
    const { stdout, stderr } = await bench.run('test');
    expect(stderr).toBe('');
    expect(stdout).toContain('run "one"... pass');
  });
});
