// The history tells what a run changed from what it found changed, and from objects that only enter or leave the state.
import { afterEach, expect, it } from 'vitest';
import { DriftBench, REQUIRED } from '../drift/drift-bench.ts';

const MAIN = `
resource "life_thing" "a" {
  name = "a"
  note = "mine"
}
resource "life_thing" "b" {
  name = "b"
}
resource "life_thing" "c" {
  name = "c"
}
`;

const WITHOUT_C = `
resource "life_thing" "a" {
  name = "a"
  note = "mine"
}
resource "life_thing" "b" {
  name = "b"
}
removed {
  from = life_thing.c
  lifecycle {
    destroy = false
  }
}
`;

const WITH_IMPORT = `
resource "life_thing" "a" {
  name = "a"
  note = "mine"
}
resource "life_thing" "b" {
  name = "b"
}
import {
  to = life_thing.d
  id = "c-1"
}
resource "life_thing" "d" {
  name = "c"
}
`;

interface Shown {
  readonly objects: Readonly<Record<string, number>>;
  readonly changes: {
    readonly objects: readonly {
      readonly address: string;
      readonly action: string;
    }[];
  };
}

let bench: DriftBench;
afterEach(() => bench.dispose());

async function applied(): Promise<void> {
  bench = new DriftBench(MAIN);
  await bench.apply();
}

async function actions(): Promise<readonly string[]> {
  const { changes } = await lastRun();
  return changes.objects.map(({ address, action }) => `${action} ${address}`);
}

async function lastRun(): Promise<Shown> {
  const { stdout } = await bench.run('history', 'show', '-json', 'last');
  return (JSON.parse(stdout) as { readonly run: Shown }).run;
}

it('objects that others changed or removed are not counted as changes of the run that finds it', async () => {
  await applied();
  bench.change('a-1', { note: 'theirs', zone: 'elsewhere' });
  bench.vanish('b-1');
  await bench.apply();
  const [refreshed, vanished, ...made] = await actions();
  expect([refreshed, vanished]).toEqual(['refresh life_thing.a', 'vanish life_thing.b']);
  // Both are applied at the same time.
  expect(made.sort()).toEqual(['create life_thing.b', 'update life_thing.a']);
  const { objects } = await lastRun();
  expect(objects).toEqual({ created: 1, updated: 1, deleted: 0, other: 0, outside: 2 });
  const { stdout } = await bench.run('history', '-no-color');
  expect(stdout.split('\n')[1]).toMatch(/ \+1 ~1 !2$/);
  const shown = await bench.run('history', 'show', '-no-color', 'last');
  expect(shown.stdout).toContain('~ life_thing.a had been changed outside\n');
  expect(shown.stdout).toContain('- life_thing.b had been removed outside\n');
});

it('history ADDRESS tells which attributes others changed', async () => {
  await applied();
  bench.change('a-1', { zone: 'elsewhere' });
  await bench.run('apply', '-refresh-only', '-auto-approve');
  const { stdout } = await bench.run('history', '-no-color', 'life_thing.a');
  const zone = stdout.split('\n').find((line) => line.includes('zone'));
  expect(zone).toMatch(/ apply -refresh-only \(outside\) +zone: ".*" -> "elsewhere"$/);
  const json = await bench.run('history', '-json', 'life_thing.a');
  const [object] = (
    JSON.parse(json.stdout) as {
      readonly objects: readonly {
        readonly attributes: readonly { readonly path: string; readonly outside?: boolean }[];
      }[];
    }
  ).objects;
  expect(object?.attributes.filter(({ outside }) => outside).map(({ path }) => path)).toEqual([
    'zone',
  ]);
});

it('an object that leaves the state without being destroyed, and is imported again', async () => {
  await applied();
  bench.write('main.tf', `${REQUIRED}${WITHOUT_C}`);
  await bench.apply();
  expect(await actions()).toEqual(['forget life_thing.c']);
  expect((await lastRun()).objects).toEqual({ created: 0, updated: 0, deleted: 0, other: 1 });
  bench.write('main.tf', `${REQUIRED}${WITH_IMPORT}`);
  await bench.apply();
  expect(await actions()).toEqual(['import life_thing.d']);
  await bench.run('state', 'rm', 'life_thing.d');
  expect(await actions()).toEqual(['forget life_thing.d']);
  await bench.run('import', 'life_thing.d', 'c-1');
  expect(await actions()).toEqual(['import life_thing.d']);
});
