import { expect, it } from 'vitest';
import { Workbench } from 'terrane/testing';

it('quotes addresses with quotes in the suggested command, for a shell', async () => {
  const bench = new Workbench();
  const main = (keys: string): string =>
    `resource "terraform_data" "a" {\n  for_each = toset([${keys}])\n  input    = each.key\n}\n`;
  await bench.write('main.tf', main(`"it's", "b"`));
  await bench.run('apply -auto-approve');
  await bench.clock.advance(60_000);
  await bench.write('main.tf', main('"b"'));
  await bench.run('apply -auto-approve');
  await bench.clock.advance(60_000);
  const { code, stdout, stderr } = await bench.run('undo -no-color');
  expect(code).toBe(1);
  expect(stdout).toContain('\n1 action is refused.\n');
  expect(stderr).toContain(String.raw`undo '-allow-lossy=terraform_data.a["it'\''s"]' `);
});

it('rejects what is not the address of an object', async () => {
  const bench = new Workbench();
  await bench.write('main.tf', 'resource "terraform_data" "a" {}\n');
  await bench.run('apply -auto-approve');
  const attribute = await bench.run('history terraform_data.a.input -no-color');
  expect(attribute.code).toBe(1);
  expect(attribute.stderr).toContain('Error: Invalid address');
  const unknown = await bench.run('history terraform_data.b -no-color');
  expect(unknown).toMatchObject({
    code: 1,
    stdout: 'The history has no object at terraform_data.b.\n',
  });
});
