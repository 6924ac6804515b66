// Messages after a run that ended during a creation, and the ways to settle it.
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { Workbench, type RunResult } from 'terrane/testing';
import { CRASH_PROVIDER, CrashWorld } from './crash-world.ts';
import { resource } from './workloads.ts';

let bench: Workbench;
let world: CrashWorld;
let pid: number;
/** who dies in the middle of what is going on: the run, or only its provider */
let dying: 'the run' | 'the provider' = 'the run';

beforeEach(async () => {
  bench = await Workbench.with({});
  world = new CrashWorld();
  pid = 100;
});

/** One command in a process of its own; it, or its provider, ends where that is asked for something that matches. */
async function terrane(command: string, endsAt?: RegExp): Promise<RunResult> {
  let ended = false;
  const create = () =>
    world.provider((when, call) => {
      if (ended) throw new Error('the process has ended');
      if (endsAt?.test(`${when} ${call}`) !== true) return;
      ended = true;
      throw new Error('the process has ended');
    });
  const result = await bench.run(`${command} -no-color`, {
    pid: ++pid,
    // Nothing is written any more.
    fault: ({ kind }) => (ended && dying === 'the run' && kind !== 'read' ? 'EIO' : undefined),
    providers: new Map([[CRASH_PROVIDER, { kind: 'in-process', create }]]),
  });
  // Locks of the operating system end with their process.
  if (ended && dying === 'the run') bench.disk.locks.clear();
  if (ended && dying === 'the provider') {
    expect(result.code).toBe(1);
    expect(result.stderr).toContain('Provider failed unexpectedly');
    expect(result.stdout + result.stderr).toContain('Interrupted operation');
  }
  return result;
}

const THING = resource('thing', 'a', 'kind = "1"', 'size = 3', 'secret = "marker-of-a-secret"');
const WAITING = `${THING}${resource('named', 'b', 'kind = "1"', 'depends_on = [crash_thing.a]')}`;

describe.each(['the run', 'the provider'] as const)('where %s ends', (who) => {
  beforeEach(() => {
    dying = who;
  });
  afterEach(() => {
    dying = 'the run';
  });

  describe('an object whose id was not known before it was created', () => {
    beforeEach(async () => {
      await bench.write('main.tf', WAITING);
      await terrane('apply -auto-approve', /^after create crash_thing\.a/);
      expect(world.objects.size).toBe(1);
    });

    it('is reported with attributes that help to find it, and without sensitive values', async () => {
      const { code, stdout } = await terrane('plan');
      expect(code).toBe(0);
      expect(stdout).toContain('Interrupted operation');
      expect(stdout).toContain('name = "a"\n');
      expect(stdout).toContain('size = 3\n');
      expect(stdout).toContain("terrane import 'crash_thing.a' ID");
      expect(stdout).toContain("terrane state recover -forget='crash_thing.a'");
      expect(stdout).not.toContain('marker-of-a-secret');
    });

    it('is reported until it is forgotten, also after other runs', async () => {
      const next = await terrane('apply -auto-approve');
      expect(next.code).toBe(0);
      expect([...world.objects.values()].filter(({ name }) => name === 'a').length).toBe(2);
      expect((await terrane('plan')).stdout).toContain('Interrupted operation');
      expect((await terrane('apply -auto-approve')).stdout).toContain('Interrupted operation');
      const forgotten = await terrane('state recover -forget=crash_thing.a');
      expect(forgotten).toMatchObject({ code: 0, stderr: '' });
      expect(forgotten.stdout).toContain('Forgotten: create crash_thing.a\n');
      const after = await terrane('plan');
      expect(after.stdout).not.toContain('Interrupted');
      expect(after.stdout).toContain('No changes.');
      expect(await bench.exists('.terraform.tfstate.journal')).toBe(false);
    });

    it('is settled by importing it', async () => {
      const [id] = [...world.objects.values()].map((object) => object.id);
      const imported = await terrane(`import crash_thing.a ${id}`);
      expect(imported).toMatchObject({ code: 0 });
      const { stdout } = await terrane('apply -auto-approve');
      expect(stdout).not.toContain('Interrupted');
      expect(world.log.filter((line) => line.startsWith('create crash_thing.a'))).toHaveLength(1);
    });

    it('is settled by an import block', async () => {
      const [id] = [...world.objects.values()].map((object) => object.id);
      await bench.write('import.tf', `import {\n  to = crash_thing.a\n  id = "${id}"\n}\n`);
      expect((await terrane('apply -auto-approve')).code).toBe(0);
      expect((await terrane('plan')).stdout).not.toContain('Interrupted');
      expect([...world.objects.values()].filter(({ name }) => name === 'a').length).toBe(1);
    });

    it('keeps a plan that was saved before from being applied', async () => {
      // As it was before the first run.
      const other = await Workbench.with({ 'main.tf': WAITING });
      [bench, world] = [other, new CrashWorld()];
      expect((await terrane('plan -out=saved')).code).toBe(0);
      await terrane('apply saved', /^after create crash_thing\.a/);
      const again = await terrane('apply saved');
      expect(again.code).toBe(1);
      expect(again.stderr).toContain('Saved plan is stale');
      expect(world.objects.size).toBe(1);
      // One that was made since then may be applied.
      expect((await terrane('plan -out=new')).code).toBe(0);
      expect((await terrane('apply new')).code).toBe(0);
    });
  });

  describe('an object that can be looked for', () => {
    it.each([
      ['its id', 'named'],
      ['its identity', 'keyed'],
    ])('by %s is taken into the state by the next plan', async (_, type) => {
      await bench.write('main.tf', resource(type, 'a', 'kind = "1"'));
      await terrane('apply -auto-approve', /^after create/);
      const plan = await terrane('plan -detailed-exitcode');
      expect(plan.stdout).toContain('Object of an interrupted run found');
      expect(plan.stdout).toContain('No changes.');
      expect(plan.code).toBe(0);
      expect((await terrane('apply -auto-approve')).code).toBe(0);
      expect(world.log).toHaveLength(1);
      expect((await terrane('plan')).stdout).not.toContain('nterrupted');
      expect((await terrane('state list')).stdout).toBe(`crash_${type}.a\n`);
    });

    it.each(['-refresh=false', '-refresh-only', '-minimal-refresh', '-target=crash_named.a'])(
      'is looked for with %s too',
      async (option) => {
        await bench.write('main.tf', resource('named', 'a', 'kind = "1"'));
        await terrane('apply -auto-approve', /^after create/);
        expect((await terrane(`apply -auto-approve ${option}`)).code).toBe(0);
        expect((await terrane('state list')).stdout).toBe('crash_named.a\n');
        expect(world.log).toHaveLength(1);
      },
    );

    it('stays open while a run is about something else', async () => {
      await bench.write('main.tf', resource('named', 'a', 'kind = "1"'));
      await terrane('apply -auto-approve', /^after create/);
      await bench.write(
        'main.tf',
        `${resource('named', 'a', 'kind = "1"')}${resource('thing', 'b', 'kind = "1"')}`,
      );
      expect((await terrane('apply -auto-approve -target=crash_thing.b')).code).toBe(0);
      expect((await terrane('state list')).stdout).toBe('crash_thing.b\n');
      expect((await terrane('apply -auto-approve')).code).toBe(0);
      expect(world.log).toHaveLength(2);
      expect((await terrane('state list')).stdout).toBe('crash_named.a\ncrash_thing.b\n');
    });

    it.each([
      ['its block was removed', 'apply -auto-approve', ''],
      ['everything is to go', 'apply -destroy -auto-approve', undefined],
      ['everything is to go unseen', 'apply -destroy -auto-approve -refresh=false', undefined],
      ['it is at another address now', 'apply -auto-approve', 'moved'],
    ])('is found where %s', async (_, command, text) => {
      await bench.write('main.tf', resource('named', 'a', 'kind = "1"'));
      await terrane('apply -auto-approve', /^after create/);
      const moved = `resource "crash_named" "z" {\n  name = "a"\n  kind = "1"\n}\nmoved {\n  from = crash_named.a\n  to = crash_named.z\n}\n`;
      if (text !== undefined)
        await bench.write('main.tf', text === 'moved' ? moved : '# nothing\n');
      const { code, stderr } = await terrane(command);
      expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
      expect(world.objects.size).toBe(text === 'moved' ? 1 : 0);
      expect(world.log).toHaveLength(text === 'moved' ? 1 : 2);
      expect((await terrane('plan')).stdout).not.toContain('nterrupted');
    });

    it('takes the place of the object that it replaces', async () => {
      const text = (kind: number): string =>
        resource(
          'named',
          'a',
          `kind = "${kind}"`,
          'lifecycle {\n    create_before_destroy = true\n  }',
        );
      await bench.write('main.tf', text(1));
      await terrane('apply -auto-approve');
      await bench.write('main.tf', text(2));
      await terrane('apply -auto-approve', /^after create/);
      const { stdout } = await terrane('apply -auto-approve');
      expect(stdout).toContain('Object of an interrupted run found');
      expect(world.log).toHaveLength(3);
      expect([...world.objects.values()]).toMatchObject([{ kind: '2' }]);
      expect((await terrane('plan')).stdout).toContain('No changes.');
    });

    it('and does not exist is created, and not reported any more', async () => {
      await bench.write('main.tf', resource('named', 'a', 'kind = "1"'));
      await terrane('apply -auto-approve', /^before create/);
      expect((await terrane('apply -auto-approve')).code).toBe(0);
      expect(world.log).toHaveLength(1);
      expect((await terrane('plan')).stdout).not.toContain('nterrupted');
    });

    it('is tainted where its provisioners have not run', async () => {
      const text = resource(
        'named',
        'a',
        'kind = "1"',
        'provisioner "local-exec" {',
        '  command = "true"',
        '}',
      );
      await bench.write('main.tf', text);
      await terrane('apply -auto-approve', /^after create/);
      const { stdout } = await terrane('plan');
      expect(stdout).toContain('is tainted, so must be replaced');
    });
  });
});

describe('state recover', () => {
  it('reports that there is nothing to recover', async () => {
    await bench.write('main.tf', resource('named', 'a', 'kind = "1"'));
    expect(await terrane('state recover')).toEqual({
      code: 0,
      stdout: 'No run has left a journal: there is nothing to recover.\n',
      stderr: '',
    });
  });

  it('shows the changes in a journal and the open intents, and changes nothing', async () => {
    const text = `${resource('named', 'first', 'kind = "1"')}${resource('thing', 'a', 'kind = crash_named.first.made', 'secret = "marker-of-a-secret"')}`;
    await bench.write('main.tf', text);
    await terrane('apply -auto-approve', /^after create crash_thing/);
    const journal = await bench.readBytes('.terraform.tfstate.journal');
    const { code, stdout } = await terrane('state recover');
    expect(code).toBe(0);
    expect(stdout).toContain(
      'Changes that it adds to the state (1):\n\n  store crash_named.first\n',
    );
    expect(stdout).toContain('Interrupted: create crash_thing.a (since 2024-');
    expect(stdout).toContain('Nothing was changed.');
    expect(stdout).not.toContain('marker-of-a-secret');
    expect(await bench.readBytes('.terraform.tfstate.journal')).toEqual(journal);
    expect(await bench.read('terraform.tfstate')).toBe('');

    const json = JSON.parse((await terrane('state recover -json')).stdout) as object;
    expect(json).toMatchObject({
      format_version: '1.0',
      journal: { path: '.terraform.tfstate.journal', process: 101 },
      changes: [{ change: 'store', address: 'crash_named.first' }],
      interrupted: [
        {
          action: 'create',
          address: 'crash_thing.a',
          settled_by: 'user',
          values: { name: '"a"', kind: '"first-1"' },
        },
      ],
      written: false,
    });
  });

  it('stores the changes in a journal, and keeps the open intents', async () => {
    await bench.write(
      'main.tf',
      `${resource('named', 'first')}${resource('thing', 'a', 'depends_on = [crash_named.first]')}`,
    );
    await terrane('apply -auto-approve', /^after create crash_thing/);
    expect((await terrane('state recover -write')).stdout).toContain('The state was stored.\n');
    expect(await bench.read('terraform.tfstate')).toContain('"first"');
    const { stdout } = await terrane('state recover');
    expect(stdout).toContain('Interrupted: create crash_thing.a');
    expect(stdout).not.toContain('Changes that it adds');
  });

  it('rejects the name of an unknown interrupted operation', async () => {
    await bench.write('main.tf', THING);
    await terrane('apply -auto-approve', /^after create/);
    const { code, stderr } = await terrane('state recover -forget=crash_thing.b');
    expect(code).toBe(1);
    expect(stderr).toContain(
      'No interrupted operation on crash_thing.b is known. There are: crash_thing.a.',
    );
  });
});

it('a state that is pulled after an interrupted run is all that is put out', async () => {
  await bench.write(
    'main.tf',
    `${resource('named', 'first')}${resource('thing', 'a', 'depends_on = [crash_named.first]')}`,
  );
  await terrane('apply -auto-approve', /^after create crash_thing/);
  const { stdout, stderr } = await terrane('state pull');
  expect(JSON.parse(stdout)).toMatchObject({ version: 4, resources: [{ name: 'first' }] });
  expect(stderr).toContain('Warning: State recovered from an interrupted run');
});
