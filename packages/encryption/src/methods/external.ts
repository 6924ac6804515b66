import { askProgram, ProgramError } from '../external-program.ts';
import { EncryptionError } from '../failure.ts';
import type { KeyHost } from '../key-provider.ts';
import type { Method, MethodKind } from '../method.ts';
import { keys, texts } from '../settings.ts';

const PROTOCOL = {
  magic: 'OpenTofu-External-Encryption-Method',
  subject: 'method',
  members: ['payload'],
};

/** The method `external`: encrypts and decrypts with external programs. */
export const EXTERNAL_METHOD: MethodKind = {
  shape: {
    arguments: [keys('keys'), texts('encrypt_command', true), texts('decrypt_command', true)],
  },
  build(settings, host): Method {
    const configured = settings.configuredKeys('keys');
    const { encryption, decryption } = configured?.keys ?? {};
    const encryptCommand = commandOf(settings.texts('encrypt_command'), 'encrypt_command');
    const decryptCommand = commandOf(settings.texts('decrypt_command'), 'decrypt_command');
    return {
      async encrypt(data) {
        try {
          return [await run(host, encryptCommand, encryption, Buffer.concat([...data]))];
        } catch (error) {
          throw asEncryptionError(error, 'encryption');
        }
      },
      async decrypt(data) {
        const noKey = decryption === undefined || decryption.length === 0;
        if (encryption !== undefined && encryption.length > 0 && noKey) {
          throw new EncryptionError('no decryption key available');
        }
        const bytes = Buffer.concat([...data]);
        if (bytes.length === 0) {
          throw new EncryptionError('decryption failed: Cannot decrypt empty data.');
        }
        try {
          return await run(host, decryptCommand, decryption, bytes);
        } catch (error) {
          throw asEncryptionError(error, 'decryption');
        }
      },
    };
  },
};

function commandOf(command: readonly string[], name: string): readonly string[] {
  if (command.length === 0) {
    throw new EncryptionError(`invalid method configuration: the ${name} option is required`);
  }
  if (command[0] === '') {
    throw new EncryptionError(
      `invalid method configuration: the first entry of ${name} must not be empty`,
    );
  }
  return command;
}

async function run(
  host: KeyHost,
  command: readonly string[],
  key: Uint8Array | undefined,
  payload: Buffer,
): Promise<Uint8Array> {
  const input = JSON.stringify({
    ...(key === undefined || key.length === 0 ? {} : { key: Buffer.from(key).toString('base64') }),
    payload: payload.toString('base64'),
  });
  const answer = await askProgram(host, command, input, PROTOCOL);
  const encodedPayload = answer['payload'];
  if (typeof encodedPayload !== 'string') {
    throw new ProgramError('answer', 'it has no payload', '');
  }
  return Buffer.from(encodedPayload, 'base64');
}

const REASONS = {
  protocol: 'external encryption method failure',
  exit: 'external encryption method exited with non-zero exit code',
  start: 'external encryption method exited with an error',
  answer: 'external encryption method returned an invalid JSON',
} as const;

function asEncryptionError(error: unknown, operation: string): unknown {
  if (!(error instanceof ProgramError)) return error;
  const { kind, message, stderr } = error;
  return new EncryptionError(
    `${operation} failed: ${REASONS[kind]} (${message})\n-----\nStderr:\n-------\n${stderr}\n`,
  );
}
