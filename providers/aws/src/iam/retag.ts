import type { IAM } from '@aws-sdk/client-iam';
import { retag } from '../tags/retag.ts';

/** Changes tags of an IAM entity, with its operation and member name: `retag: iamRetag('User', 'UserName')`. */
export function iamRetag(
  subject: 'InstanceProfile' | 'Policy' | 'Role' | 'User',
  name: 'InstanceProfileName' | 'PolicyArn' | 'RoleName' | 'UserName',
): ReturnType<typeof retag> {
  const call = async (iam: IAM, method: 'tag' | 'untag', request: object): Promise<void> => {
    // The four pairs of methods differ in how they name the object.
    const ask = iam[`${method}${subject}`] as (request: object) => Promise<unknown>;
    await ask.call(iam, request);
  };
  return retag(
    ({ aws, id }, TagKeys) => call(aws.iam, 'untag', { [name]: id, TagKeys }),
    ({ aws, id }, Tags) => call(aws.iam, 'tag', { [name]: id, Tags }),
  );
}
