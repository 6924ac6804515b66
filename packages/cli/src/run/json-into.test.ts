import { describe, expect, it } from 'vitest';
import { Workbench } from '../testing/run-terrane.ts';

const MAIN = `
variable "key" {
  default   = "open sesame"
  sensitive = true
}
module "m" {
  source = "./m"
  old    = "x"
}
resource "terraform_data" "a" {
  input = var.key
}
output "a" {
  value     = terraform_data.a.output
  sensitive = true
}
`;
const MODULE = `
variable "old" {
  deprecated = "use new"
}
`;
const TESTS = `
run "one" {
  assert {
    condition     = terraform_data.a.input != ""
    error_message = "it is empty"
  }
}
`;

async function bench(): Promise<Workbench> {
  return await Workbench.with({ 'main.tf': MAIN, 'm/m.tf': MODULE, 'a.tftest.hcl': TESTS });
}

const timeless = (text: string): string =>
  text
    .replace(/"(@timestamp|created|id|timestamp)":"[^"]*"/g, '"$1":""')
    .replace(/[0-9a-f-]{36}/g, '');

describe('-json-into', () => {
  it.each([
    'init',
    'get',
    'validate',
    'plan',
    'apply -auto-approve',
    'apply -auto-approve -destroy',
    'refresh',
    'output',
    'output a',
    'show',
    'test',
  ])('of %s writes the output of -json to the file and prints the usual text', async (command) => {
    const [plain, json, into] = [await bench(), await bench(), await bench()];
    for (const each of [plain, json, into]) await each.run('apply -auto-approve');
    const [name = '', ...rest] = command.split(' ');
    const called = (option: string): string => [name, option, ...rest].join(' ');
    const shown = await plain.run(called(''));
    const asJson = await json.run(called('-json'));
    const both = await into.run(called('-json-into=out.json'));
    expect(both.code).toBe(shown.code);
    expect(timeless(both.stdout)).toBe(timeless(shown.stdout));
    expect(both.stderr).toBe(shown.stderr);
    const written = into.outputs.get('/project/out.json') ?? '';
    expect(written).not.toBe('');
    expect(timeless(written)).toBe(timeless(asJson.stdout));
  });

  it('contains a plan that is shown', async () => {
    const each = await bench();
    await each.run('plan -out=p');
    await each.run('show -json-into=out.json p');
    expect(each.outputs.get('/project/out.json')).toBe((await each.run('show -json p')).stdout);
  });

  it('hides secrets as -json does', async () => {
    const each = await bench();
    await each.run('plan -json-into=out.json');
    expect(each.outputs.get('/project/out.json')).toContain('planned_change');
    expect(each.outputs.get('/project/out.json')).not.toContain('open sesame');
  });

  it('contains the diagnostics', async () => {
    const each = await Workbench.with({ 'main.tf': 'output "a" { value = var.none }' });
    const { code, stderr } = await each.run('plan -json-into=out.json');
    expect(code).toBe(1);
    expect(stderr).toContain('Reference to undeclared input variable');
    expect(each.outputs.get('/project/out.json')).toContain('"type":"diagnostic"');
  });

  it.each([
    'plan',
    'apply',
    'destroy',
    'refresh',
    'init',
    'get',
    'validate',
    'output',
    'show',
    'test',
  ])('of %s reports the reason why the file cannot be written', async (command) => {
    const each = await bench();
    const { code, stderr } = await each.run(`${command} -json-into=none/out.json`);
    expect(code).toBe(1);
    expect(stderr.replace(/\s+/g, ' ')).toContain(
      'Unable to open the file "none/out.json" specified by -json-into for writing: open none/out.json: no such file or directory',
    );
  });

  it('excludes -json', async () => {
    const each = await bench();
    const { code, stdout } = await each.run('plan -json -json-into=out.json');
    expect(code).toBe(1);
    expect(stdout).toContain('The -json and -json-into arguments are mutually exclusive');
    expect(timeless(each.outputs.get('/project/out.json') ?? '')).toBe(timeless(stdout));
  });
});

describe('-deprecation', () => {
  it('omits deprecation warnings in the text output', async () => {
    const each = await bench();
    const warning = 'Deprecated variable got a value';
    for (const level of ['all', 'local', 'other'])
      expect((await each.run(`plan -deprecation=module:${level}`)).stdout).toContain(warning);
    expect((await each.run('plan -deprecation=module:none')).stdout).not.toContain(warning);
    expect((await each.run('plan -json -deprecation=module:none')).stdout).toContain(warning);
  });

  it('accepts only values that start with module', async () => {
    const { code, stderr } = await (await bench()).run('plan -deprecation=none');
    expect(code).toBe(1);
    expect(stderr).toContain('flag provided but not defined: -deprecation');
  });
});
