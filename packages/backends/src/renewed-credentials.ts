import type { Clock } from '@terrane/host';

/** How long before its end something is no longer used. */
const BEFORE_MS = 300_000;

/**
 * Gives what a service handed out for a while, and asks for the next in time: runs may last longer than a token. What
 * has no end (`expires` is `undefined`) is asked for once.
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
    const asked = ask();
    now = asked;
    try {
      return (await asked).value;
    } catch (error) {
      if (now === asked) now = undefined;
      throw error;
    }
  };
}

/** When something ends, of what a service says of it in RFC 3339; a word that is no time is no end. */
export function endOf(said: string | undefined): number | undefined {
  const end = said === undefined ? NaN : Date.parse(said);
  return isNaN(end) ? undefined : end;
}
