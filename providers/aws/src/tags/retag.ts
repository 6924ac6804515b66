import type { RegionalAws } from '../clients/aws.ts';
import { type TagChange, tagList } from './tags.ts';

/** The object whose tags change. */
export interface Tagged {
  readonly aws: RegionalAws;
  readonly id: string;
  readonly state: { readonly arn?: string };
}

/**
 * Returns a function that changes tags, for services with one request that removes tags and one that sets them, as a
 * list or as a record: `retag: retag(({ aws, id }, TagKeys) => …, ({ aws, id }, Tags) => …)`.
 */
export function retag(
  remove: (object: Tagged, keys: string[]) => Promise<unknown>,
  set: (
    object: Tagged,
    tags: { Key: string; Value: string }[],
    record: Record<string, string>,
  ) => Promise<unknown>,
): (object: Tagged, change: TagChange) => Promise<void> {
  return async (object, change) => {
    if (change.removed.length > 0) await remove(object, [...change.removed]);
    const list = tagList(change.set);
    if (list !== undefined) await set(object, list, { ...change.set });
  };
}
