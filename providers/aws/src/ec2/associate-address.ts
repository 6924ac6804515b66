import type { AssociateAddressRequest } from '@aws-sdk/client-ec2';
import { minutes, type RemoteObject } from '@terrane/provider/sdk';
import type { RegionalAws } from '../clients/aws.ts';
import { again, unless } from '../request/again.ts';

/** Associates an address with an instance once the instance is running, and returns the id of the association. */
export async function associateAddress(
  aws: RegionalAws,
  object: RemoteObject,
  request: AssociateAddressRequest,
): Promise<string> {
  const { AssociationId = '' } = await object.operation(
    'associating',
    () => aws.ec2.associateAddress(request),
    again(['InvalidInstanceID', 'InvalidAllocationID.NotFound'], minutes(5)),
  );
  return AssociationId;
}

/** Disassociates an address, if it is associated. */
export async function disassociateAddress(aws: RegionalAws, AssociationId: string): Promise<void> {
  if (AssociationId === '') return;
  const call = () => aws.ec2.disassociateAddress({ AssociationId });
  await unless(call, 'InvalidAssociationID.NotFound');
}
