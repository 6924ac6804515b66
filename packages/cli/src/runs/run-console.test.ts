import { expect, it } from 'vitest';
import { Workbench } from '../testing/run-terrane.ts';

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

it('knows what the state holds', async () => {
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
