import { randomBytes, randomUUID } from 'node:crypto';

import type { Random } from './host.ts';

/** The operating system's random numbers. */
export function nodeRandom(): Random {
  return { bytes: (n) => new Uint8Array(randomBytes(n)), uuid: () => randomUUID() };
}
