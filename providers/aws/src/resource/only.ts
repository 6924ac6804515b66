import { isUnknown, NotFoundError, type Unknown } from '@terrane/provider/sdk';

/**
 * Returns the only element of a list. An empty list is a `NotFoundError`; several elements are an error, because the
 * request names one object.
 */
export function only<T>(list: readonly T[] | undefined): T {
  const [first, ...others] = list ?? [];
  if (first === undefined) throw new NotFoundError({ message: 'empty result' });
  if (others.length > 0) throw new Error(`too many results: wanted 1, got ${others.length + 1}`);
  return first;
}

/** Returns all elements of a paginated response: `pages((token) => …, (page) => page.Items)`. */
export async function pages<
  P extends { readonly NextToken?: string | undefined; readonly nextToken?: string | undefined },
  T,
>(
  ask: (token: string | undefined) => Promise<P>,
  items: (page: P) => readonly T[] | undefined,
): Promise<readonly T[]> {
  const all: T[] = [];
  let token: string | undefined;
  do {
    const page = await ask(token);
    all.push(...(items(page) ?? []));
    token = (page.NextToken ?? page.nextToken) || undefined;
  } while (token !== undefined);
  return all;
}

/** Returns an object for a request without members that are null, undefined, unknown or the empty text. */
export function omitUnset<T extends object>(
  object: T,
): { [K in keyof T]?: Exclude<T[K], null | undefined | Unknown> } {
  // Filtering does not change the types of the remaining members.
  return Object.fromEntries(
    Object.entries(object).filter(
      ([, value]) => value !== null && value !== undefined && value !== '' && !isUnknown(value),
    ),
  ) as { [K in keyof T]?: Exclude<T[K], null | undefined | Unknown> };
}

/** A wholly known value. */
type Known<T> = T extends Unknown
  ? never
  : T extends readonly (infer E)[]
    ? readonly Known<E>[]
    : T extends object
      ? { readonly [K in keyof T]: Known<T[K]> }
      : T;

/**
 * Returns the elements of a computed argument during apply: configured ones are known then, and others do not exist
 * yet.
 */
export function elementsOf<E>(written: readonly E[] | Unknown | null): readonly Known<E>[] {
  if (written === null || isUnknown(written)) return [];
  // During apply only whole computed arguments are unknown.
  return written as readonly Known<E>[];
}
