import { describe, expect, it } from 'vitest';
import { Workbench } from '../testing/run-terrane.ts';

const MAIN = 'resource "terraform_data" "a" {\n  input = 1\n}\n';
const STATE = 'terraform.tfstate';
const JOURNAL = '.terraform.tfstate.journal';

/** Every command that reads the state; what is pushed is the bad one too. */
const COMMANDS = [
  'plan',
  'apply -auto-approve',
  'apply -destroy -auto-approve',
  'refresh',
  'show',
  'show -json',
  'output',
  'output -json',
  'state list',
  'state show terraform_data.a',
  'state mv terraform_data.a terraform_data.b',
  'state rm terraform_data.a',
  'state pull',
  'state replace-provider -auto-approve hashicorp/null acme/null',
  'state recover',
  'state recover -write',
  'taint terraform_data.a',
  'untaint terraform_data.a',
  'import terraform_data.a x',
] as const;

const V4 = (rest: string): string =>
  `{"version":4,"terraform_version":"1.11.4","serial":1,"lineage":"l","outputs":{},${rest}}`;
const OBJECT = (rest: string, type = 'terraform_data'): string =>
  `{"mode":"managed","type":"${type}","name":"a","provider":"provider[\\"terraform.io/builtin/terraform\\"]","instances":[${rest}]}`;
const ONE = '{"schema_version":0,"attributes":{"id":"1","input":null,"output":null}}';

const STATES: readonly (readonly [string, string, string])[] = [
  [
    'that is cut off',
    V4(`"resources":[${OBJECT(ONE)}]`).slice(0, -40),
    'could not be parsed as JSON',
  ],
  ['of zeros', '\0'.repeat(64), 'could not be parsed as JSON'],
  ['of other text', 'not a state at all', 'could not be parsed as JSON'],
  ['of other JSON', '{"name":"something","scripts":{}}', 'does not have a "version" attribute'],
  ['that is a list', '[]', 'The version in the state file is array'],
  ['of a newer format', '{"version":5,"serial":1}', 'format version 5'],
  [
    'without instances of an object twice',
    V4(`"resources":[${OBJECT(`${ONE},${ONE}`)}]`),
    'Duplicate resource instance',
  ],
  [
    'with a resource twice',
    V4(`"resources":[${OBJECT(ONE)},${OBJECT(ONE)}]`),
    'Duplicate resource',
  ],
  [
    'with a serial that is none',
    V4('"resources":[]').replace('"serial":1', '"serial":"x"'),
    'serial',
  ],
  ['with resources that are none', V4('"resources":7'), 'resources'],
  [
    'of a resource without a provider',
    V4(`"resources":[{"mode":"managed","type":"terraform_data","name":"a","instances":[${ONE}]}]`),
    'provider',
  ],
  [
    'with outputs that are none',
    V4('"resources":[]').replace('"outputs":{}', '"outputs":{"a":1}'),
    'outputs',
  ],
];

describe('a state', () => {
  it.each(STATES)(
    '%s is refused by every command with one error, and left alone',
    async (_, text, says) => {
      for (const command of COMMANDS) {
        const bench = await Workbench.with({ 'main.tf': MAIN, [STATE]: text });
        const { code, stdout, stderr } = await bench.run(command);
        const label = `${command}: ${stdout}${stderr}`;
        expect(code, label).toBe(1);
        expect(stderr.replaceAll(/\s+/g, ' '), label).toContain(says);
        expect(await bench.read(STATE), label).toBe(text);
        expect(await bench.names(), label).toEqual(['main.tf', STATE]);
      }
    },
  );

  it.each(STATES)('%s is not pushed over a good one', async (_, text, says) => {
    const bench = await Workbench.with({ 'main.tf': MAIN, 'bad.tfstate': text });
    await bench.run('apply -auto-approve');
    const before = await bench.read(STATE);
    for (const command of ['state push bad.tfstate', 'state push -force bad.tfstate']) {
      const { code, stderr } = await bench.run(command);
      expect(code, stderr).toBe(1);
      expect(stderr.replaceAll(/\s+/g, ' ')).toContain(says);
      expect(await bench.read(STATE)).toBe(before);
    }
  });
});

/** A directory in which a run has ended before it stored its state, and the journal of it. */
async function afterCrash(): Promise<Workbench> {
  const bench = await Workbench.with({ 'main.tf': MAIN });
  await bench.run('apply -auto-approve');
  await bench.write('main.tf', MAIN.replace('1', '2'));
  let isRecorded = false;
  await bench.run('apply -auto-approve', {
    pid: 101,
    fault: ({ kind, path }) => {
      if (path.endsWith(JOURNAL) && kind === 'rename') isRecorded = true;
      else if (isRecorded && kind !== 'read' && !path.includes('.journal')) return 'ENOSPC';
      return undefined;
    },
  });
  // Locks of the operating system end with their process.
  bench.disk.locks.clear();
  expect(await bench.exists(JOURNAL)).toBe(true);
  return bench;
}

describe('a journal', () => {
  const spoil: readonly (readonly [string, (bytes: Uint8Array) => Uint8Array, string])[] = [
    ['that is none', () => new TextEncoder().encode('something else\n'), 'it is no journal'],
    [
      'of a newer version',
      (bytes) =>
        Buffer.from(
          Buffer.from(bytes).toString('latin1').replace('journal 1', 'journal 9'),
          'latin1',
        ),
      'one of a newer version',
    ],
    [
      'with a record damaged that others follow',
      (bytes) => Uint8Array.from(bytes, (byte, index) => (index === 60 ? byte ^ 1 : byte)),
      'is damaged',
    ],
  ];

  it.each(spoil)('%s ends every command with one error, and stays', async (_, change, says) => {
    for (const command of COMMANDS) {
      const bench = await afterCrash();
      const bad = Uint8Array.from(change(await bench.readBytes(JOURNAL)));
      await bench.writeBytes(JOURNAL, bad);
      const before = await bench.read(STATE);
      const { code, stdout, stderr } = await bench.run(command, { pid: 102 });
      const label = `${command}: ${stdout}${stderr}`;
      expect(code, label).toBe(1);
      expect(stderr.replaceAll(/\s+/g, ' '), label).toContain('Unusable state journal');
      expect(stderr.replaceAll(/\s+/g, ' '), label).toContain(says);
      expect(await bench.readBytes(JOURNAL), label).toEqual(bad);
      expect(await bench.read(STATE), label).toBe(before);
    }
  });

  it('of another state ends every command with one error, and stays', async () => {
    for (const command of COMMANDS) {
      const bench = await afterCrash();
      const journal = await bench.readBytes(JOURNAL);
      const foreign = V4(`"resources":[${OBJECT(ONE)}]`);
      await bench.write(STATE, foreign);
      const { code, stdout, stderr } = await bench.run(command, { pid: 102 });
      const label = `${command}: ${stdout}${stderr}`;
      expect(code, label).toBe(1);
      expect(stderr.replaceAll(/\s+/g, ' '), label).toContain(
        'is not the one that the run began with',
      );
      expect(await bench.readBytes(JOURNAL), label).toEqual(journal);
      expect(await bench.read(STATE), label).toBe(foreign);
    }
  });
});
