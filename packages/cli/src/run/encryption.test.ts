import { describe, expect, it } from 'vitest';
import { Workbench } from '../testing/run-terrane.ts';
import type { FileStep } from '@terrane/testkit';

const RESOURCES = `variable "text" {
  default = "marker-first"
}

resource "terraform_data" "a" {
  input = var.text
}

output "text" {
  value     = terraform_data.a.output
  sensitive = true
}
`;

const KEY_A = 'a0'.repeat(32);
const KEY_B = 'b1'.repeat(32);

/** An `encryption` block with two keys, and these targets. */
const withKeys = (targets: string): string => `terraform {
  encryption {
    key_provider "static" "a" {
      key                      = "${KEY_A}"
      encrypted_metadata_alias = "kept"
    }
    key_provider "static" "b" {
      key                      = "${KEY_B}"
      encrypted_metadata_alias = "kept"
    }
    method "aes_gcm" "a" {
      keys = key_provider.static.a
    }
    method "aes_gcm" "b" {
      keys = key_provider.static.b
    }
    method "unencrypted" "none" {}
${targets}
  }
}
`;
const A = 'method = method.aes_gcm.a';
const B = 'method = method.aes_gcm.b';
const NONE = 'method = method.unencrypted.none';
const state = (text: string): string => withKeys(`state {\n${text}\n}`);
const both = (text: string): string => withKeys(`state {\n${text}\n}\nplan {\n${text}\n}`);
const fallback = (text: string): string => `fallback {\n${text}\n}`;

const STATE = 'terraform.tfstate';
const JOURNAL = '.terraform.tfstate.journal';

async function bench(encryption = ''): Promise<Workbench> {
  return await Workbench.with({ 'resources.tf': RESOURCES, 'encryption.tf': encryption });
}

async function ok(
  given: Workbench,
  command: string,
  environment: Readonly<Record<string, string>> = {},
): Promise<string> {
  const { code, stdout, stderr } = await given.run(command, { environment });
  expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
  return stdout;
}

/** What a command says that fails, in one line; nothing that is kept has changed. */
async function fails(
  given: Workbench,
  command: string,
  environment: Readonly<Record<string, string>> = {},
): Promise<string> {
  const before = await contents(given);
  const { code, stdout, stderr } = await given.run(command, { environment });
  expect(code).toBe(1);
  expect(await contents(given)).toEqual(before);
  const said = `${stdout}${stderr}`.replaceAll(/[\s│╷╵]+/g, ' ');
  for (const secret of [KEY_A, KEY_B, 'marker']) expect(said).not.toContain(secret);
  return said;
}

async function contents(given: Workbench): Promise<Readonly<Record<string, string>>> {
  const files: Record<string, string> = {};
  for (const name of await given.names()) {
    if (name.startsWith(STATE)) files[name] = await given.read(name);
  }
  return files;
}

const isEncrypted = (text: string): boolean =>
  text.includes('"encrypted_data"') && !text.includes('marker');

const APPLY = 'apply -auto-approve';

describe('keys that take the place of others', () => {
  it('are used for writing at once, and the old ones for reading as long as they are a fallback', async () => {
    const given = await bench(state(A));
    await ok(given, APPLY);
    await given.write('encryption.tf', state(`${B}\n${fallback(A)}`));
    await ok(given, 'plan -detailed-exitcode');
    // Nothing changes, but what is stored is written anew.
    await ok(given, APPLY);
    await given.write('encryption.tf', state(B));
    expect(await ok(given, 'output -raw text')).toBe('marker-first');
    await given.write('encryption.tf', state(A));
    expect(await fails(given, 'output')).toContain(
      'decryption failed for all provided methods attempted decryption failed for state: decryption failed: cipher: message authentication failed',
    );
  });

  it('fail one after the other', async () => {
    const given = await bench(state(A));
    await ok(given, APPLY);
    const text = state(`${B}\n${fallback(B)}`);
    await given.write('encryption.tf', text);
    const failure =
      'attempted decryption failed for state: decryption failed: cipher: message authentication failed';
    expect(await fails(given, 'state list')).toContain(`${failure} ${failure}`);
  });
});

describe('TF_ENCRYPTION', () => {
  it.each([
    ['that does not end', 'key_provider "pbkdf2" "k" {\n  passphrase = "marker-of-a-passphrase"'],
    [
      'with what is unknown',
      'key_provider "pbkdf2" "k" { passphrase = "marker-of-a-passphrase", x = 1 }',
    ],
    [
      'in JSON with a template where a reference must be',
      '{"key_provider":{"pbkdf2":{"k":{"passphrase":"marker-of-a-passphrase"}}},"method":{"aes_gcm":{"m":{"keys":"${key_provider.pbkdf2.k}"}}},"state":{"method":"${method.aes_gcm.m}"}}',
    ],
    [
      'in JSON that does not end',
      '{"key_provider":{"pbkdf2":{"k":{"passphrase":"marker-of-a-passphrase"',
    ],
  ])('%s is not shown where it is told of', async (_what, text) => {
    const given = await bench();
    for (const command of ['init -no-color', 'plan -no-color', 'plan -json', 'state list']) {
      const { code, stdout, stderr } = await given.run(command, {
        environment: { TF_ENCRYPTION: text },
      });
      expect([command, code]).toEqual([command, 1]);
      expect(stdout + stderr).toContain('TF_ENCRYPTION');
      expect(stdout + stderr).not.toContain('marker');
    }
  });
});

describe('encryption that is turned on', () => {
  it('takes a state over that is not encrypted where that is a fallback', async () => {
    const given = await bench();
    await ok(given, APPLY);
    expect(await given.read(STATE)).toContain('marker-first');
    await given.write('encryption.tf', state(`${A}\n${fallback(NONE)}`));
    const { code, stdout } = await given.run(APPLY);
    expect({ code, warned: stdout.includes('Unencrypted method configured') }).toEqual({
      code: 0,
      warned: true,
    });
    expect(isEncrypted(await given.read(STATE))).toBe(true);
    await given.write('encryption.tf', state(A).replace(/method "unencrypted".*\n/, ''));
    expect(await ok(given, 'output -raw text')).toBe('marker-first');
  });

  it('refuses a state that is not encrypted elsewhere', async () => {
    const given = await bench();
    await ok(given, APPLY);
    await given.write('encryption.tf', state(A));
    for (const command of ['plan', APPLY, 'init', 'output', 'state list', 'state pull', 'show']) {
      expect(await fails(given, command)).toContain(
        'encountered unencrypted payload without unencrypted method configured',
      );
    }
  });

  it('is enforced', async () => {
    const given = await bench(state(`enforced = true\n${A}\n${fallback(NONE)}`));
    expect(await fails(given, 'plan')).toContain('Unencrypted method is forbidden');
    await given.write('encryption.tf', state(`enforced = true\n${NONE}`));
    expect(await fails(given, 'init')).toContain(
      'Unable to use unencrypted method since the enforced flag is set.',
    );
    await given.write(
      'encryption.tf',
      state(`enforced = true\n${A}`).replace(/method "unencrypted".*\n/, ''),
    );
    await ok(given, APPLY);
    expect(isEncrypted(await given.read(STATE))).toBe(true);
  });

  it('encrypts backups, also of what was not encrypted', async () => {
    const given = await bench();
    await ok(given, APPLY);
    await given.write('encryption.tf', state(`${A}\n${fallback(NONE)}`));
    await given.run(`${APPLY} -var=text=marker-second`);
    await given.run('state rm terraform_data.a');
    const kept = Object.entries(await contents(given));
    expect(kept.length).toBe(3);
    for (const [name, text] of kept) expect([name, isEncrypted(text)]).toEqual([name, true]);
  });
});

describe('encryption that is turned off', () => {
  it('reads what is encrypted and writes it plain', async () => {
    const given = await bench(state(A));
    await ok(given, APPLY);
    await given.write('encryption.tf', state(`${NONE}\n${fallback(A)}`));
    const { code } = await given.run(APPLY);
    expect(code).toBe(0);
    await given.write('encryption.tf', '');
    expect(await ok(given, 'output -raw text')).toBe('marker-first');
  });

  it('tells of states and plans that are encrypted', async () => {
    const given = await bench(both(A));
    await ok(given, `plan -out=${STATE}.plan`);
    await ok(given, APPLY);
    await given.write('encryption.tf', '');
    const state =
      'This state file is encrypted and can not be read without an encryption configuration';
    const plan =
      'the given plan file is encrypted and requires a valid encryption configuration to decrypt';
    for (const command of ['plan', APPLY, 'init', 'output', 'state pull', `show ${STATE}`]) {
      expect(await fails(given, command)).toContain(state);
    }
    expect(await fails(given, `apply ${STATE}.plan`)).toContain(plan);
    expect(await fails(given, `show ${STATE}.plan`)).toContain(plan);
  });
});

describe('plans', () => {
  it('are encrypted, shown and applied', async () => {
    const given = await bench(both(A));
    await ok(given, 'plan -out=p');
    expect(isEncrypted(await given.read('p'))).toBe(true);
    expect(await ok(given, 'show p')).toContain('marker-first');
    await ok(given, 'apply p');
    expect(await ok(given, 'output -raw text')).toBe('marker-first');
  });

  it('may be encrypted in another way than states, or not at all', async () => {
    const given = await bench(withKeys(`plan {\n${B}\n}`));
    await ok(given, `plan -out=p`);
    await ok(given, 'apply p');
    expect(await given.read(STATE)).toContain('marker-first');
    await given.write('encryption.tf', state(`${A}\n${fallback(NONE)}`));
    await given.run('plan -out=q -var=text=marker-second');
    expect((await given.read('q')).startsWith('TERRANE PLAN')).toBe(true);
    expect((await given.run('apply q')).code).toBe(0);
  });

  it('that cannot be decrypted are not applied', async () => {
    const given = await bench(both(A));
    await ok(given, `plan -out=${STATE}.plan`);
    await given.write('encryption.tf', both(B));
    for (const command of [`apply ${STATE}.plan`, `show ${STATE}.plan`]) {
      expect(await fails(given, command)).toContain(
        'decryption failed for all provided methods attempted decryption failed for plan: decryption failed: cipher: message authentication failed',
      );
    }
    await given.write('encryption.tf', '');
    await ok(given, `plan -out=${STATE}.plain`);
    await given.write('encryption.tf', both(A));
    expect(await fails(given, `apply ${STATE}.plain`)).toContain(
      'encountered unencrypted payload without unencrypted method configured',
    );
    await given.write(`${STATE}.other`, 'something else');
    expect(await fails(given, `apply ${STATE}.other`)).toContain(
      "invalid data format for decryption: invalid character 's' looking for beginning of value, Invalid plan file so",
    );
  });
});

describe('a state that is damaged or foreign', () => {
  const damages: readonly (readonly [string, (file: Stored) => string, string])[] = [
    ['cut off', (file) => JSON.stringify(file).slice(0, -40), 'unexpected end of JSON input'],
    ['something else', () => 'nothing', "invalid character 'o' in literal null (expecting 'u')"],
    ['other JSON', () => '{"a":1}', 'Given payload is not a state file'],
    [
      'without data',
      (file) => JSON.stringify({ ...file, encrypted_data: '' }),
      'cannot decrypt empty data',
    ],
    [
      'with too little data',
      (file) => JSON.stringify({ ...file, encrypted_data: 'AAAA' }),
      'cannot decrypt data because it is too small (likely data corruption)',
    ],
    [
      'with other data',
      (file) => JSON.stringify({ ...file, encrypted_data: `AAAA${file.encrypted_data.slice(4)}` }),
      'cipher: message authentication failed',
    ],
    [
      'without what its key is made from',
      (file) => JSON.stringify({ ...file, meta: {} }),
      'no decryption key available',
    ],
    [
      'with wrong metadata',
      (file) => JSON.stringify({ ...file, meta: { kept: btoa('{"magic":"x"}') } }),
      'corrupted data received, no or invalid magic string: x',
    ],
    [
      'with metadata of another kind',
      (file) => JSON.stringify({ ...file, meta: { kept: btoa('[1]') } }),
      'Unable to decode encrypted metadata (did you change your encryption config?)',
    ],
    [
      'of a later version',
      (file) => JSON.stringify({ ...file, encryption_version: 'v1' }),
      'invalid encrypted payload version: v1 != v0',
    ],
    [
      'under another serial',
      (file) => JSON.stringify({ ...file, serial: 7 }),
      'invalid state metadata, serial field mismatch 7 vs 1',
    ],
    [
      'under another lineage',
      (file) => JSON.stringify({ ...file, lineage: 'other' }),
      'invalid state metadata, linage field mismatch other vs',
    ],
  ];
  it.each(damages)('%s is left as it is', async (_what, damage, message) => {
    const given = await bench(state(A));
    await ok(given, APPLY);
    const file: Stored = JSON.parse(await given.read(STATE));
    await given.write(STATE, damage(file));
    for (const command of ['plan', APPLY, 'output', 'state rm terraform_data.a', `show ${STATE}`]) {
      expect(await fails(given, command)).toContain(message);
    }
  });
});

interface Stored {
  readonly encrypted_data: string;
}

describe('TF_ENCRYPTION', () => {
  it('goes over the block, argument by argument', async () => {
    const given = await bench(state(A));
    const other = { TF_ENCRYPTION: `key_provider "static" "a" {\n  key = "${KEY_B}"\n}` };
    await ok(given, APPLY, other);
    await given.write(
      'encryption.tf',
      state(B).replaceAll('key_provider.static.b', 'key_provider.static.a'),
    );
    expect(await ok(given, 'output -raw text', other)).toBe('marker-first');
    expect(await fails(given, 'output')).toContain('cipher: message authentication failed');
  });

  it('may add a target, a fallback, or that it is enforced', async () => {
    const given = await bench(withKeys(''));
    await ok(given, APPLY, { TF_ENCRYPTION: `state {\n${A}\n}` });
    expect(isEncrypted(await given.read(STATE))).toBe(true);
    await given.write('encryption.tf', state(B));
    const added = { TF_ENCRYPTION: `state {\n${fallback(A)}\n}` };
    expect(await ok(given, 'output -raw text', added)).toBe('marker-first');
    await given.write('encryption.tf', state(`${A}\n${fallback(NONE)}`));
    const enforced = { TF_ENCRYPTION: '{"state": {"enforced": true}}' };
    expect(await fails(given, 'output', enforced)).toContain('Unencrypted method is forbidden');
  });

  it('that makes no sense is an error', async () => {
    const given = await bench();
    const said = async (text: string): Promise<string> =>
      await fails(given, 'plan', { TF_ENCRYPTION: text });
    expect(await said('state {')).toContain('TF_ENCRYPTION line 1');
    expect(await said('{')).toContain('JSON');
    expect(await said('other {}')).toContain('Unsupported block type');
  });
});

describe('the states of others', () => {
  const reading = (targets: string): string => `${withKeys(targets)}
data "terraform_remote_state" "named" {
  backend = "local"
  config  = { path = "named.tfstate" }
}
data "terraform_remote_state" "other" {
  count   = 1
  backend = "local"
  config  = { path = "other.tfstate" }
}
module "m" {
  source = "./m"
}
output "all" {
  value = [
    nonsensitive(data.terraform_remote_state.named.outputs.text),
    nonsensitive(data.terraform_remote_state.other[0].outputs.text),
    nonsensitive(module.m.text),
  ]
}
`;

  it('are read as their names say, or as the others', async () => {
    const given = await bench(state(A));
    await ok(given, 'apply -auto-approve -state=named.tfstate');
    await given.write('encryption.tf', state(B));
    await ok(given, 'apply -auto-approve -state=other.tfstate');
    await given.write('encryption.tf', '');
    await ok(given, 'apply -auto-approve -state=plain.tfstate');
    await given.write(
      'm/main.tf',
      'data "terraform_remote_state" "inner" {\n  backend = "local"\n  config = { path = "plain.tfstate" }\n}\noutput "text" {\n  value = data.terraform_remote_state.inner.outputs.text\n}\n',
    );
    const targets = `remote_state_data_sources {
  default {
    ${B}
  }
  remote_state_data_source "named" {
    ${A}
  }
  remote_state_data_source "m.inner" {
    ${NONE}
  }
}`;
    await given.write('encryption.tf', reading(targets));
    await given.run('init');
    expect((await given.run(APPLY)).code).toBe(0);
    expect(JSON.parse((await given.run('output -json all')).stdout)).toEqual([
      'marker-first',
      'marker-first',
      'marker-first',
    ]);
    await given.write('encryption.tf', reading(targets.replace(A, B)));
    expect((await given.run('plan')).stderr.replaceAll(/[\s│╷╵]+/g, ' ')).toContain(
      'Error: decryption failed for all provided methods attempted decryption failed for remote.remote_state_datasource.named: decryption failed: cipher: message authentication failed',
    );
  });
});

describe('commands on states', () => {
  it('print them plain, and take them plain or encrypted', async () => {
    const given = await bench(state(A));
    await ok(given, APPLY);
    const pulled = await ok(given, 'state pull');
    expect(pulled).toContain('marker-first');
    const kept = await given.read(STATE);
    await ok(given, `${APPLY} -var=text=marker-second`);
    await given.write('plain.json', pulled);
    await ok(given, 'state push -force plain.json');
    expect(isEncrypted(await given.read(STATE))).toBe(true);
    expect(await ok(given, 'output -raw text')).toBe('marker-first');
    await ok(given, `${APPLY} -var=text=marker-third`);
    await given.write('kept.json', kept);
    await ok(given, 'state push -force kept.json');
    expect(await ok(given, 'output -raw text')).toBe('marker-first');
    expect(await ok(given, `show ${STATE}`)).toContain('terraform_data.a');
  });

  it('move states of workspaces and backends along', async () => {
    const given = await bench(state(A));
    await ok(given, APPLY);
    await ok(given, `workspace new -state=${STATE} copy`);
    expect(isEncrypted(await given.read(`terraform.tfstate.d/copy/${STATE}`))).toBe(true);
    await ok(given, 'workspace select default');
    await given.write(
      'backend.tf',
      'terraform {\n  backend "local" {\n    path = "moved.tfstate"\n  }\n}\n',
    );
    await ok(given, 'init -force-copy');
    expect(isEncrypted(await given.read('moved.tfstate'))).toBe(true);
    expect(await ok(given, 'output -raw text')).toBe('marker-first');
  });
});

describe('a run that cannot store its state', () => {
  const full =
    (...kept: readonly string[]) =>
    ({ kind, path }: FileStep): string | undefined =>
      kind === 'read' ||
      kind === 'syncDirectory' ||
      [...kept, '.lock'].some((part) => path.includes(part))
        ? undefined
        : 'ENOSPC';

  it('leaves a journal that only the key opens, and the next run takes up', async () => {
    const given = await bench(state(A));
    await ok(given, APPLY);
    const before = await given.read(STATE);
    const { code, stderr } = await given.run(`${APPLY} -var=text=marker-second`, {
      fault: full('journal'),
    });
    expect({ code, saved: stderr.includes('Failed to save state') }).toEqual({
      code: 1,
      saved: true,
    });
    expect(await given.read(STATE)).toBe(before);
    const journal = Buffer.from(await given.readBytes(JOURNAL)).toString('latin1');
    expect(journal).toContain('"encrypted_data"');
    for (const plain of ['marker', 'terraform_data', 'put']) expect(journal).not.toContain(plain);

    await given.write('encryption.tf', state(B));
    expect(await fails(given, 'state list')).toContain('message authentication failed');
    await given.write('encryption.tf', state(`${B}\n${fallback(A)}`));
    const { stdout } = await given.run('output -raw text');
    expect(stdout).toContain('marker-second');
    await given.run(`${APPLY} -var=text=marker-second`);
    await given.write('encryption.tf', state(B));
    expect(await given.exists(JOURNAL)).toBe(false);
    expect(await ok(given, 'output -raw text')).toBe('marker-second');
  });

  it('leaves an errored.tfstate that is encrypted, which can be pushed', async () => {
    const given = await bench(state(A));
    await ok(given, APPLY);
    await given.run(`${APPLY} -var=text=marker-second`, { fault: full('journal', 'errored') });
    expect(isEncrypted(await given.read('errored.tfstate'))).toBe(true);
    expect((await given.run('state push errored.tfstate')).code).toBe(0);
    expect((await given.run('output -raw text')).stdout).toContain('marker-second');
  });

  it('does not begin where no key can be had', async () => {
    const given = await bench(withKeys(`state {\n${A}\n}`));
    await ok(given, APPLY);
    const program = state(A)
      .replace('key_provider "static" "b"', 'key_provider "external" "b"')
      .replace(/key +=.*b1.*/, 'command = ["no-such-program-anywhere"]')
      .replace('key_provider.static.b', 'key_provider.external.b')
      .replace(A, `${B}\n${fallback(A)}`);
    await given.write('encryption.tf', program);
    expect(await fails(given, `${APPLY} -var=text=marker-second`)).toContain(
      'kept failed with error: the external command exited with an error',
    );
    expect(await given.exists(JOURNAL)).toBe(false);
  });
});
