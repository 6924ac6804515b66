import { NotFoundError } from '@terrane/provider/sdk';

/** The one element of a list; none: a `NotFoundError`. Several are an error: what was asked for names one object. */
export function only<T>(list: readonly T[] | undefined): T {
  const [first, ...others] = list ?? [];
  if (first === undefined) throw new NotFoundError({ message: 'empty result' });
  if (others.length > 0) throw new Error(`too many results: wanted 1, got ${others.length + 1}`);
  return first;
}

/** All elements of an answer in pages: `pages((token) => …, (page) => page.Items)`. */
export async function pages<P extends { readonly NextToken?: string | undefined }, T>(
  ask: (token: string | undefined) => Promise<P>,
  items: (page: P) => readonly T[] | undefined,
): Promise<readonly T[]> {
  const all: T[] = [];
  let token: string | undefined;
  do {
    const page = await ask(token);
    all.push(...(items(page) ?? []));
    token = page.NextToken === '' ? undefined : page.NextToken;
  } while (token !== undefined);
  return all;
}

/** An object without the members that are null or undefined, as requests have it. */
export function given<T extends object>(
  object: T,
): { [K in keyof T]?: Exclude<T[K], null | undefined> } {
  // What is left is what there was, without what is nothing.
  return Object.fromEntries(
    Object.entries(object).filter(([, value]) => value !== null && value !== undefined),
  ) as { [K in keyof T]?: Exclude<T[K], null | undefined> };
}
