import type { ResourceType, TagSpecification } from '@aws-sdk/client-ec2';
import type { RegionalAws } from '../clients/aws.ts';
import { type TagChange, tagList, type Tags } from '../tags/tags.ts';

/** Tags of an object that a request creates: `TagSpecifications: tagSpecifications('vpc', tags)`. */
export function tagSpecifications(type: ResourceType, tags: Tags): TagSpecification[] | undefined {
  const Tags = tagList(tags);
  return Tags === undefined ? undefined : [{ ResourceType: type, Tags }];
}

/** Changes tags of any EC2 object: `retag: ec2Retag`. */
export async function ec2Retag(
  { aws, id }: { readonly aws: RegionalAws; readonly id: string },
  { set, removed }: TagChange,
): Promise<void> {
  const Resources = [id];
  if (removed.length > 0) {
    await aws.ec2.deleteTags({ Resources, Tags: removed.map((Key) => ({ Key })) });
  }
  const Tags = tagList(set);
  if (Tags !== undefined) await aws.ec2.createTags({ Resources, Tags });
}
