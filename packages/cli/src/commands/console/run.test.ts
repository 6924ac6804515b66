import { describe, expect, it } from 'vitest';
import { Workbench } from '../../testing/run-terrane.ts';

const MAIN = `variable "v" {
  default = "given"
}

variable "missing" {
  type = number
}

locals {
  l = [1, 2]
}

resource "terraform_data" "a" {
  input = { k = "v" }
}
`;

it.each([
  ['1 + 1', '2'],
  ['var.v', '"given"'],
  ['local.l', '[\n  1,\n  2,\n]'],
  ['upper(var.v)', '"GIVEN"'],
  ['var.missing', '(known after apply)'],
  ['type(local.l)', 'tuple([\n    number,\n    number,\n])'],
  ['terraform.workspace', '"default"'],
])('%s is %s', async (expression, answer) => {
  const bench = await Workbench.with({ 'main.tf': MAIN });
  expect(await bench.run('console', { input: [expression] })).toEqual({
    code: 0,
    stdout: `${answer}\n`,
    stderr: '',
  });
});

it('evaluates references to objects in the state', async () => {
  const bench = await Workbench.with({ 'main.tf': MAIN });
  await bench.run('apply -auto-approve -var missing=1');
  expect((await bench.run('console', { input: ['terraform_data.a.output.k'] })).stdout).toBe(
    '"v"\n',
  );
});

it('prints the last result of several lines, and ends at the first error', async () => {
  const bench = await Workbench.with({ 'main.tf': MAIN });
  expect((await bench.run('console', { input: ['1', '2'] })).stdout).toBe('2\n');
  expect((await bench.run('console', { input: ['1', 'exit', '2'] })).stdout).toBe('');
  const { code, stderr } = await bench.run('console', { input: ['nope(', '2'] });
  expect(code).toBe(1);
  expect(stderr).toContain('<console-input> line 1');
});

it('refuses the type function inside an expression', async () => {
  const bench = await Workbench.with({ 'main.tf': MAIN });
  const { code, stderr } = await bench.run('console', { input: ['[type(1)]'] });
  expect(code).toBe(1);
  expect(stderr).toContain('Invalid use of type function');
});

it('has an unknown plantimestamp in the configuration, and none in expressions', async () => {
  const bench = await Workbench.with({
    'main.tf': 'locals {\n  t = plantimestamp()\n  u = 1\n}\n',
  });
  for (const [expression, answer] of [
    ['local.t', '(known after apply)'],
    ['local.u', '1'],
  ] as const) {
    expect(await bench.run('console', { input: [expression] })).toEqual({
      code: 0,
      stdout: `${answer}\n`,
      stderr: '',
    });
  }
  const { stderr } = await bench.run('console', { input: ['plantimestamp()'] });
  expect(stderr).toContain('There is no function named "plantimestamp".');
});

it('takes a last line that nothing ends', async () => {
  const bench = await Workbench.with({ 'main.tf': MAIN });
  expect((await bench.run('console', { input: [], rest: '1 + 1' })).stdout).toBe('2\n');
});

it('evaluates in a plan if requested', async () => {
  const bench = await Workbench.with({ 'main.tf': MAIN });
  const ask = async (options: string, expression: string) =>
    (await bench.run(`console ${options}`, { input: [expression] })).stdout;
  expect(await ask('-plan', 'terraform_data.a.input.k')).toBe('"v"\n');
  expect(await ask('-plan', 'terraform_data.a.id')).toBe('(known after apply)\n');
  expect(await ask('', 'terraform_data.a.input.k')).toBe('(known after apply)\n');
  expect((await bench.run('show')).stdout).toContain('No state');
});

it('reports errors in the configuration, and evaluates nevertheless', async () => {
  const bench = await Workbench.with({ 'main.tf': 'locals {\n  a = nope.x\n  b = 2\n}\n' });
  const { code, stdout, stderr } = await bench.run('console', { input: ['local.b'] });
  expect(code).toBe(0);
  expect(stderr).toContain('Reference to undeclared resource');
  expect(stdout).toContain('some expressions may produce unexpected results');
  expect(stdout.endsWith('\n2\n')).toBe(true);
});

it('does not open over a circle', async () => {
  const bench = await Workbench.with({
    'main.tf': 'locals {\n  a = local.b\n  b = local.a\n}\n',
  });
  const { code, stderr } = await bench.run('console', { input: ['1'] });
  expect(code).toBe(1);
  expect(stderr.match(/Cycle:/g)).toHaveLength(1);
});

describe('on a terminal', () => {
  const talk = async (...input: string[]): Promise<string> => {
    const bench = await Workbench.with({ 'main.tf': MAIN });
    await bench.run('apply -auto-approve -var missing=1');
    const { code, stdout } = await bench.run('console -no-color', { input, terminal: true });
    expect(code).toBe(0);
    return stdout;
  };

  it('evaluates line by line until exit', async () => {
    expect(await talk('1 + 1', '', 'exit', '3')).toBe('> 1 + 1\n2\n> \n\n> exit\n');
    expect(await talk('"x"')).toBe('> "x"\n"x"\n> exit\n');
  });

  it('continues after errors', async () => {
    expect(await talk('nope', '2')).toBe('> nope\n\n> 2\n2\n> exit\n');
  });

  it('waits for the end of brackets, templates and heredocs', async () => {
    expect(await talk('[', '1,', ']')).toBe('> [\n: 1,\n: ]\n[\n  1,\n]\n> exit\n');
    expect(await talk('upper(<<E', 'a', 'E', ')')).toContain('A\n');
    expect(await talk('"${', '1}"')).toBe('> "${\n: 1}"\n1\n> exit\n');
    expect(await talk('{', '', '4')).toContain('> 4\n4\n');
  });

  it('discards a line, then an expression, then ends at Ctrl-C', async () => {
    expect(await talk('abc\u0003', '5')).toBe('> abc\u0003\n> 5\n5\n> exit\n');
    expect(await talk('[', '1\u0003', '\u0003', '6')).toBe(
      '> [\n: 1\u0003\n: \u0003\n(multi-line entry canceled)\n> 6\n6\n> exit\n',
    );
    expect(await talk('\u0003', '7')).toBe('> \u0003\n');
  });

  it.each([
    ['va', 'values( var.'],
    ['var.', 'missing v'],
    ['1 + var.m', 'missing'],
    ['local.', 'l'],
    ['path.', 'cwd module root'],
    ['terraform_d', 'terraform_data.'],
    ['terraform_data.', 'a'],
    ['terraform_data.a.', 'id input output triggers_replace'],
    ['terraform_data.a.output.', 'k'],
    ['[for x in terraform_data.a.out', 'output'],
    ['local.l[var.', 'missing v'],
    ['terraform_data.a.output["', 'k"]'],
    ['jsond', 'jsondecode('],
    ['upper(lo', 'local. log( lookup( lower('],
    ['ex', 'exit'],
    ['1 + ', 'false local. null path. terraform. terraform_data. true var.'],
    ['core::up', 'core::upper('],
    ['provider::x::', ''],
  ])('completes %s', async (typed, candidates) => {
    const lines = (await talk(`${typed}\t`)).split('\n');
    expect(lines[1]).toBe(candidates);
  });
});

it('is kept out by the lock of another run, waits for it, and does without it', async () => {
  const bench = await Workbench.with({ 'main.tf': MAIN });
  await bench.run('apply -auto-approve -var missing=1');
  const unlock = await bench.lock('/project/terraform.tfstate');
  const input = ['1 + 1'];
  const refused = await bench.run('console', { input });
  expect(refused.code).toBe(1);
  expect(refused.stderr).toContain('Error acquiring the state lock');
  expect((await bench.run('console -lock=false', { input })).stdout).toBe('2\n');
  await unlock();
  expect((await bench.run('console -lock-timeout=5s', { input })).stdout).toBe('2\n');
});
