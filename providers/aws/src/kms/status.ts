import type { KeyMetadata } from '@aws-sdk/client-kms';
import { EmptyResponseError, NotFoundError } from '@terrane/provider/sdk';
import type { RegionalAws } from '../clients/aws.ts';

/** Returns a key. One that is scheduled for deletion counts as not found. */
export async function keyOf(aws: RegionalAws, id: string): Promise<KeyMetadata> {
  const { KeyMetadata: key } = await aws.kms.describeKey({ KeyId: id });
  if (key === undefined) throw new EmptyResponseError();
  const state = key.KeyState ?? '';
  if (state === 'PendingDeletion' || state === 'PendingReplicaDeletion') {
    throw new NotFoundError({ message: state });
  }
  return key;
}

/** The policy of a key. */
export async function policyOf(aws: RegionalAws, id: string): Promise<string> {
  return (await aws.kms.getKeyPolicy({ KeyId: id, PolicyName: 'default' })).Policy ?? '';
}
