import { expect, it } from 'vitest';
import { Workbench } from '../../testing/run-terrane.ts';

/** Joins the lines of diagnostics, which are wrapped. */
const flat = (text: string): string => text.replaceAll(/\s*\n\s*/g, ' ');

it.each([
  ['rpcapi', 'an internal interface of Terraform'],
  ['stacks', 'To deploy a Stack, use Terraform.'],
  ['stacks plan -json', 'To deploy a Stack, use Terraform.'],
])('refuses %s with one diagnostic', async (line, reason) => {
  const bench = await Workbench.with({});
  const { code, stdout, stderr } = await bench.run(line);
  const [command] = line.split(' ');
  expect({ code, stdout }).toEqual({ code: 1, stdout: '' });
  expect(stderr.match(/Error: /g)).toHaveLength(1);
  expect(flat(stderr)).toContain(`Error: Command "terrane ${command}" is not supported`);
  expect(flat(stderr)).toContain(reason);
});
