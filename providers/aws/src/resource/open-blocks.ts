import { isUnknown, unknown, type Unknown } from '@terrane/provider/sdk';

type Fields = Readonly<Record<string, unknown>>;

/**
 * Plans blocks that AWS fills if they are not configured: their prior value, or unknown for a new object, as the older
 * SDK does.
 */
export function openBlocks<N extends string>(
  names: readonly N[],
  config: Fields,
  state: Fields | null,
): { readonly [K in N]?: Unknown } {
  const open = names.filter((name) => {
    const written = config[name];
    return Array.isArray(written) && written.length === 0;
  });
  // Stored values are of the types of the schema that contains the names.
  return Object.fromEntries(
    open.map((name) => [name, state === null ? unknown() : state[name]]),
  ) as { readonly [K in N]?: Unknown };
}

/** Tests whether a configured value differs from the stored one. Values that are unset or unknown do not differ. */
export function writtenDiffers(written: unknown, stored: unknown): boolean {
  if (written === null || written === undefined || isUnknown(written)) return false;
  if (Array.isArray(written)) {
    if (!Array.isArray(stored) || stored.length !== written.length) return true;
    return written.some((each, i) => writtenDiffers(each, stored[i]));
  }
  if (typeof written === 'object') {
    if (typeof stored !== 'object' || stored === null) return true;
    return Object.entries(written).some(([name, value]) =>
      writtenDiffers(value, Reflect.get(stored, name)),
    );
  }
  return written !== stored;
}

/** The written blocks of a plan that is carried out; none where they are unknown. */
export function writtenBlocks<N extends string>(
  names: readonly N[],
  config: Fields,
): Record<N, never> {
  // Each value has the type of the schema, and is wholly known at that point.
  return Object.fromEntries(names.map((name) => [name, config[name] ?? []])) as Record<N, never>;
}
