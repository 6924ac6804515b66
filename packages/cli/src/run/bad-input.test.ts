import { describe, expect, it } from 'vitest';
import { Workbench } from '../testing/run-terrane.ts';

const MAIN = 'resource "terraform_data" "a" {\n  input = 1\n}\n';

/** Bad input ends with a diagnostic that names the place and what to do; nothing is lost. */
describe('bad input', () => {
  it.each([
    {
      what: 'a syntax error',
      files: { 'main.tf': 'resource "terraform_data" "a" {\n  input = \n}\n' },
      says: ['Error: Invalid expression', 'on main.tf line 2'],
    },
    {
      what: 'an unknown argument',
      files: { 'main.tf': 'resource "terraform_data" "a" {\n  nope = 1\n}\n' },
      says: ['Error: Unsupported argument', 'on main.tf line 2'],
    },
    {
      what: 'a missing variable',
      files: { 'main.tf': 'variable "v" {}\n' },
      says: ['Error: No value for required variable', 'on main.tf line 1'],
    },
    {
      what: 'a cycle',
      files: { 'main.tf': 'locals {\n  a = local.b\n  b = local.a\n}\n' },
      says: ['Error: Cycle: ', 'local.a'],
    },
    {
      what: 'a corrupt state',
      files: { 'main.tf': MAIN, 'terraform.tfstate': '{"version": 4,' },
      says: ['could not be parsed as JSON'],
    },
    {
      what: 'a state from a newer version',
      files: {
        'main.tf': MAIN,
        'terraform.tfstate': '{"version": 99, "terraform_version": "9.9.9"}',
      },
      says: ['uses format version 99', 'created by Terraform 9.9.9'],
    },
  ])('$what', async ({ files, says }) => {
    const bench = await Workbench.with(files);
    const before = 'terraform.tfstate' in files ? await bench.read('terraform.tfstate') : undefined;
    for (const command of ['plan', 'apply -auto-approve']) {
      const { code, stderr } = await bench.run(`${command} -input=false`);
      expect(code).toBe(1);
      for (const text of says) expect(stderr.replaceAll('\n', ' ')).toContain(text);
    }
    if (before !== undefined) expect(await bench.read('terraform.tfstate')).toBe(before);
  });

  it.each([
    { what: 'that is not a plan', content: 'hello', says: 'it is not a plan file' },
    {
      what: "of Terraform's",
      content: 'PK\u0003\u0004rest',
      says: 'it is a plan file of Terraform or OpenTofu',
    },
  ])('a plan file $what', async ({ content, says }) => {
    const bench = await Workbench.with({ 'main.tf': MAIN, saved: content });
    const { code, stderr } = await bench.run('apply saved');
    expect(code).toBe(1);
    expect(stderr).toContain('Error: Failed to load "saved" as a plan file');
    expect(stderr.replaceAll('\n', ' ')).toContain(says);
  });

  it('a plan file that is cut off', async () => {
    const bench = await Workbench.with({ 'main.tf': MAIN });
    await bench.run('plan -out=saved');
    await bench.truncate('saved', 100);
    expect((await bench.run('apply saved')).stderr.replaceAll('\n', ' ')).toContain('cut off');
  });

  it('a plan file that is not there, or a directory', async () => {
    const bench = await Workbench.with({ 'main.tf': MAIN, 'sub/x': '' });
    expect((await bench.run('apply nowhere')).stderr).toContain('no such file or directory');
    expect((await bench.run('apply sub')).stderr.replaceAll('\n', ' ')).toContain(
      'The specified path is a directory, not a plan file.',
    );
  });

  it('a plan that another apply has overtaken', async () => {
    const bench = await Workbench.with({ 'main.tf': MAIN });
    await bench.run('plan -out=saved');
    await bench.run('apply -auto-approve');
    const { code, stderr } = await bench.run('apply saved');
    expect(code).toBe(1);
    expect(stderr).toContain('Error: Saved plan is stale');
  });

  it('a locked state, which can be waited for or disregarded', async () => {
    const bench = await Workbench.with({ 'main.tf': MAIN });
    await bench.run('apply -auto-approve');
    const release = await bench.lock('terraform.tfstate');
    const { code, stderr } = await bench.run('apply -auto-approve');
    expect(code).toBe(1);
    expect(stderr).toContain('Error: Error acquiring the state lock');
    expect((await bench.run('apply -auto-approve -lock=false')).code).toBe(0);
    await release();
    expect((await bench.run('plan')).code).toBe(0);
  });

  it('a full disk, without losing completed operations', async () => {
    const bench = await Workbench.with({ 'main.tf': MAIN });
    await bench.run('apply -auto-approve');
    const before = await bench.read('terraform.tfstate');
    await bench.write('main.tf', MAIN.replace('1', '2'));
    const { code, stderr } = await bench.run('apply -auto-approve', {
      fault: ({ kind, path }) =>
        kind === 'write' && !path.includes('.lock.info') ? 'ENOSPC' : undefined,
    });
    expect(code).toBe(1);
    expect(stderr.replaceAll('\n', ' ')).toContain('no space left on device');
    expect(await bench.read('terraform.tfstate')).toBe(before);
  });
});
