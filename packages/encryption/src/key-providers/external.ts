import { askProgram, ProgramError } from '../external-program.ts';
import { EncryptionError } from '../failure.ts';
import { type KeyHost, type KeyProviderKind, metadataObject } from '../key-provider.ts';
import { texts } from '../settings.ts';

const PROTOCOL = {
  magic: 'OpenTofu-External-Key-Provider',
  subject: 'key provider',
  members: ['keys', 'meta'],
};

/** Keys from an external program. */
export const EXTERNAL_KEYS: KeyProviderKind = {
  shape: { arguments: [texts('command', true)] },
  build(settings, host) {
    const command = settings.texts('command');
    if (command.length === 0) throw new EncryptionError('the command option is required');
    return {
      keyLength: undefined,
      async provide() {
        const { keys, meta } = await ask(host, command, 'null');
        const key = keyOf(keys, 'encryption_key');
        return { key: key ?? new Uint8Array(), metadata: JSON.stringify(meta) };
      },
      async recover(metadata) {
        const data = metadataObject(metadata)['external_data'];
        const input = isObject(data) ? JSON.stringify({ external_data: data }) : 'null';
        const { keys } = await ask(host, command, input);
        return keyOf(keys, 'decryption_key');
      },
    };
  },
};

async function ask(
  host: KeyHost,
  command: readonly string[],
  input: string,
): Promise<{ readonly keys: Readonly<Record<string, unknown>>; readonly meta: object }> {
  try {
    const { keys, meta } = await askProgram(host, command, input, PROTOCOL);
    const data = isObject(meta) && 'external_data' in meta ? meta.external_data : null;
    return {
      keys: isObject(keys) ? Object.fromEntries(Object.entries(keys)) : {},
      meta: { external_data: data },
    };
  } catch (error) {
    if (!(error instanceof ProgramError)) throw error;
    const { kind, message, stderr } = error;
    const stderrText = `\n\nStderr:\n-------\n${stderr}`;
    switch (kind) {
      case 'protocol':
        throw new EncryptionError(`external key provider protocol failure: ${message}`);
      case 'exit':
        throw new EncryptionError(
          `the external command exited with a non-zero exit code (${message})${stderrText}`,
        );
      case 'start':
        throw new EncryptionError(
          `the external command exited with an error (${message})${stderrText}`,
        );
      case 'answer':
        throw new EncryptionError(
          `the external command returned an invalid JSON response (${message})${stderrText}`,
        );
    }
  }
}

function keyOf(keys: Readonly<Record<string, unknown>>, name: string): Uint8Array | undefined {
  const text = keys[name];
  if (text === undefined || text === null || text === '') return undefined;
  if (typeof text !== 'string' || !/^[A-Za-z0-9+/]*={0,2}$/.test(text)) {
    throw new EncryptionError(
      `the external command returned an invalid JSON response (${name} is no base64)\n\nStderr:\n-------\n`,
    );
  }
  return Buffer.from(text, 'base64');
}

function isObject(value: unknown): value is object {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
