import { expect, it } from 'vitest';
import { Workbench } from '../../testing/run-terrane.ts';

// As Terraform 1.17-dev; releases up to 1.13 leave it to init.
it.each([
  ['bogus', 'There is no backend type named "bogus".'],
  ['etcd', 'The "etcd" backend is not supported in Terraform v1.3 or later.'],
])('refuses the backend %s', async (type, detail) => {
  const bench = await Workbench.with({ 'main.tf': `terraform {\n  backend "${type}" {}\n}\n` });
  const { code, stderr } = await bench.run('validate -no-color');
  expect(code).toBe(1);
  expect(stderr).toContain('Error: Unsupported backend type');
  expect(stderr).toContain(`on main.tf line 2, in terraform:\n   2:   backend "${type}" {}`);
  expect(stderr).toContain(detail);
});

it('leaves the arguments of a backend to init', async () => {
  const text = 'terraform {\n  backend "s3" {\n    bogus = 1\n  }\n}\n';
  const bench = await Workbench.with({ 'main.tf': text });
  expect((await bench.run('validate')).code).toBe(0);
});
