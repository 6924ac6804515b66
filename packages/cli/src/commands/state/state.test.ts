import { describe, expect, it } from 'vitest';
import { Workbench } from '../../testing/run-terrane.ts';

const MAIN = `resource "terraform_data" "a" {
  input = 1
}

resource "terraform_data" "many" {
  count = 2
}

output "x" {
  value = { n = 1, s = "t" }
}

output "secret" {
  value     = "hidden"
  sensitive = true
}
`;

async function applied(): Promise<Workbench> {
  const bench = await Workbench.with({ 'main.tf': MAIN });
  await bench.run('apply -auto-approve');
  return bench;
}

describe('state', () => {
  it('lists instances, all of them or those at an address', async () => {
    const bench = await applied();
    expect((await bench.run('state list')).stdout).toBe(
      'terraform_data.a\nterraform_data.many[0]\nterraform_data.many[1]\n',
    );
    expect((await bench.run('state list terraform_data.many')).stdout).toBe(
      'terraform_data.many[0]\nterraform_data.many[1]\n',
    );
    const missing = await bench.run('state list terraform_data.nope');
    expect(missing.code).toBe(1);
    expect(missing.stderr).toContain('Error: Unknown resource');
  });

  it('prints identities, by address, type or id', async () => {
    const bench = await applied();
    const state = await bench.read('terraform.tfstate');
    const identity = '"identity_schema_version":0,"identity":{"b":"<2>","a":{"y":1.50,"x":null}},';
    await bench.write(
      'terraform.tfstate',
      state.replaceAll('"schema_version": 0,', `"schema_version": 0,${identity}`),
    );
    const first = [
      '  "terraform_data.many[1]": {',
      '    "a": {',
      '      "x": null,',
      '      "y": 1.5',
      '    },',
      '    "b": "\\u003c2\\u003e"',
      '  }',
    ].join('\n');
    const { code, stdout } = await bench.run('state identities -json terraform_data.many[1]');
    expect({ code, stdout }).toStrictEqual({ code: 0, stdout: `{\n${first}\n}\n` });
    const all = JSON.parse((await bench.run('state identities -json')).stdout) as object;
    expect(Object.keys(all)).toStrictEqual([
      'terraform_data.a',
      'terraform_data.many[0]',
      'terraform_data.many[1]',
    ]);
    expect((await bench.run('state identities -json -id=none')).stdout).toBe('{}\n');
    const missing = await bench.run('state identities -json terraform_data.nope');
    expect(missing.code).toBe(1);
    expect(missing.stderr).toContain('Error: Unknown resource');
  });

  it('omits objects without identity, and requires -json', async () => {
    const bench = await applied();
    expect((await bench.run('state identities -json')).stdout).toBe('{}\n');
    const { code, stderr } = await bench.run('state identities');
    expect(code).toBe(1);
    expect(stderr).toContain('command requires the `-json` flag.');
  });

  it('reports a missing state', async () => {
    const bench = await Workbench.with({ 'main.tf': MAIN });
    const { code, stderr } = await bench.run('state list');
    expect(code).toBe(1);
    expect(stderr).toContain('No state file was found!');
  });

  it('shows one instance', async () => {
    const bench = await applied();
    const { code, stdout } = await bench.run('state show terraform_data.many[1]');
    expect(code).toBe(0);
    expect(stdout).toMatch(
      /^# terraform_data\.many\[1\]:\nresource "terraform_data" "many" \{\n {4}id = "/,
    );
    expect((await bench.run('state show terraform_data.nope')).stderr).toContain(
      'No instance found for the given address!',
    );
    expect((await bench.run('state show module')).stderr).toContain(
      'Error parsing instance address: module',
    );
  });

  it('pulls a state that it can push again', async () => {
    const bench = await applied();
    const { stdout } = await bench.run('state pull');
    const pulled = JSON.parse(stdout) as { serial: number };
    await bench.write('new.tfstate', JSON.stringify({ ...pulled, serial: pulled.serial + 1 }));
    expect((await bench.run('state push new.tfstate')).code).toBe(0);
    await bench.write('old.tfstate', JSON.stringify({ ...pulled, serial: 0, outputs: {} }));
    const old = await bench.run('state push old.tfstate');
    expect(old.code).toBe(1);
    expect(old.stderr).toContain('cannot import state with serial 0 over newer state');
    expect((await bench.run('state push -force old.tfstate')).code).toBe(0);
    expect((await bench.run('state push -', { input: ['{'] })).stderr).toContain(
      'Error reading source state "-"',
    );
  });

  it('moves within a state that is named as the one to move to', async () => {
    const bench = await applied();
    await bench.run('state mv -state-out=./terraform.tfstate terraform_data.a terraform_data.c');
    expect((await bench.run('state list')).stdout).toBe(
      'terraform_data.c\nterraform_data.many[0]\nterraform_data.many[1]\n',
    );
  });

  it('edits the file in -state, regardless of the backend', async () => {
    const bench = await applied();
    await bench.write('backend.tf', 'terraform {\n  backend "local" {}\n}\n');
    const command = 'state rm -no-color terraform_data.a';
    const { code, stderr } = await bench.run(command);
    expect(code).toBe(1);
    expect(stderr).toMatch(
      /^Error loading the state: Backend initialization required.*Please ensure/s,
    );
    const there = await bench.run('state rm -state=terraform.tfstate terraform_data.a');
    expect(there.stdout).toContain('Removed terraform_data.a');
  });

  it('pulls an empty state of a backend elsewhere that has none yet', async () => {
    const backend = { type: 'inmem', config: { lock_id: null }, hash: 1 };
    const bench = await Workbench.with({
      'main.tf': 'terraform {\n  backend "inmem" {}\n}\n',
      '.terraform/terraform.tfstate': JSON.stringify({ version: 3, backend }),
    });
    const { code, stdout, stderr } = await bench.run('state pull');
    expect([code, stderr]).toEqual([0, '']);
    expect(JSON.parse(stdout)).toMatchObject({ version: 4, serial: 0, lineage: '', resources: [] });
  });

  it('keeps a backup of each of several edits within a second', async () => {
    const bench = await applied();
    await bench.run('state rm terraform_data.a');
    await bench.run('state rm terraform_data.many[0]');
    const backups = (await bench.names()).filter((name) => /\.\d+\.backup$/.test(name));
    const texts = await Promise.all(backups.map((name) => bench.read(name)));
    expect(texts.map((text) => text.includes('"name": "a"'))).toEqual([true, false]);
  });

  it('moves, and keeps a backup with the time in its name', async () => {
    const bench = await applied();
    const { code, stdout } = await bench.run('state mv terraform_data.a terraform_data.b');
    expect(code).toBe(0);
    expect(stdout).toBe(
      'Move "terraform_data.a" to "terraform_data.b"\nSuccessfully moved 1 object(s).\n',
    );
    expect((await bench.run('state list')).stdout).toContain('terraform_data.b\n');
    expect(
      (await bench.names()).some((name) => /^terraform\.tfstate\.\d+\.backup$/.test(name)),
    ).toBe(true);
  });

  it('only prints moves and removals with -dry-run', async () => {
    const bench = await applied();
    const before = await bench.read('terraform.tfstate');
    expect(
      (await bench.run('state mv -dry-run terraform_data.a terraform_data.b')).stdout,
    ).toContain('Would move "terraform_data.a"');
    expect((await bench.run('state rm -dry-run terraform_data.many')).stdout).toBe(
      'Would remove terraform_data.many[0]\nWould remove terraform_data.many[1]\n',
    );
    expect((await bench.run('state rm -dry-run terraform_data.nope')).stdout).toBe(
      'Would have removed nothing.\n',
    );
    expect(await bench.read('terraform.tfstate')).toBe(before);
  });

  it('moves into another state', async () => {
    const bench = await applied();
    const { code } = await bench.run(
      'state mv -state-out=other.tfstate terraform_data.a terraform_data.a',
    );
    expect(code).toBe(0);
    expect((await bench.run('state list')).stdout).not.toContain('terraform_data.a\n');
    expect((await bench.run('state list -state=other.tfstate')).stdout).toBe('terraform_data.a\n');
  });

  it('forgets instances', async () => {
    const bench = await applied();
    const { code, stdout } = await bench.run('state rm terraform_data.many[0]');
    expect(code).toBe(0);
    expect(stdout).toBe(
      'Removed terraform_data.many[0]\nSuccessfully removed 1 resource instance(s).\n',
    );
    const missing = await bench.run('state rm terraform_data.nope');
    expect(missing.code).toBe(1);
    expect(missing.stderr).toContain('Error: Invalid target address');
  });

  it('marks an object to be replaced, and takes that back', async () => {
    const bench = await applied();
    expect((await bench.run('taint terraform_data.a')).stdout).toBe(
      'Resource instance terraform_data.a has been marked as tainted.\n',
    );
    expect((await bench.run('plan')).stdout).toContain(
      'terraform_data.a is tainted, so must be replaced',
    );
    expect((await bench.run('untaint terraform_data.a')).stdout).toContain(
      'has been successfully untainted',
    );
    expect((await bench.run('untaint terraform_data.a')).stderr).toContain(
      'is not currently tainted',
    );
    expect((await bench.run('taint terraform_data.nope')).code).toBe(1);
    expect((await bench.run('taint -allow-missing terraform_data.nope')).code).toBe(0);
    expect((await bench.run('taint data.x.y')).stderr).toContain('data.x.y cannot be tainted');
  });
});

describe('show', () => {
  it('reports an empty file as no state', async () => {
    const bench = await Workbench.with({ 'empty.tfstate': '' });
    const { code, stderr } = await bench.run('show -no-color empty.tfstate');
    expect(code).toBe(1);
    expect(stderr).toContain(
      'State read error: Error reading empty.tfstate as a statefile: no state',
    );
  });

  it('shows the state as text and as JSON', async () => {
    const bench = await applied();
    const text = await bench.run('show');
    expect(text.stdout).toContain('# terraform_data.a:\nresource "terraform_data" "a" {\n');
    expect(text.stdout).toContain('secret = (sensitive value)');
    expect(JSON.parse((await bench.run('show -json')).stdout)).toMatchObject({
      format_version: '1.0',
    });
    expect((await bench.run('show terraform.tfstate')).stdout).toBe(text.stdout);
  });

  it('reports a missing state', async () => {
    const bench = await Workbench.with({ 'main.tf': MAIN });
    expect((await bench.run('show')).stdout).toBe('No state.\n');
    expect((await bench.run('show -json')).stdout).toBe('{"format_version":"1.0"}\n');
  });

  it('reports a file that is neither a plan nor a state', async () => {
    const bench = await Workbench.with({ 'main.tf': MAIN, other: 'hello' });
    const { code, stderr } = await bench.run('show other');
    expect(code).toBe(1);
    expect(stderr).toContain('Error: Failed to read the given file as a state or plan file');
  });
});

describe('output', () => {
  it('shows all outputs, one, or one raw', async () => {
    const bench = await applied();
    expect((await bench.run('output')).stdout).toBe(
      'secret = <sensitive>\nx = {\n  "n" = 1\n  "s" = "t"\n}\n',
    );
    expect((await bench.run('output x')).stdout).toBe('{\n  "n" = 1\n  "s" = "t"\n}\n');
    expect((await bench.run('output -raw secret')).stdout).toBe('hidden');
    expect((await bench.run('output -json x')).stdout).toBe('{"n":1,"s":"t"}\n');
    expect(JSON.parse((await bench.run('output -json')).stdout)).toMatchObject({
      secret: { sensitive: true, value: 'hidden' },
    });
  });

  it('reports missing outputs, and those without a raw form', async () => {
    const bench = await applied();
    expect((await bench.run('output nope')).stderr).toContain('Error: Output "nope" not found');
    expect((await bench.run('output -raw x')).stderr).toContain(
      'Error: Unsupported value for raw output',
    );
    const empty = await new Workbench().run('output');
    expect(empty).toMatchObject({ code: 0, stderr: '' });
    expect(empty.stdout).toContain('Warning: No outputs found');
  });
});

describe('rehearsals', () => {
  it('print the effects of taint and untaint', async () => {
    const bench = await applied();
    const taint = await bench.run('taint -dry-run terraform_data.a');
    expect(taint.stdout).toBe('Resource instance terraform_data.a would be tainted.\n');
    expect((await bench.run('plan')).stdout).toContain('No changes');
    await bench.run('taint terraform_data.a');
    const untaint = await bench.run('untaint -dry-run terraform_data.a');
    expect(untaint.stdout).toBe('Resource instance terraform_data.a would be untainted.\n');
    expect((await bench.run('plan')).stdout).toContain('is tainted');
  });

  it('show the changes of replace-provider without a prompt', async () => {
    const bench = await applied();
    const { code, stdout } = await bench.run(
      'state replace-provider -dry-run terraform.io/builtin/terraform example.com/a/b',
    );
    expect(code).toBe(0);
    expect(stdout).toContain('  terraform_data.many\n');
    expect(stdout).not.toContain('yes');
    expect((await bench.run('state pull')).stdout).not.toContain('example.com');
  });
});

it('output reports each error in a state separately', async () => {
  const bench = await Workbench.with({ 'broken.tfstate': '{' });
  const { code, stderr } = await bench.run('output -no-color -state=broken.tfstate');
  expect(code).toBe(1);
  expect(stderr.match(/Error: Unsupported state file format/g)).toHaveLength(2);
});

// As terraform 1.11.4 says it, where it is about the syntax of JSON.
describe('the backend that init has set up', () => {
  const LOCAL = 'terraform {\n  backend "local" {\n    path = "s.tfstate"\n  }\n}\n';

  it.each([
    ['{', 'invalid syntax: unexpected end of JSON input'],
    ['hello', "invalid syntax: invalid character 'h' looking for beginning of value"],
    ['[]', 'invalid syntax: it is an array, not an object'],
    ['{"version":"3"}', 'invalid syntax: "version" is a string, not a number'],
    ['{"version":0}', 'invalid syntax: no format version number'],
    [
      '{"version":3,"backend":{"type":"local","hash":"x"}}',
      'invalid syntax: "hash" of "backend" is a string, not a number',
    ],
    [
      '{"version":9,"terraform_version":"8.1.0"}',
      'unsupported backend state version 9; you may need to use Terraform CLI v8.1.0 to work in this directory',
    ],
  ])('is an error of every command where it is %s', async (stored, problem) => {
    const bench = await Workbench.with({
      'main.tf': LOCAL,
      '.terraform/terraform.tfstate': stored,
    });
    for (const command of ['plan', 'state list', 'state pull', 'show', 'taint a.b', 'init']) {
      const { code, stderr } = await bench.run(command);
      expect(code).toBe(1);
      expect(stderr).toContain(`\nError: Failed to load state: ${problem}\n`);
    }
  });

  it('may name a removed backend', async () => {
    const stored = '{"version":3,"backend":{"type":"other","config":{},"hash":1}}';
    const bench = await Workbench.with({
      'main.tf': LOCAL,
      '.terraform/terraform.tfstate': stored,
    });
    const { stderr } = await bench.run('init -migrate-state');
    expect(stderr).toContain('Error: The backend "other" could not be found.');
    expect((await bench.run('init -reconfigure')).code).toBe(0);
  });
});

it('shows each error of a state separately', async () => {
  const bench = await Workbench.with({ 'terraform.tfstate': '{"version": 4,' });
  for (const command of ['show', 'state show terraform_data.a']) {
    const { stderr } = await bench.run(command);
    expect(stderr.match(/^Error: Unsupported state file format$/gm)).toHaveLength(2);
  }
});

it('reports mismatches in an object that an old program stored as strings', async () => {
  const state =
    '{"version":1,"serial":4,"modules":[{"path":["root"],"resources":{"terraform_data.a":{"type":"terraform_data","primary":{"id":"i","attributes":{"id":"i"}}}}}]}';
  const bench = await Workbench.with({ 'terraform.tfstate': state });
  const { code, stderr } = await bench.run('show');
  expect(code).toBe(1);
  expect(stderr).toContain(
    'the stored object of terraform_data.a does not conform to the schema of its provider: cannot decode dynamic from flatmap',
  );
});

describe('a state that a newer version of a provider wrote', () => {
  const state = JSON.stringify({
    version: 4,
    terraform_version: '1.17.0',
    serial: 3,
    lineage: '3a4f1c9e-0000-4000-8000-000000000000',
    outputs: { o: { value: 'out', type: 'string' } },
    resources: [
      {
        mode: 'managed',
        type: 'terraform_data',
        name: 'a',
        provider: 'provider["terraform.io/builtin/terraform"]',
        instances: [
          {
            schema_version: 0,
            attributes: {
              id: 'known-id',
              input: { value: 'x', type: 'string' },
              output: { value: 'x', type: 'string' },
              newer: { secret: 's' },
              newest: null,
              triggers_replace: null,
            },
            sensitive_attributes: [
              [
                { type: 'get_attr', value: 'newer' },
                { type: 'get_attr', value: 'secret' },
              ],
            ],
            identity_schema_version: 0,
          },
        ],
      },
    ],
  });

  it.each([
    ['show -no-color', 'known-id'],
    ['show -json', '"input":"x"'],
    ['state show -no-color terraform_data.a', 'known-id'],
    ['state list', 'terraform_data.a'],
    ['output -json', '"out"'],
    ['state pull', '"newest": null'],
  ])('is read by %s', async (command, expected) => {
    const bench = await Workbench.with({ 'terraform.tfstate': state });
    const { code, stdout, stderr } = await bench.run(command);
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
    expect(stdout).toContain(expected);
  });

  it('keeps its attributes when it is edited', async () => {
    const bench = await Workbench.with({ 'terraform.tfstate': state });
    expect((await bench.run('state mv terraform_data.a terraform_data.b')).code).toBe(0);
    expect((await bench.run('state pull')).stdout).toMatch(/"newer": \{\s*"secret": "s"/);
    expect((await bench.run('state rm terraform_data.b')).code).toBe(0);
  });
});
