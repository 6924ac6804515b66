import type { Clock } from '@terrane/host';
import type { CredentialSource } from './credential-ports.ts';

/** Credentials are used until five minutes before they end. */
const MARGIN_MS = 300_000;

/** Caches credentials until they expire. */
export function cacheCredentials(clock: Clock, source: CredentialSource): CredentialSource {
  let last: ReturnType<CredentialSource> | undefined;
  return async () => {
    const known = await last?.catch(() => undefined);
    const ends = known?.expiration?.getTime() ?? Infinity;
    if (known !== undefined && ends - MARGIN_MS > clock.now().getTime()) return known;
    last = source();
    return await last;
  };
}
