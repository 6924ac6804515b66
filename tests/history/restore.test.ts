// What has happened since a state that is restored: the restore would lose it, so it is shown first.
import { expect, it } from 'vitest';
import { Workbench } from 'terrane/testing';

const thing = (name: string): string => `resource "terraform_data" "${name}" {}\n`;

interface Restored {
  readonly orphans: readonly { readonly address: string }[];
  readonly doubles: readonly { readonly address: string }[];
  readonly later_runs: readonly { readonly run: string; readonly objects: readonly string[] }[];
  readonly changed_elsewhere: boolean;
}

it('names the later runs with the objects that they changed, and changes by other programs', async () => {
  const bench = new Workbench();
  const steps = [
    [thing('a'), 'apply -auto-approve'],
    [thing('a') + thing('b'), 'apply -auto-approve'],
    [thing('a') + thing('b'), 'apply -auto-approve -replace=terraform_data.a'],
  ] as const;
  for (const [text, command] of steps) {
    await bench.write('main.tf', text);
    expect((await bench.run(command)).code).toBe(0);
    await bench.clock.advance(1000);
  }
  const { runs } = JSON.parse((await bench.run('history -json')).stdout) as {
    runs: { id: string }[];
  };
  const [third = '', second = '', first = ''] = runs.map(({ id }) => id);
  const restored = async (options: string): Promise<Restored> =>
    JSON.parse((await bench.run(`state restore -dry-run -json ${options}`)).stdout) as Restored;

  expect(await restored(first)).toMatchObject({
    orphans: [{ address: 'terraform_data.b' }],
    doubles: [{ address: 'terraform_data.a' }],
    later_runs: [
      { run: second, objects: ['terraform_data.b'] },
      { run: third, objects: ['terraform_data.a'] },
    ],
    changed_elsewhere: false,
  });
  expect((await restored(`-before ${third}`)).later_runs.map(({ run }) => run)).toEqual([third]);
  expect((await restored(third)).later_runs).toEqual([]);
  const { stdout } = await bench.run(`state restore -dry-run ${first} -no-color`);
  expect(stdout).toContain('Runs since then, whose changes the state would not contain any more:');
  expect(stdout).toContain('): terraform_data.b\n');
  expect(stdout).not.toContain('Another program');

  // Another program stores the state.
  const state = JSON.parse(await bench.read('terraform.tfstate')) as { serial: number };
  await bench.write('terraform.tfstate', JSON.stringify({ ...state, serial: state.serial + 1 }));
  expect(await restored(first)).toMatchObject({ changed_elsewhere: true });
  expect((await bench.run(`state restore -dry-run ${first} -no-color`)).stdout).toContain(
    'Another program, or a run that was not recorded, has changed the state',
  );
});
