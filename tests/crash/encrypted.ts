import { createDecipheriv } from 'node:crypto';
import type { MemoryDisk } from '@terrane/testkit';
import type { Workload } from './workloads.ts';

/** The key of states and plans: derived from a passphrase, which is slow by design, or used directly. */
export type KeyKind = 'pbkdf2' | 'static';

/** The earlier encryption that must remain readable. */
export type Before = 'nothing' | 'unencrypted' | 'another key';

const PROVIDER: Readonly<Record<KeyKind, (name: string) => string>> = {
  pbkdf2: (name) =>
    `passphrase = "a long passphrase of ${name}"\n      iterations = 200000\n      hash_function = "sha256"`,
  static: (name) => `key = "${name.padEnd(2, '0').repeat(32)}"`,
};

/** The block that has states and plans encrypted. */
function encryption(kind: KeyKind, before: Before = 'nothing'): string {
  return `terraform {\n  encryption {\n${settings(kind, before)}  }\n}\n`;
}

/** Returns the content of an `encryption` block. */
function settings(kind: KeyKind, before: Before): string {
  const key = (name: string): string =>
    `    key_provider "${kind}" "${name}" {\n      ${PROVIDER[kind](name)}\n    }\n    method "aes_gcm" "${name}" {\n      keys = key_provider.${kind}.${name}\n    }\n`;
  const older = {
    nothing: '',
    unencrypted: 'method.unencrypted.old',
    'another key': 'method.aes_gcm.a',
  }[before];
  const fallback = older === '' ? '' : `      fallback {\n        method = ${older}\n      }\n`;
  const newest = before === 'another key' ? 'b' : 'a';
  const target = (name: string): string =>
    `    ${name} {\n      method = method.aes_gcm.${newest}\n${before === 'nothing' ? '      enforced = true\n' : ''}${fallback}    }\n`;
  const methods = [
    key('a'),
    before === 'another key' ? key('b') : '',
    before === 'unencrypted' ? '    method "unencrypted" "old" {}\n' : '',
  ].join('');
  return `${methods}${target('state')}${target('plan')}`;
}

/** Settings for a variable of the environment, with a key as it is. */
export const ENCRYPTION_SETTINGS: string = settings('static', 'nothing');

/** Returns the stored text, decrypted if it is encrypted by these settings. */
export function readable(stored: Uint8Array): string {
  const text = new TextDecoder().decode(stored);
  const data = /"encrypted_data": ?"([^"]*)"/.exec(text)?.[1];
  if (data === undefined) return text;
  // 12 bytes of nonce, what is encrypted, 16 bytes of tag.
  const bytes = Buffer.from(data, 'base64');
  const key = Buffer.from('a0'.repeat(32), 'hex');
  const cipher = createDecipheriv('aes-256-gcm', key, bytes.subarray(0, 12));
  cipher.setAuthTag(bytes.subarray(-16));
  return cipher.update(bytes.subarray(12, -16), undefined, 'utf8') + cipher.final('utf8');
}

/** A workload whose states and plans are encrypted: from the beginning, or from the run that is cut off. */
export function encrypted(workload: Workload, kind: KeyKind, before: Before = 'nothing'): Workload {
  const first = { nothing: encryption(kind), unencrypted: '', 'another key': encryption(kind) }[
    before
  ];
  const then = encryption(kind, before);
  const how = {
    nothing: 'encrypted',
    unencrypted: 'encrypted from now on',
    'another key': 'encrypted with another key',
  }[before];
  const encryptedWorkload: Workload = {
    ...workload,
    name: `${workload.name}, ${how} (${kind})`,
    before: workload.before.map((text) => first + text),
    // A removed configuration contains only the encryption settings to read the state with.
    text: then + (workload.text ?? ''),
  };
  return {
    ...encryptedWorkload,
    mode: workload.text === undefined ? 'destroy' : 'normal',
    isSealed: before !== 'unencrypted',
  };
}

/** Files beside the configuration in which a secret can be read. */
export function readableSecrets(disk: MemoryDisk): readonly string[] {
  return [...disk.names]
    .filter(
      ([path, { content }]) =>
        !path.endsWith('.tf') && Buffer.from(content).includes('marker-of-a-secret'),
    )
    .map(([path]) => `${path} has a secret in it that can be read`);
}
