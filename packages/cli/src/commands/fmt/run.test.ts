import { expect, it } from 'vitest';
import { Workbench } from '../../testing/run-terrane.ts';

const BAD = 'a   = 1\nb = 22\n';
const GOOD = 'a = 1\nb = 22\n';

it('rewrites files that are in another layout, and lists them', async () => {
  const bench = await Workbench.with({
    'x.tf': BAD,
    'y.tf': GOOD,
    'z.tfvars': BAD,
    'n.txt': BAD,
    'd/m.tf': BAD,
  });
  expect(await bench.run('fmt')).toEqual({ code: 0, stdout: 'x.tf\nz.tfvars\n', stderr: '' });
  expect(await bench.read('x.tf')).toBe(GOOD);
  expect(await bench.read('n.txt')).toBe(BAD);
  expect((await bench.run('fmt -recursive')).stdout).toBe('d/m.tf\n');
});

it('only checks if requested', async () => {
  const bench = await Workbench.with({ 'x.tf': BAD });
  expect(await bench.run('fmt -check')).toEqual({ code: 3, stdout: 'x.tf\n', stderr: '' });
  expect(await bench.run('fmt -check -list=false')).toEqual({ code: 3, stdout: '', stderr: '' });
  expect(await bench.read('x.tf')).toBe(BAD);
  await bench.run('fmt');
  expect((await bench.run('fmt -check')).code).toBe(0);
});

it('shows the changes', async () => {
  const bench = await Workbench.with({ 'x.tf': BAD });
  expect((await bench.run('fmt -diff -write=false')).stdout).toBe(
    'x.tf\n--- old/x.tf\n+++ new/x.tf\n@@ -1,2 +1,2 @@\n-a   = 1\n+a = 1\n b = 22\n',
  );
});

it('formats its input', async () => {
  const bench = new Workbench();
  expect((await bench.run('fmt -', { input: ['a   = 1'] })).stdout).toBe('a = 1\n');
  expect((await bench.run('fmt -check -', { input: ['a   = 1'] })).code).toBe(3);
});

it('skips files that it cannot parse', async () => {
  const bench = await Workbench.with({ 'x.tf': 'a = {\n', 'y.json': '{}' });
  const { code, stderr } = await bench.run('fmt');
  expect(code).toBe(2);
  expect(stderr).toContain('on x.tf line');
  expect((await bench.run('fmt nowhere')).stderr).toContain(
    'Error: No file or directory at nowhere',
  );
  expect((await bench.run('fmt y.json')).stderr).toContain(
    'Only .tf, .tfvars, and .tftest.hcl files',
  );
});

it('takes the files of both programs', async () => {
  const files = ['a.tofu', 'b.tofutest.hcl', 'c.tfmock.hcl', 'd.tfquery.hcl', 'e.tftest.hcl'];
  const bench = await Workbench.with({
    ...Object.fromEntries(files.map((name) => [name, BAD])),
    'x.hcl': BAD,
  });
  expect((await bench.run('fmt')).stdout).toBe(files.map((name) => `${name}\n`).join(''));
});

it('keeps bytes that are no UTF-8 in comments', async () => {
  const bench = new Workbench();
  await bench.writeBytes('x.tf', Uint8Array.from([...Buffer.from('a=1 # '), 0xff, 0xc3, 10]));
  expect((await bench.run('fmt')).stdout).toBe('x.tf\n');
  expect([...(await bench.readBytes('x.tf'))]).toEqual([
    ...Buffer.from('a = 1 # '),
    0xff,
    0xc3,
    10,
  ]);
});
