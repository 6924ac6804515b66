import { describe, expect, it } from 'vitest';
import { Workbench } from '../testing/run-terrane.ts';

const MAIN = `
resource "terraform_data" "a" {
  input = "x"
}
resource "null_resource" "n" {}
`;

async function applied(): Promise<Workbench> {
  const bench = await Workbench.with({ 'main.tf': MAIN });
  await bench.run('apply -auto-approve');
  return bench;
}

type Message = Readonly<Record<string, unknown>>;

function messages(text: string): readonly Message[] {
  // Each line is an object.
  return text
    .trimEnd()
    .split('\n')
    .map((line) => JSON.parse(line) as Message);
}

const texts = (text: string): readonly unknown[] =>
  messages(text).map((message) => message['@message']);

describe('commands with a few messages', () => {
  it.each([
    ['state list', ['null_resource.n', 'terraform_data.a']],
    [
      'state rm terraform_data.a',
      ['Removed terraform_data.a', 'Successfully removed 1 resource instance(s)'],
    ],
    ['taint terraform_data.a', ['Resource instance terraform_data.a has been marked as tainted.']],
    ['workspace list', ['list of workspaces']],
    [
      'state replace-provider -auto-approve hashicorp/null example/null',
      [
        'Terrane will replace provider from registry.terraform.io/hashicorp/null to registry.terraform.io/example/null for 1 resources',
        'Successfully replaced provider for 1 resources',
      ],
    ],
  ])('%s tells programs, and tells them besides people', async (command, expected) => {
    const words = command.split(' ');
    const last = words.findLastIndex((word, index) => index < 2 && !word.includes('.'));
    const called = (option: string): string => words.toSpliced(last + 1, 0, option).join(' ');
    const { code, stdout, stderr } = await (
      await applied()
    ).run(called('-json'), {
      // Terraform prints one document of the workspaces, and OpenTofu lines.
      ...(command === 'workspace list' ? { calledAs: 'tofu' } : {}),
    });
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
    const [version, ...rest] = texts(stdout);
    expect(version).toMatch(/^Terraform /);
    expect(rest).toEqual(expected);
    const bench = await applied();
    const shown = await bench.run(called('-json-into=out.json'));
    expect(shown).toEqual(await (await applied()).run(command));
    expect(texts(bench.outputs.get('/project/out.json') ?? '').slice(1)).toEqual(expected);
  });

  it('show one instance as a state of its own', async () => {
    const { stdout } = await (
      await applied()
    ).run('state show -json terraform_data.a', { calledAs: 'tofu' });
    const [, document] = stdout.trimEnd().split('\n');
    expect(JSON.parse(document ?? '')).toMatchObject({
      values: { root_module: { resources: [{ address: 'terraform_data.a' }] } },
    });
    expect(document).not.toContain('null_resource');
  });

  it('report an import, and the versions once', async () => {
    const bench = await applied();
    await bench.run('state rm terraform_data.a');
    const { code, stdout } = await bench.run('import -json terraform_data.a some-id');
    expect(code).toBe(0);
    expect(messages(stdout).filter(({ type }) => type === 'version')).toHaveLength(1);
    expect(texts(stdout).at(-1)).toBe(
      'Import successful! The resources that were imported are shown above. These resources are now in your Terrane state and will henceforth be managed by Terrane',
    );
  });

  it('report errors as diagnostics, without help', async () => {
    const bench = await applied();
    for (const command of [
      'state mv -json a',
      'workspace new -json -nope',
      'import -json none.x id',
      'force-unlock -json id',
      'state replace-provider -json a/b c/d',
    ]) {
      const { code, stdout, stderr } = await bench.run(command);
      expect({ command, code, stderr }).toEqual({ command, code: 1, stderr: '' });
      expect(messages(stdout).at(-1)).toMatchObject({ '@level': 'error' });
    }
  });

  it('have other names', async () => {
    const bench = await applied();
    expect((await bench.run('state ls')).stdout).toBe((await bench.run('state list')).stdout);
    expect((await bench.run('state move terraform_data.a terraform_data.b')).code).toBe(0);
    expect((await bench.run('state remove terraform_data.b')).code).toBe(0);
  });

  it('accept variables that determine the location of the state', async () => {
    const backend =
      'variable "dir" {}\nterraform {\n  backend "local" {\n    path = "${var.dir}/s"\n  }\n}\n';
    const bench = await Workbench.with({ 'main.tf': MAIN, 'backend.tf': backend });
    await bench.run('init -var dir=d');
    await bench.run('apply -auto-approve -var dir=d');
    for (const command of ['state list', 'state pull', 'output', 'workspace list', 'graph', 'show'])
      expect({ command, ...(await bench.run(`${command} -var dir=d`)) }).toMatchObject({ code: 0 });
    expect((await bench.run('state list -var dir=d')).stdout).toContain('terraform_data.a');
  });

  it('write the results of the console', async () => {
    const bench = await applied();
    const { stdout } = await bench.run('console -json-into=out.json', { input: ['1 + 2'] });
    expect(stdout).toBe('3\n');
    expect(texts(bench.outputs.get('/project/out.json') ?? '').slice(1)).toEqual(['3']);
  });
});
