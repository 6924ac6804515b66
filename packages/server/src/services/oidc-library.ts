import { importOptional } from '@terrane/host';
import type * as Library from './libraries/server-oidc.ts';

/** Loads the libraries for OpenID Connect and signed tokens, which most requests do not need. */
export async function loadOidc(): Promise<typeof Library> {
  return await importOptional(
    'OpenID Connect',
    ['openid-client', 'jose'],
    async () => await import('./libraries/server-oidc.ts'),
  );
}
