import { EncryptionError } from '../failure.ts';
import { type KeyProviderKind, metadataObject } from '../key-provider.ts';
import { text } from '../settings.ts';

const MAGIC = 'Hello world!';

/** The key provider `static`: a hexadecimal key in the configuration. */
export const STATIC: KeyProviderKind = {
  shape: { arguments: [text('key', true)] },
  build(settings) {
    const digits = settings.text('key');
    if (digits === '') throw new EncryptionError('Missing key');
    // The message omits the value: it is almost a valid key.
    if (digits.length % 2 !== 0 || !/^[0-9a-fA-F]+$/.test(digits)) {
      throw new EncryptionError(
        'failed to hex-decode the provided key: it must be an even number of hexadecimal digits',
      );
    }
    const key = new Uint8Array(Buffer.from(digits, 'hex'));
    return {
      keyLength: key.length,
      provide: () => Promise.resolve({ key, metadata: JSON.stringify({ magic: MAGIC }) }),
      recover: async (metadata) => {
        const magic = (await Promise.resolve(metadataObject(metadata)))['magic'] ?? '';
        if (magic === '') return undefined;
        if (magic !== MAGIC) {
          throw new EncryptionError(
            `corrupted data received, no or invalid magic string: ${String(magic)}`,
          );
        }
        return key;
      },
    };
  },
};
