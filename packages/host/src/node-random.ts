import { generateKeyPair, randomBytes, randomUUID } from 'node:crypto';
import { promisify } from 'node:util';

import type { Random } from './host.ts';

/** The operating system's random numbers. */
export function nodeRandom(): Random {
  return {
    bytes: (n) => new Uint8Array(randomBytes(n)),
    uuid: () => randomUUID(),
    async rsaKey() {
      const { privateKey } = await promisify(generateKeyPair)('rsa', {
        modulusLength: 2048,
        publicKeyEncoding: { type: 'spki', format: 'pem' },
        privateKeyEncoding: { type: 'pkcs8', format: 'pem' },
      });
      return privateKey;
    },
  };
}
