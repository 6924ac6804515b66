// Options and output of Terraform 1.16 and 1.17; expected texts are what its development version prints.
import { describe, expect, it } from 'vitest';
import { Workbench } from '../testing/run-terrane.ts';

const FILES = {
  'main.tf': `resource "terraform_data" "a" {}
resource "terraform_data" "b" {
  input = terraform_data.a.id
}
variable "v" {
  default = 1
}
module "m" {
  source   = "./m"
  for_each = toset(["k"])
  x        = "given"
}
output "o" {
  value = var.v
}
`,
  'm/main.tf': `variable "x" {}
locals {
  twice = "\${var.x}-\${var.x}"
}
resource "terraform_data" "in" {
  input = var.x
}
module "n" {
  source = "../n"
}
`,
  'n/main.tf': 'resource "terraform_data" "deep" {}\n',
};

async function applied(): Promise<Workbench> {
  const bench = await Workbench.with(FILES);
  expect((await bench.run('apply -auto-approve')).code).toBe(0);
  return bench;
}

describe('graph -format=mermaid', () => {
  it('prints the resources as a flowchart', async () => {
    const { code, stdout } = await (await Workbench.with(FILES)).run('graph -format=mermaid');
    expect(code).toBe(0);
    expect(stdout).toBe(`flowchart LR
  terraform_data.a["terraform_data.a"]
  terraform_data.b["terraform_data.b"]
  subgraph module.m
    module.m.terraform_data.in["terraform_data.in"]
  end
  subgraph module.m.module.n
    module.m.module.n.terraform_data.deep["terraform_data.deep"]
  end
  terraform_data.b --> terraform_data.a
`);
  });

  it('suggests a remedy without resources', async () => {
    const { stdout } = await new Workbench().run('graph -format=mermaid', {
      calledAs: 'terraform',
    });
    expect(stdout).toBe(`flowchart LR
  %% This configuration does not contain any resources.
  %% For a more detailed graph, try: terraform graph -type=plan
`);
  });

  it('prints the order of an operation', async () => {
    const { stdout } = await (await Workbench.with(FILES)).run('graph -format=mermaid -type=plan');
    expect(stdout).toMatch(/^flowchart LR\n {2}n0/);
    const id = (label: string): string =>
      new RegExp(`^ {2}(n\\d+)\\["${label.replaceAll('.', '\\.')}"\\]$`, 'm').exec(stdout)?.[1] ??
      '?';
    expect(stdout).toContain(`${id('terraform_data.b')} --> ${id('terraform_data.a')}\n`);
  });

  it('refuses other formats', async () => {
    const bench = await Workbench.with(FILES);
    const { code, stderr } = await bench.run('graph -format=png');
    expect({ code, stderr }).toEqual({
      code: 1,
      stderr: 'Unsupported graph format: png. The formats are "dot" and "mermaid".\n',
    });
    expect((await bench.run('graph -format=dot')).stdout).toBe((await bench.run('graph')).stdout);
    expect((await bench.run('graph -html -format=mermaid')).code).toBe(1);
  });
});

describe('console -scope', () => {
  it.each([
    ['module.m["k"]', 'local.twice', '"given-given"\n'],
    ['module.m["k"]', 'terraform_data.in.output', '"given"\n'],
    ['module.m["k"].module.n', 'terraform_data.deep.id != ""', 'true\n'],
  ])('evaluates in %s: %s', async (scope, expression, answer) => {
    const bench = await applied();
    for (const plan of [[], ['-plan']]) {
      const ran = await bench.run(['console', `-scope=${scope}`, ...plan], { input: [expression] });
      expect(ran).toEqual({ code: 0, stdout: answer, stderr: '' });
    }
  });

  it('has no access to other modules', async () => {
    const bench = await applied();
    const ran = await bench.run(['console', '-scope=module.m["k"]'], { input: ['var.v'] });
    expect(ran.code).toBe(1);
    expect(ran.stderr).toContain('Reference to undeclared input variable');
  });

  it.each([
    ['module.m["l"]', 'Did you mean "module.m["k"]"?'],
    ['module.zz', 'no module instance module.zz, so expressions cannot be'],
    ['terraform_data.a', 'A module instance address must begin with "module."'],
    ['a..', 'Invalid scope "a.."'],
  ])('refuses %s', async (scope, message) => {
    const bench = await applied();
    const ran = await bench.run(['console', `-scope=${scope}`], { input: ['1'] });
    expect({ code: ran.code, stdout: ran.stdout }).toEqual({ code: 1, stdout: '' });
    expect(ran.stderr.replaceAll('\\"', '"').replaceAll(/\s*\n\s*/g, ' ')).toContain(message);
  });
});

describe('modules', () => {
  it('takes variables, which sources may depend on', async () => {
    const bench = await Workbench.with({
      ...FILES,
      'main.tf':
        'variable "dir" {\n  const = true\n}\nmodule "m" {\n  source = "./${var.dir}"\n}\n',
    });
    const { code, stdout } = await bench.run('modules -json -var=dir=n');
    expect(code).toBe(0);
    expect(JSON.parse(stdout)).toMatchObject({ modules: [{ key: 'm', source: './n' }] });
  });
});

describe('one JSON document', () => {
  it('lists workspaces', async () => {
    const bench = await applied();
    await bench.run('workspace new other');
    const { stdout } = await bench.run('workspace list -json');
    expect(stdout).toBe(`{
  "format_version": "1.0",
  "workspaces": [
    {
      "name": "default"
    },
    {
      "name": "other",
      "is_current": true
    }
  ],
  "diagnostics": []
}
`);
    const overridden = await bench.run('workspace list -json', {
      environment: { TF_WORKSPACE: 'x' },
    });
    expect(JSON.parse(overridden.stdout)).toMatchObject({
      diagnostics: [
        { severity: 'warning', summary: expect.stringContaining('is being overridden') },
      ],
    });
    const wrong = await bench.run('workspace list -json a');
    expect(wrong).toMatchObject({ code: 1, stderr: '' });
    expect(JSON.parse(wrong.stdout)).toEqual({
      format_version: '1.0',
      workspaces: [],
      diagnostics: [
        {
          severity: 'error',
          summary: 'Too many command line arguments. Did you mean to use -chdir?',
          detail: '',
        },
      ],
    });
  });

  it('shows an instance', async () => {
    const bench = await applied();
    const shown = await bench.run(['state', 'show', '-json', 'module.m["k"].terraform_data.in']);
    expect(shown.stdout).toMatch(/^\{\n {2}"format_version": "1.0",\n {2}"resource": \{\n/);
    expect(JSON.parse(shown.stdout)).toMatchObject({
      resource: {
        address: 'module.m["k"].terraform_data.in',
        mode: 'managed',
        type: 'terraform_data',
        name: 'in',
        provider_name: 'terraform.io/builtin/terraform',
        schema_version: 0,
        values: { input: 'given', output: 'given' },
        sensitive_values: {},
      },
      diagnostics: [],
    });
    const missing = await bench.run('state show -json terraform_data.zz');
    expect(missing).toMatchObject({ code: 1, stderr: '' });
    expect(JSON.parse(missing.stdout)).toMatchObject({
      resource: { provider_name: '', schema_version: 0 },
      diagnostics: [{ summary: expect.stringContaining('No instance found') }],
    });
  });

  it('is lines by the name of OpenTofu', async () => {
    const bench = await applied();
    const { stdout } = await bench.run('workspace list -json', { calledAs: 'tofu' });
    const lines = stdout
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line) as object);
    expect(lines[1]).toMatchObject({ type: 'workspace_list', workspaces: ['default'] });
  });
});

it('workspace new refuses an empty name', async () => {
  const bench = await applied();
  for (const line of [
    ['workspace', 'new', ''],
    ['workspace', 'select', '-or-create', ''],
  ])
    expect(await bench.run(line)).toMatchObject({
      code: 1,
      stderr: expect.stringContaining('and not be an empty string'),
    });
  expect((await bench.run('workspace list')).stdout).toBe('* default\n\n');
});
