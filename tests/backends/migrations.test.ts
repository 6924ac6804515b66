// Migrations of states by `init` after a change of the backend, compared with recordings of terraform 1.11.4.
import { readFileSync } from 'node:fs';
import { runHere } from 'terrane/testing/run-here';
import { afterAll, describe, expect, it } from 'vitest';
import { move, type Moved } from './migrations/migration.ts';
import { MIGRATIONS, SERVED_MIGRATIONS } from './migrations/migrations.ts';
import { areHere, Servers } from './migrations/served.ts';
import type { Run, Told } from './remote-runs/scenario.ts';

function recorded(name: string): Moved {
  const url = new URL(`migrations/recorded/${name}.json`, import.meta.url);
  return JSON.parse(readFileSync(url, 'utf8')) as Moved;
}

async function run(...[args, options]: Parameters<Run>): Promise<Told> {
  const { code, ...output } = await runHere(args, options);
  return { exit: code, ...output };
}

/** The program calls itself by its own name. */
function comparable({ told: { exit, stdout, stderr }, ...moved }: Moved): unknown {
  const same = (text: string): string =>
    text.replaceAll('Terrane', 'Terraform').replaceAll('terrane', 'terraform');
  return { ...moved, exit, stdout: same(stdout), stderr: same(stderr) };
}

it.concurrent.each(MIGRATIONS)('moves states as terraform does: $name', async (migration) => {
  const [moved, record] = [await move(migration, run), recorded(migration.name)];
  switch (migration.differs) {
    case undefined:
      expect(comparable(moved)).toEqual(comparable(record));
      break;
    case 'text':
      expect({ ...moved, told: moved.told.exit }).toEqual({ ...record, told: record.told.exit });
      expect(moved.told.stdout).not.toContain('temporary');
      break;
    case 'fails':
      expect(record.told.exit).toBe(1);
      expect(moved.told.exit, moved.told.stderr).toBe(0);
      expect(moved.states).toEqual({
        'server: p-blue []': 'blue',
        'server: p-green []': 'green',
        'server: p-main []': 'default',
      });
      expect(moved.selected).toBe('main');
  }
});

describe('with servers', () => {
  const servers = new Servers();
  afterAll(() => servers[Symbol.asyncDispose]());

  for (const migration of SERVED_MIGRATIONS) {
    const { name, from, to, differs } = migration;
    it.skipIf(!areHere(from, to))(`moves states as terraform does: ${name}`, async () => {
      await using served = await servers.for(name, from, to);
      const [moved, record] = [await move(migration, run, served), recorded(name)];
      if (differs === undefined) expect(comparable(moved)).toEqual(comparable(record));
      else {
        expect({ ...moved, told: moved.told.exit }).toEqual({ ...record, told: record.told.exit });
      }
    });
  }
});

// Terraform refuses to.
it.concurrent.each(['local', 'none'] as const)(
  'moves states of several workspaces from the cloud block: %s',
  async (to) => {
    const migration = { workspaces: ['blue', 'green'], from: 'cloud-tags', to } as const;
    const {
      told: result,
      states,
      selected,
    } = await move({ ...migration, name: to, input: 'yes\nyes\nyes\n' }, run);
    expect(result.exit, result.stdout + result.stderr).toBe(0);
    const folder = to === 'none' ? 'terraform.tfstate.d' : 'kept/others';
    expect(states).toMatchObject({
      [`${folder}/blue/terraform.tfstate`]: 'blue',
      [`${folder}/green/terraform.tfstate`]: 'green',
      'server: blue [part]': 'blue',
    });
    expect(selected).toBe('green');
  },
);
