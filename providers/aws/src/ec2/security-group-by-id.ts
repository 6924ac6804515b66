import type { SecurityGroup } from '@aws-sdk/client-ec2';
import { NotFoundError } from '@terrane/provider/sdk';
import type { RegionalAws } from '../clients/aws.ts';
import { only } from '../resource/only.ts';

/** Error codes for a missing security group. */
export const NO_GROUP: readonly string[] = [
  'InvalidGroup.NotFound',
  'InvalidGroupId.Malformed',
  'InvalidSecurityGroupID.NotFound',
];

/** The security group with an id. */
export async function groupById(aws: RegionalAws, id: string): Promise<SecurityGroup> {
  const { SecurityGroups } = await aws.ec2.describeSecurityGroups({ GroupIds: [id] });
  const group = only(SecurityGroups);
  if (group.GroupId !== id) throw new NotFoundError({ message: 'empty result' });
  return group;
}
