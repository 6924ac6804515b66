import type { Clock } from '@terrane/host';

/** A credential is renewed this long before it expires. */
const RENEWAL_MARGIN_MS = 300_000;

/**
 * Caches a temporary credential and renews it before it expires, because a run may take longer. A credential without
 * expiry (`expires` is `undefined`) is requested once.
 */
export function renewCredentials<T>(
  clock: Clock,
  request: () => Promise<{ readonly value: T; readonly expires: number | undefined }>,
): () => Promise<T> {
  let latest: Promise<{ readonly value: T; readonly expires: number | undefined }> | undefined;
  return async () => {
    const current = await latest;
    if (current !== undefined) {
      const { expires } = current;
      if (expires === undefined || clock.now().getTime() < expires - RENEWAL_MARGIN_MS)
        return current.value;
    }
    const pending = request();
    latest = pending;
    try {
      return (await pending).value;
    } catch (error) {
      if (latest === pending) latest = undefined;
      throw error;
    }
  };
}

/** Parses an expiry in RFC 3339; a malformed time counts as no expiry. */
export function endOf(text: string | undefined): number | undefined {
  const end = text === undefined ? NaN : Date.parse(text);
  return isNaN(end) ? undefined : end;
}
