/** Tags by their keys. */
export type Tags = Readonly<Record<string, string>>;

/** Tags that the provider leaves alone. */
export interface IgnoredTags {
  readonly keys: readonly string[];
  readonly keyPrefixes: readonly string[];
}

/** A tag as most services of Amazon have it. */
export interface AwsTag {
  readonly Key?: string | undefined;
  readonly Value?: string | undefined;
}

/** Tags of an answer, in whatever of the usual forms, as a record. */
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

/** Tags in the form of a list, for requests; undefined where there are none, as some services refuse empty lists. */
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

/** Tags without those that the provider leaves alone, and those that Amazon itself gives. */
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
 * Which of the tags that an object has are its own: not those that all objects get by `default_tags`, unless they are
 * written for the object too (`own`: the tags that the configuration or the state has for it).
 */
export function ownTags(all: Tags, defaults: Tags, configured: Tags): Tags {
  return Object.fromEntries(
    Object.entries(all).filter(
      ([key, value]) => defaults[key] !== value || Object.hasOwn(configured, key),
    ),
  );
}
