import type { Clock } from '@terrane/host';

/** The time before its expiry from which a credential is no longer used. */
const BEFORE_MS = 300_000;

/**
 * Caches a temporary credential and renews it in time: runs may outlast a token. A credential without expiry (`expires`
 * is `undefined`) is requested once.
 */
export function renewed<T>(
  clock: Clock,
  ask: () => Promise<{ readonly value: T; readonly expires: number | undefined }>,
): () => Promise<T> {
  let now: Promise<{ readonly value: T; readonly expires: number | undefined }> | undefined;
  return async () => {
    const known = await now;
    if (known !== undefined) {
      const { expires } = known;
      if (expires === undefined || clock.now().getTime() < expires - BEFORE_MS) return known.value;
    }
    const requested = ask();
    now = requested;
    try {
      return (await requested).value;
    } catch (error) {
      if (now === requested) now = undefined;
      throw error;
    }
  };
}

/** Parses an expiry in RFC 3339; a malformed time counts as no expiry. */
export function endOf(text: string | undefined): number | undefined {
  const end = text === undefined ? NaN : Date.parse(text);
  return isNaN(end) ? undefined : end;
}
