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
  workbench: Workbench,
  command: string,
  environment: Readonly<Record<string, string>> = {},
): Promise<string> {
  const { code, stdout, stderr } = await workbench.run(command, { environment });
  expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
  return stdout;
}

/** Returns the error of a failing command in one line, and verifies that no stored file changed. */
async function fails(
  workbench: Workbench,
  command: string,
  environment: Readonly<Record<string, string>> = {},
): Promise<string> {
  const before = await contents(workbench);
  const { code, stdout, stderr } = await workbench.run(command, { environment });
  expect(code).toBe(1);
  expect(await contents(workbench)).toEqual(before);
  const output = `${stdout}${stderr}`.replaceAll(/[\s│╷╵]+/g, ' ');
  for (const secret of [KEY_A, KEY_B, 'marker']) expect(output).not.toContain(secret);
  return output;
}

async function contents(workbench: Workbench): Promise<Readonly<Record<string, string>>> {
  const files: Record<string, string> = {};
  for (const name of await workbench.names()) {
    if (name.startsWith(STATE)) files[name] = await workbench.read(name);
  }
  return files;
}

const isEncrypted = (text: string): boolean =>
  text.includes('"encrypted_data"') && !text.includes('marker');

const APPLY = 'apply -auto-approve';

describe('keys that take the place of others', () => {
  it('are used for writing immediately, and the old ones for reading while they are a fallback', async () => {
    const workbench = await bench(state(A));
    await ok(workbench, APPLY);
    await workbench.write('encryption.tf', state(`${B}\n${fallback(A)}`));
    await ok(workbench, 'plan -detailed-exitcode');
    // Nothing changes, but what is stored is written anew.
    await ok(workbench, APPLY);
    await workbench.write('encryption.tf', state(B));
    expect(await ok(workbench, 'output -raw text')).toBe('marker-first');
    await workbench.write('encryption.tf', state(A));
    expect(await fails(workbench, 'output')).toContain(
      'decryption failed for all provided methods attempted decryption failed for state: decryption failed: cipher: message authentication failed',
    );
  });

  it('fail one after the other', async () => {
    const workbench = await bench(state(A));
    await ok(workbench, APPLY);
    const text = state(`${B}\n${fallback(B)}`);
    await workbench.write('encryption.tf', text);
    const failure =
      'attempted decryption failed for state: decryption failed: cipher: message authentication failed';
    expect(await fails(workbench, 'state list')).toContain(`${failure} ${failure}`);
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
  ])('%s is not shown in errors', async (_what, text) => {
    const workbench = await bench();
    for (const command of ['init -no-color', 'plan -no-color', 'plan -json', 'state list']) {
      const { code, stdout, stderr } = await workbench.run(command, {
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
    const workbench = await bench();
    await ok(workbench, APPLY);
    expect(await workbench.read(STATE)).toContain('marker-first');
    await workbench.write('encryption.tf', state(`${A}\n${fallback(NONE)}`));
    const { code, stdout } = await workbench.run(APPLY);
    expect({ code, warned: stdout.includes('Unencrypted method configured') }).toEqual({
      code: 0,
      warned: true,
    });
    expect(isEncrypted(await workbench.read(STATE))).toBe(true);
    await workbench.write('encryption.tf', state(A).replace(/method "unencrypted".*\n/, ''));
    expect(await ok(workbench, 'output -raw text')).toBe('marker-first');
  });

  it('refuses a state that is not encrypted elsewhere', async () => {
    const workbench = await bench();
    await ok(workbench, APPLY);
    await workbench.write('encryption.tf', state(A));
    for (const command of ['plan', APPLY, 'init', 'output', 'state list', 'state pull', 'show']) {
      expect(await fails(workbench, command)).toContain(
        'encountered unencrypted payload without unencrypted method configured',
      );
    }
  });

  it('is enforced', async () => {
    const workbench = await bench(state(`enforced = true\n${A}\n${fallback(NONE)}`));
    expect(await fails(workbench, 'plan')).toContain('Unencrypted method is forbidden');
    await workbench.write('encryption.tf', state(`enforced = true\n${NONE}`));
    expect(await fails(workbench, 'init')).toContain(
      'Unable to use unencrypted method since the enforced flag is set.',
    );
    await workbench.write(
      'encryption.tf',
      state(`enforced = true\n${A}`).replace(/method "unencrypted".*\n/, ''),
    );
    await ok(workbench, APPLY);
    expect(isEncrypted(await workbench.read(STATE))).toBe(true);
  });

  it('encrypts backups, also of unencrypted states', async () => {
    const workbench = await bench();
    await ok(workbench, APPLY);
    await workbench.write('encryption.tf', state(`${A}\n${fallback(NONE)}`));
    await workbench.run(`${APPLY} -var=text=marker-second`);
    await workbench.run('state rm terraform_data.a');
    const kept = Object.entries(await contents(workbench));
    expect(kept.length).toBe(3);
    for (const [name, text] of kept) expect([name, isEncrypted(text)]).toEqual([name, true]);
  });
});

describe('encryption that is turned off', () => {
  it('reads encrypted states and writes them unencrypted', async () => {
    const workbench = await bench(state(A));
    await ok(workbench, APPLY);
    await workbench.write('encryption.tf', state(`${NONE}\n${fallback(A)}`));
    const { code } = await workbench.run(APPLY);
    expect(code).toBe(0);
    await workbench.write('encryption.tf', '');
    expect(await ok(workbench, 'output -raw text')).toBe('marker-first');
  });

  it('reports encrypted states and plans', async () => {
    const workbench = await bench(both(A));
    await ok(workbench, `plan -out=${STATE}.plan`);
    await ok(workbench, APPLY);
    await workbench.write('encryption.tf', '');
    const state =
      'This state file is encrypted and can not be read without an encryption configuration';
    const plan =
      'the given plan file is encrypted and requires a valid encryption configuration to decrypt';
    for (const command of ['plan', APPLY, 'init', 'output', 'state pull', `show ${STATE}`]) {
      expect(await fails(workbench, command)).toContain(state);
    }
    expect(await fails(workbench, `apply ${STATE}.plan`)).toContain(plan);
    expect(await fails(workbench, `show ${STATE}.plan`)).toContain(plan);
  });
});

describe('plans', () => {
  it('are encrypted, shown and applied', async () => {
    const workbench = await bench(both(A));
    await ok(workbench, 'plan -out=p');
    expect(isEncrypted(await workbench.read('p'))).toBe(true);
    expect(await ok(workbench, 'show p')).toContain('marker-first');
    await ok(workbench, 'apply p');
    expect(await ok(workbench, 'output -raw text')).toBe('marker-first');
  });

  it('may be encrypted in another way than states, or not at all', async () => {
    const workbench = await bench(withKeys(`plan {\n${B}\n}`));
    await ok(workbench, `plan -out=p`);
    await ok(workbench, 'apply p');
    expect(await workbench.read(STATE)).toContain('marker-first');
    await workbench.write('encryption.tf', state(`${A}\n${fallback(NONE)}`));
    await workbench.run('plan -out=q -var=text=marker-second');
    expect((await workbench.read('q')).startsWith('TERRANE PLAN')).toBe(true);
    expect((await workbench.run('apply q')).code).toBe(0);
  });

  it('that cannot be decrypted are not applied', async () => {
    const workbench = await bench(both(A));
    await ok(workbench, `plan -out=${STATE}.plan`);
    await workbench.write('encryption.tf', both(B));
    for (const command of [`apply ${STATE}.plan`, `show ${STATE}.plan`]) {
      expect(await fails(workbench, command)).toContain(
        'decryption failed for all provided methods attempted decryption failed for plan: decryption failed: cipher: message authentication failed',
      );
    }
    await workbench.write('encryption.tf', '');
    await ok(workbench, `plan -out=${STATE}.plain`);
    await workbench.write('encryption.tf', both(A));
    expect(await fails(workbench, `apply ${STATE}.plain`)).toContain(
      'encountered unencrypted payload without unencrypted method configured',
    );
    await workbench.write(`${STATE}.other`, 'something else');
    expect(await fails(workbench, `apply ${STATE}.other`)).toContain(
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
  it.each(damages)('%s is left unchanged', async (_what, damage, message) => {
    const workbench = await bench(state(A));
    await ok(workbench, APPLY);
    const file: Stored = JSON.parse(await workbench.read(STATE));
    await workbench.write(STATE, damage(file));
    for (const command of ['plan', APPLY, 'output', 'state rm terraform_data.a', `show ${STATE}`]) {
      expect(await fails(workbench, command)).toContain(message);
    }
  });
});

interface Stored {
  readonly encrypted_data: string;
}

describe('TF_ENCRYPTION', () => {
  it('overrides arguments of the block one by one', async () => {
    const workbench = await bench(state(A));
    const other = { TF_ENCRYPTION: `key_provider "static" "a" {\n  key = "${KEY_B}"\n}` };
    await ok(workbench, APPLY, other);
    await workbench.write(
      'encryption.tf',
      state(B).replaceAll('key_provider.static.b', 'key_provider.static.a'),
    );
    expect(await ok(workbench, 'output -raw text', other)).toBe('marker-first');
    expect(await fails(workbench, 'output')).toContain('cipher: message authentication failed');
  });

  it('may add a target, a fallback, or that it is enforced', async () => {
    const workbench = await bench(withKeys(''));
    await ok(workbench, APPLY, { TF_ENCRYPTION: `state {\n${A}\n}` });
    expect(isEncrypted(await workbench.read(STATE))).toBe(true);
    await workbench.write('encryption.tf', state(B));
    const added = { TF_ENCRYPTION: `state {\n${fallback(A)}\n}` };
    expect(await ok(workbench, 'output -raw text', added)).toBe('marker-first');
    await workbench.write('encryption.tf', state(`${A}\n${fallback(NONE)}`));
    const enforced = { TF_ENCRYPTION: '{"state": {"enforced": true}}' };
    expect(await fails(workbench, 'output', enforced)).toContain('Unencrypted method is forbidden');
  });

  it('that makes no sense is an error', async () => {
    const workbench = await bench();
    const failureOf = async (text: string): Promise<string> =>
      await fails(workbench, 'plan', { TF_ENCRYPTION: text });
    expect(await failureOf('state {')).toContain('TF_ENCRYPTION line 1');
    expect(await failureOf('{')).toContain('JSON');
    expect(await failureOf('other {}')).toContain('Unsupported block type');
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
    const workbench = await bench(state(A));
    await ok(workbench, 'apply -auto-approve -state=named.tfstate');
    await workbench.write('encryption.tf', state(B));
    await ok(workbench, 'apply -auto-approve -state=other.tfstate');
    await workbench.write('encryption.tf', '');
    await ok(workbench, 'apply -auto-approve -state=plain.tfstate');
    await workbench.write(
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
    await workbench.write('encryption.tf', reading(targets));
    await workbench.run('init');
    expect((await workbench.run(APPLY)).code).toBe(0);
    expect(JSON.parse((await workbench.run('output -json all')).stdout)).toEqual([
      'marker-first',
      'marker-first',
      'marker-first',
    ]);
    await workbench.write('encryption.tf', reading(targets.replace(A, B)));
    expect((await workbench.run('plan')).stderr.replaceAll(/[\s│╷╵]+/g, ' ')).toContain(
      'Error: decryption failed for all provided methods attempted decryption failed for remote.remote_state_datasource.named: decryption failed: cipher: message authentication failed',
    );
  });
});

describe('commands on states', () => {
  it('print them plain, and take them plain or encrypted', async () => {
    const workbench = await bench(state(A));
    await ok(workbench, APPLY);
    const pulled = await ok(workbench, 'state pull');
    expect(pulled).toContain('marker-first');
    const kept = await workbench.read(STATE);
    await ok(workbench, `${APPLY} -var=text=marker-second`);
    await workbench.write('plain.json', pulled);
    await ok(workbench, 'state push -force plain.json');
    expect(isEncrypted(await workbench.read(STATE))).toBe(true);
    expect(await ok(workbench, 'output -raw text')).toBe('marker-first');
    await ok(workbench, `${APPLY} -var=text=marker-third`);
    await workbench.write('kept.json', kept);
    await ok(workbench, 'state push -force kept.json');
    expect(await ok(workbench, 'output -raw text')).toBe('marker-first');
    expect(await ok(workbench, `show ${STATE}`)).toContain('terraform_data.a');
  });

  it('move states of workspaces and backends along', async () => {
    const workbench = await bench(state(A));
    await ok(workbench, APPLY);
    await ok(workbench, `workspace new -state=${STATE} copy`);
    expect(isEncrypted(await workbench.read(`terraform.tfstate.d/copy/${STATE}`))).toBe(true);
    await ok(workbench, 'workspace select default');
    await workbench.write(
      'backend.tf',
      'terraform {\n  backend "local" {\n    path = "moved.tfstate"\n  }\n}\n',
    );
    await ok(workbench, 'init -force-copy');
    expect(isEncrypted(await workbench.read('moved.tfstate'))).toBe(true);
    expect(await ok(workbench, 'output -raw text')).toBe('marker-first');
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
    const workbench = await bench(state(A));
    await ok(workbench, APPLY);
    const before = await workbench.read(STATE);
    const { code, stderr } = await workbench.run(`${APPLY} -var=text=marker-second`, {
      fault: full('journal'),
    });
    expect({ code, saved: stderr.includes('Failed to save state') }).toEqual({
      code: 1,
      saved: true,
    });
    expect(await workbench.read(STATE)).toBe(before);
    const journal = Buffer.from(await workbench.readBytes(JOURNAL)).toString('latin1');
    expect(journal).toContain('"encrypted_data"');
    for (const plain of ['marker', 'terraform_data', 'put']) expect(journal).not.toContain(plain);

    await workbench.write('encryption.tf', state(B));
    expect(await fails(workbench, 'state list')).toContain('message authentication failed');
    await workbench.write('encryption.tf', state(`${B}\n${fallback(A)}`));
    const { stdout } = await workbench.run('output -raw text');
    expect(stdout).toContain('marker-second');
    await workbench.run(`${APPLY} -var=text=marker-second`);
    await workbench.write('encryption.tf', state(B));
    expect(await workbench.exists(JOURNAL)).toBe(false);
    expect(await ok(workbench, 'output -raw text')).toBe('marker-second');
  });

  it('leaves an errored.tfstate that is encrypted, which can be pushed', async () => {
    const workbench = await bench(state(A));
    await ok(workbench, APPLY);
    await workbench.run(`${APPLY} -var=text=marker-second`, { fault: full('journal', 'errored') });
    expect(isEncrypted(await workbench.read('errored.tfstate'))).toBe(true);
    expect((await workbench.run('state push errored.tfstate')).code).toBe(0);
    expect((await workbench.run('output -raw text')).stdout).toContain('marker-second');
  });

  it('does not begin where no key can be had', async () => {
    const workbench = await bench(withKeys(`state {\n${A}\n}`));
    await ok(workbench, APPLY);
    const program = state(A)
      .replace('key_provider "static" "b"', 'key_provider "external" "b"')
      .replace(/key +=.*b1.*/, 'command = ["no-such-program-anywhere"]')
      .replace('key_provider.static.b', 'key_provider.external.b')
      .replace(A, `${B}\n${fallback(A)}`);
    await workbench.write('encryption.tf', program);
    expect(await fails(workbench, `${APPLY} -var=text=marker-second`)).toContain(
      'kept failed with error: the external command exited with an error',
    );
    expect(await workbench.exists(JOURNAL)).toBe(false);
  });
});
