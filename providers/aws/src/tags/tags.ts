/** Tags by their keys. */
export type Tags = Readonly<Record<string, string>>;

/** Tags that the provider ignores. */
export interface IgnoredTags {
  readonly keys: readonly string[];
  readonly keyPrefixes: readonly string[];
}

/** A tag as most services of Amazon have it. */
export interface AwsTag {
  readonly Key?: string | undefined;
  readonly Value?: string | undefined;
}

/** Converts tags of a response, in any of the usual forms, to a record. */
export function tagsOf(
  reported: readonly AwsTag[] | Readonly<Record<string, string>> | null | undefined,
): Tags {
  if (reported === undefined || reported === null) return {};
  if (!isList(reported)) return reported;
  return Object.fromEntries(reported.map(({ Key = '', Value = '' }) => [Key, Value]));
}

function isList(reported: readonly AwsTag[] | Tags): reported is readonly AwsTag[] {
  return Array.isArray(reported);
}

/** Converts tags to a list for requests; undefined if there are none, as some services reject empty lists. */
export function tagList(tags: Tags): { Key: string; Value: string }[] | undefined {
  const list = Object.entries(tags).map(([Key, Value]) => ({ Key, Value }));
  return list.length === 0 ? undefined : list;
}

/** Returns tags as a record; see {@link tagList}. */
export function tagRecord(tags: Tags): Record<string, string> | undefined {
  return Object.keys(tags).length === 0 ? undefined : { ...tags };
}

/** A change of the tags of an object. */
export interface TagChange {
  /** tags that are new or have another value */
  readonly set: Tags;
  /** keys of those that are to go */
  readonly removed: readonly string[];
}

/** Computes the change from the prior to the planned tags. */
export function tagChange(before: Tags, after: Tags): TagChange {
  return {
    set: Object.fromEntries(Object.entries(after).filter(([key, value]) => before[key] !== value)),
    removed: Object.keys(before).filter((key) => !Object.hasOwn(after, key)),
  };
}

/** Returns tags without ignored ones, and without those that Amazon sets itself. */
export function withoutIgnored(tags: Tags, { keys, keyPrefixes }: IgnoredTags): Tags {
  return Object.fromEntries(
    Object.entries(tags).filter(
      ([key]) => !keys.includes(key) && !keyPrefixes.some((prefix) => key.startsWith(prefix)),
    ),
  );
}

/** Tags without those of Amazon's own. */
export function withoutSystem(tags: Tags): Tags {
  return Object.fromEntries(Object.entries(tags).filter(([key]) => !key.startsWith('aws:')));
}

/**
 * Returns the own tags of an object: without those of `default_tags`, unless these are also configured for the object
 * (`own`: the tags of the object in the configuration or the state).
 */
export function ownTags(all: Tags, defaults: Tags, configured: Tags): Tags {
  return Object.fromEntries(
    Object.entries(all).filter(
      ([key, value]) => defaults[key] !== value || Object.hasOwn(configured, key),
    ),
  );
}
