// Drift of every kind, found and reported by the command with the lifecycle provider.
import { readFileSync, readdirSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, describe, expect, it } from 'vitest';
import { DriftBench } from './drift-bench.ts';

const MAIN = `
resource "life_thing" "a" {
  name   = "a"
  note   = "mine"
  secret = "swordfish-1"
  tags   = { env = "test" }
}
resource "life_thing" "b" {
  name = "b"
  note = life_thing.a.zone
}
resource "life_thing" "c" {
  count = 2
  name  = "c\${count.index}"
  lifecycle {
    ignore_changes = [note]
  }
}
resource "life_box" "d" {
  name = "d"
  part {
    key = "x"
  }
}
output "zones" {
  value = life_thing.c[*].zone
}
`;

let bench: DriftBench;
afterEach(() => bench.dispose());

async function applied(configuration: string = MAIN): Promise<void> {
  bench = new DriftBench(configuration);
  await bench.apply();
}

/** Returns what `drift` prints and writes in all formats. */
async function outputInAllFormats(): Promise<string> {
  const texts: string[] = [];
  for (const args of [
    ['-verbose', '-accept'],
    ['-json'],
    ['-plan', '-json'],
    ['-annotations=github'],
    ['-annotations=azure'],
  ]) {
    const { exit, stdout, stderr } = await bench.run(
      ...['drift', ...args, '-sarif=out.sarif', '-junit-xml=out.xml', '-code-quality=out.json'],
    );
    expect(exit).toBe(2);
    texts.push(
      stdout,
      stderr,
      ...['out.sarif', 'out.xml', 'out.json'].map((name) => bench.read(name)),
    );
  }
  return texts.join('\n');
}

/** Every file of the project with its content, except those of the service. */
function snapshot(): Readonly<Record<string, string>> {
  const files = readdirSync(bench.directory, { recursive: true, withFileTypes: true })
    .filter((each) => each.isFile() && !each.parentPath.endsWith('/cloud'))
    .map((each) => join(each.parentPath, each.name));
  return Object.fromEntries(files.map((path) => [path, readFileSync(path, 'latin1')]));
}

describe('drift', () => {
  it('reports nothing, with exit code 0, if nothing has changed', async () => {
    await applied();
    const { exit, stdout } = await bench.run('drift', '-no-color');
    expect({ exit, stdout }).toEqual({ exit: 0, stdout: 'No drift.\n' });
  });

  it('derives the level from the dependents of a value', async () => {
    await applied();
    bench.change('a-1', { note: 'theirs', tags: { env: 'test', owner: 'them' } });
    bench.change('c0-1', { note: 'theirs', revision: 9 });
    bench.change('c1-1', { zone: 'moved' });
    bench.change('d-1', { part: [{ key: 'x', value: null, made: 'other', inner: [] }] });
    bench.vanish('b-1');
    const { exit, report } = await bench.drift();
    expect(exit).toBe(2);
    const summary = report.entries.map(({ address, level, alarm, changes, plan }) => [
      `${address} ${level} ${alarm} ${plan.action}`,
      ...changes.map((change) => `${change.attribute} ${change.level}`),
    ]);
    expect(summary).toEqual([
      ['life_thing.b vanished true create'],
      ['life_thing.a configured true update', 'note configured', 'tags["owner"] configured'],
      ['life_thing.c[1] referenced true adopt', 'zone referenced'],
      ['output.zones referenced true adopt', ' referenced'],
      ['life_box.d noise false adopt', 'part[0].made noise'],
      ['life_thing.c[0] noise false adopt', 'note noise', 'revision noise'],
    ]);
    expect(report.summary).toEqual({ alarms: 4, ignored: 0, below_level: 2 });
  });

  it('names the expressions that refer to a changed value, and the changes that follow', async () => {
    await applied();
    bench.change('a-1', { zone: 'elsewhere' });
    const { report } = await bench.drift();
    const [entry] = report.entries;
    expect(entry?.changes[0]?.references.map(({ from }) => from)).toEqual(['life_thing.b']);
    expect(entry?.plan.consequences).toEqual([{ address: 'life_thing.b', action: 'update' }]);
  });

  it('stores nothing and sends only reads to providers', async () => {
    await applied();
    bench.change('a-1', { note: 'theirs' });
    bench.vanish('b-1');
    const before = snapshot();
    expect((await bench.run('drift')).exit).toBe(2);
    expect(snapshot()).toEqual(before);
    expect([...bench.calls()].sort()).toEqual(['configure', 'read', 'upgrade', 'validate']);
  });

  it('plans with providers if -plan is set, and then detects replacements', async () => {
    await applied('resource "life_thing" "a" {\n  name = "a"\n  size = 2\n}\n');
    bench.change('a-1', { size: 3 });
    const local = await bench.drift();
    expect(local.report.entries[0]?.plan.action).toBe('update');
    const planned = await bench.drift('-plan');
    expect(planned.report.entries[0]?.plan.action).toBe('replace');
    expect(bench.calls().has('plan')).toBe(true);
    expect(bench.calls().has('apply')).toBe(false);
  });

  it('works while another run holds the lock, and reports it', async () => {
    await applied();
    const info = {
      ID: 'x',
      Operation: 'OperationTypeApply',
      Info: '',
      Who: 'ann@host',
      Version: '1.11.4',
      Created: '2026-01-01T00:00:00Z',
      Path: 'terraform.tfstate',
    };
    bench.write('.terraform.tfstate.lock.info', JSON.stringify(info));
    // A description without a lock remains of a killed process and is no run.
    expect((await bench.run('drift', '-no-color')).stdout).toBe('No drift.\n');
  });

  it('does not create a workspace that does not exist', async () => {
    await applied();
    const before = snapshot();
    const ran = await bench.run('drift', '-json');
    expect(ran.exit).toBe(0);
    expect(snapshot()).toEqual(before);
  });

  it('reports objects that could not be read, and the rest as incomplete', async () => {
    await applied();
    bench.change('a-1', { note: 'theirs' });
    bench.write('control.json', JSON.stringify({ c0: { read: 'fail' } }));
    const { exit, stdout, stderr } = await bench.run('drift', '-no-color');
    expect(exit).toBe(1);
    expect(stderr).toContain('reading was refused');
    expect(stdout).toContain('~ life_thing.a');
    expect(stdout).toContain('The result is incomplete.');
  });

  it('reports stored data that is not part of an object as noise', async () => {
    await applied();
    bench.write('control.json', JSON.stringify({ a: { read: { private: 'other' } } }));
    const { exit, report } = await bench.drift();
    expect(exit).toBe(0);
    expect(report.entries.map(({ address, kind, level }) => [address, kind, level])).toEqual([
      ['life_thing.a', 'record', 'noise'],
    ]);
  });

  it('shows no sensitive value in any format', async () => {
    await applied();
    bench.change('a-1', { secret: 'swordfish-2' });
    bench.write(
      'drift.hcl',
      `ignore {
  address   = "**"
  condition = new > 3
  until     = "2999-01-01"
  owner     = "o"
  reason    = "r"
}
`,
    );
    const all = await outputInAllFormats();
    expect(all).toContain('sensitive');
    expect(all).not.toMatch(/swordfish/);
    const { report } = await bench.drift();
    expect(report.entries[0]?.changes[0]).toMatchObject({
      attribute: 'secret',
      level: 'configured',
      before_sensitive: true,
      after_sensitive: true,
    });
  });

  it('shows no copy of a sensitive value in any format', async () => {
    await applied(`${MAIN.replace('"swordfish-1"', '"9f3a"')}output "note" {
  value = life_thing.a.note
}
output "tags" {
  value = life_thing.a.tags
}
`);
    bench.change('a-1', { secret: 'swordfish-2', note: 'see swordfish-2', tags: { env: '9f3a' } });
    const all = await outputInAllFormats();
    expect(all).toContain('output.note');
    expect(all).not.toMatch(/swordfish|9f3a/);
    const explained = await bench.run('explain', '-json', 'life_thing.a');
    expect(explained.stdout).toContain('"note"');
    expect(explained.stdout).not.toMatch(/swordfish|9f3a/);
  });

  it('rejects invalid options', async () => {
    await applied();
    for (const [option, text] of [
      ['-level=loud', 'Invalid level'],
      ['-annotations=nobody', 'Invalid annotations'],
      ['-rules=missing.hcl', 'Unreadable drift rules'],
      ['extra', 'Too many command line arguments'],
    ] as const) {
      const { exit, stderr } = await bench.run('drift', '-no-color', option);
      expect({ option, exit }).toEqual({ option, exit: 1 });
      expect(stderr).toContain(text);
    }
  });
});

describe('ignore rules', () => {
  const rule = (lines: string, until = '2999-01-31'): string => `ignore {
  ${lines}
  until  = "${until}"
  owner  = "platform"
  reason = "Known."
}
`;

  it('ignore attributes until their date', async () => {
    await applied();
    bench.change('a-1', { note: 'theirs' });
    bench.write('drift.hcl', rule('address = "life_thing.*"\n  attribute = "note"'));
    const ignored = await bench.drift();
    expect(ignored.exit).toBe(0);
    expect(ignored.report.entries[0]).toMatchObject({ ignored: true, alarm: false });
    expect((await bench.drift('-exit-ignored')).exit).toBe(3);
    bench.write('drift.hcl', rule('address = "life_thing.*"\n  attribute = "note"', '2020-01-31'));
    const expired = await bench.drift();
    expect(expired.exit).toBe(2);
    expect(expired.report.expired_rules).toMatchObject([{ owner: 'platform' }]);
  });

  it('apply to vanished objects only if they say so', async () => {
    await applied();
    bench.vanish('b-1');
    bench.write('drift.hcl', rule('address = "life_thing.b"'));
    const attributes = await bench.drift();
    expect(attributes.exit).toBe(2);
    expect(attributes.report.unused_rules).toHaveLength(1);
    bench.write('drift.hcl', rule('address = "life_thing.b"\n  vanished = true'));
    expect((await bench.drift()).exit).toBe(0);
  });

  it('depend on values by their condition', async () => {
    await applied('resource "life_thing" "a" {\n  name = "a"\n  size = 2\n}\n');
    bench.write(
      'drift.hcl',
      rule('address = "**"\n  attribute = "size"\n  condition = new >= old && new < 5'),
    );
    bench.change('a-1', { size: 4 });
    expect((await bench.drift()).exit).toBe(0);
    bench.change('a-1', { size: 5 });
    expect((await bench.drift()).exit).toBe(2);
  });

  it('require a date, an owner and a reason', async () => {
    await applied();
    bench.write('drift.hcl', 'ignore {\n  address = "a.b"\n}\n');
    const { exit, stderr } = await bench.run('drift', '-no-color');
    expect(exit).toBe(1);
    for (const name of ['until', 'owner', 'reason'])
      expect(stderr).toContain(`The argument "${name}" is required`);
    bench.write('drift.hcl', rule('address = "a.b"', '2026-02-30'));
    expect((await bench.run('drift', '-no-color')).stderr).toContain('Invalid end of a drift rule');
  });

  it('are not read from a device, which may never end', async () => {
    await applied();
    symlinkSync('/dev/zero', join(bench.directory, 'drift.hcl'));
    const { exit, stderr } = await bench.run('drift', '-no-color');
    expect(exit).toBe(1);
    expect(stderr).toContain('drift.hcl is no regular file');
  });

  it('keep the level of changes that they do not match', async () => {
    await applied();
    bench.change('a-1', { note: 'theirs', revision: 7 });
    bench.write('drift.hcl', rule('address = "life_thing.a"\n  attribute = "note"'));
    const { exit, report } = await bench.drift();
    expect(exit).toBe(0);
    expect(report.entries[0]).toMatchObject({ level: 'noise', ignored: false });
  });
});
