import type { RegionalAws } from '../clients/aws.ts';
import type { TagChange } from '../tags/tags.ts';

/** Converts ECS tags, whose members are lower case, to the usual form. */
export function tagsOfEcs(
  tags: readonly { readonly key?: string | undefined; readonly value?: string | undefined }[] = [],
): { Key: string; Value: string }[] {
  return tags.map(({ key = '', value = '' }) => ({ Key: key, Value: value }));
}

/** Returns tags for requests; undefined if there are none. */
export function ecsTags(
  tags: Readonly<Record<string, string>>,
): { key: string; value: string }[] | undefined {
  const list = Object.entries(tags).map(([key, value]) => ({ key, value }));
  return list.length === 0 ? undefined : list;
}

/** Changes the tags of an object of ECS. */
export async function ecsRetag(
  aws: RegionalAws,
  arn: string,
  { set, removed }: TagChange,
): Promise<void> {
  if (removed.length > 0) {
    await aws.ecs.untagResource({ resourceArn: arn, tagKeys: [...removed] });
  }
  const tags = ecsTags(set);
  if (tags !== undefined) await aws.ecs.tagResource({ resourceArn: arn, tags });
}
