import { expect, it } from 'vitest';
import { Workbench } from 'terrane/testing';

interface Runs {
  readonly runs: readonly {
    readonly id: string;
    readonly command: string;
    readonly reverts?: string;
  }[];
}

it('records the apply of a saved undo as an undo, with the run that it reverts', async () => {
  const bench = new Workbench();
  const run = async (command: string): Promise<string> => {
    const { stdout, stderr } = await bench.run(`${command} -no-color`);
    expect(stderr).toBe('');
    await bench.clock.advance(60_000);
    return stdout;
  };
  const runs = async (): Promise<Runs['runs']> =>
    (JSON.parse(await run('history -json')) as Runs).runs;
  await bench.write('main.tf', 'resource "terraform_data" "a" {\n  input = 1\n}\n');
  await run('apply -auto-approve');
  await bench.write('main.tf', 'resource "terraform_data" "a" {\n  input = 2\n}\n');
  await run('apply -auto-approve');
  const [reverted] = await runs();
  await run('undo -out=undo.plan');
  await run('apply undo.plan');
  expect((await runs()).map(({ command, reverts }) => [command, reverts])).toEqual([
    ['undo', reverted?.id],
    ['apply', undefined],
    ['apply', undefined],
  ]);
  const shown = await run('history show last');
  expect(shown).toMatch(new RegExp(`^Command: +undo\\nReverts: +${reverted?.id ?? '?'}$`, 'm'));
});
