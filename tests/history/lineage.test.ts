// Runs of a state that was lost, and names of actors that they chose themselves.
import { expect, it } from 'vitest';
import { Workbench } from 'terrane/testing';

const MAIN = 'resource "terraform_data" "a" {\n  input = 1\n}\n';

it('restores and undoes runs of another state only if it is told to', async () => {
  const bench = new Workbench();
  await bench.write('main.tf', MAIN);
  await bench.run('apply -auto-approve');
  await bench.clock.advance(60_000);
  const first = JSON.parse((await bench.run('history -json')).stdout).runs[0].id as string;
  await bench.remove('terraform.tfstate');
  await bench.run('apply -auto-approve');
  const before = (await bench.run('state pull')).stdout;
  for (const command of ['state restore -auto-approve', 'undo -plan-only']) {
    const refused = await bench.run(`${command} ${first} -no-color`);
    expect(refused.code).toBe(1);
    expect(refused.stderr).toContain('Error: Run of another state');
  }
  expect((await bench.run('state pull')).stdout).toBe(before);
  const forced = await bench.run(`state restore -auto-approve -force ${first} -no-color`);
  expect(forced.code).toBe(0);
  expect(forced.stdout).toContain('would be an orphan');
  // The state keeps its lineage, so that other programs continue with it.
  const lineageOf = (text: string): string => (JSON.parse(text) as { lineage: string }).lineage;
  expect(lineageOf((await bench.run('state pull')).stdout)).toBe(lineageOf(before));
});

it('shows the name of an actor in one line', async () => {
  const bench = new Workbench();
  await bench.write('main.tf', MAIN);
  const environment = { TERRANE_ACTOR: 'agent:x\n20990101-000000-00000000  root\u0007' };
  await bench.run('apply -auto-approve', { environment });
  const { stdout } = await bench.run('history');
  expect(stdout.trimEnd().split('\n')).toHaveLength(2);
  expect(stdout).toContain('agent:x 20990101-000000-00000000 root');
  expect(stdout).not.toContain('\u0007');
});
