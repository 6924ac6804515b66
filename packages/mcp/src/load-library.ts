import { importOptional } from '@terrane/host';
import type * as library from './libraries/model-context-protocol.ts';

const PACKAGES = ['@modelcontextprotocol/server'];

/** Loads the protocol's own library. */
export function loadLibrary(): Promise<typeof library> {
  return importOptional(
    'The server for agents',
    PACKAGES,
    () => import('./libraries/model-context-protocol.ts'),
  );
}
