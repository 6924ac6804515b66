// Undoes runs after objects have moved, also to addresses that the former configuration lacks.
import { expect, it } from 'vitest';
import { Workbench } from 'terrane/testing';

class Mover extends Workbench {
  async ok(command: string): Promise<string> {
    const { code, stdout, stderr } = await this.run(`${command} -no-color`);
    expect({ command, code, stderr }).toEqual({ command, code: 0, stderr: '' });
    await this.clock.advance(60_000);
    return stdout;
  }

  async apply(text: string): Promise<void> {
    await this.write('main.tf', text);
    await this.ok('apply -auto-approve');
  }

  async oldestApply(): Promise<string> {
    const { runs }: { readonly runs: readonly { readonly id: string }[] } = JSON.parse(
      await this.ok('history -json'),
    );
    return runs.at(-2)?.id ?? '';
  }
}

const thing = (name: string): string => `resource "terraform_data" "${name}" {\n  input = 1\n}\n`;
const moved = (from: string, to: string): string =>
  `moved {\n  from = terraform_data.${from}\n  to   = terraform_data.${to}\n}\n`;

it('leads an object back that moved by a block and then by state mv', async () => {
  const bench = new Mover();
  await bench.apply(thing('a'));
  await bench.apply(thing('b') + moved('a', 'b'));
  await bench.ok('state mv terraform_data.b terraform_data.c');
  const plan = await bench.ok(`undo -plan-only ${await bench.oldestApply()}`);
  expect(plan).toContain('terraform_data.c has moved to terraform_data.a');
  expect(plan).not.toContain('Lossy');
});

it('reports objects that have changed places as lossy, and plans without a cycle', async () => {
  const bench = new Mover();
  await bench.apply(thing('a') + thing('b'));
  await bench.apply(thing('a') + thing('b') + thing('d'));
  await bench.ok('state mv terraform_data.a terraform_data.c');
  await bench.ok('state mv terraform_data.b terraform_data.a');
  await bench.ok('state mv terraform_data.c terraform_data.b');
  const runs = JSON.parse(await bench.ok('history -json')) as {
    readonly runs: readonly { readonly id: string }[];
  };
  const { code, stdout } = await bench.run(`undo -plan-only -no-color ${runs.runs[3]?.id ?? ''}`);
  expect(stdout).toContain('terraform_data.d: delete');
  expect(stdout).toContain('terraform_data.a: nothing is planned; the object was replaced since');
  expect(code).toBe(0);
});
