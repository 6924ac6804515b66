import type { NetworkInterface } from '@aws-sdk/client-ec2';
import {
  findError,
  minutes,
  NotFoundError,
  type RemoteObject,
  seconds,
} from '@terrane/provider/sdk';
import type { RegionalAws } from '../clients/aws.ts';
import { unless } from '../request/again.ts';
import { only } from '../resource/only.ts';
import { readState } from '../resource/seen.ts';
import { filtersOf } from './filters.ts';

/** A service that creates network interfaces and leaves them behind for a while. */
interface Owner {
  readonly isOwnerOf: (networkInterface: NetworkInterface) => boolean;
  /** the minimum time-out of waits for its interfaces */
  readonly minTimeoutMs: number;
  /** true if the service itself detaches an interface some time after its last use, as Lambda does */
  readonly detachesItself?: boolean;
}

const OWNERS: readonly Owner[] = [
  {
    isOwnerOf: ({ Description = '' }) => Description.startsWith('AWS Lambda VPC ENI'),
    minTimeoutMs: minutes(45),
    detachesItself: true,
  },
  {
    isOwnerOf: ({ RequesterId = '' }) => RequesterId.endsWith(':Comprehend'),
    minTimeoutMs: minutes(10),
  },
  {
    isOwnerOf: ({ Description = '' }) => Description === 'DMSNetworkInterface',
    minTimeoutMs: minutes(10),
  },
];

/** The number of polls in a row that must show an interface as available; EC2 may show that three minutes too early. */
const AVAILABLE_CHECKS = 18;
const NO_INTERFACE = 'InvalidNetworkInterfaceID.NotFound';

/**
 * Deletes the network interfaces that Lambda, Comprehend and DMS leave in a subnet or with a security group, which
 * block the deletion of these.
 */
export async function deleteLingeringInterfaces(
  aws: RegionalAws,
  object: RemoteObject,
  filter: Readonly<Record<string, string>>,
  timeout: number,
): Promise<void> {
  const { NetworkInterfaces = [] } = await aws.ec2.describeNetworkInterfaces({
    Filters: filtersOf(filter),
  });
  await Promise.all(
    NetworkInterfaces.map(async (networkInterface) => {
      const owner = OWNERS.find(({ isOwnerOf }) => isOwnerOf(networkInterface));
      if (owner === undefined) return;
      await deleteInterface(
        aws,
        object,
        networkInterface,
        owner,
        Math.max(timeout, owner.minTimeoutMs),
      );
    }),
  );
}

async function deleteInterface(
  aws: RegionalAws,
  object: RemoteObject,
  networkInterface: NetworkInterface,
  { detachesItself = false }: Owner,
  timeout: number,
): Promise<void> {
  const { NetworkInterfaceId: id = '' } = networkInterface;
  let latest: NetworkInterface | undefined = networkInterface;
  if (detachesItself && networkInterface.Attachment?.InstanceOwnerId === 'amazon-aws') {
    latest = await awaitUnused(aws, object, id, timeout);
  }
  if (latest === undefined) return;
  const { AttachmentId } = latest.Attachment ?? {};
  if (AttachmentId !== undefined) {
    await unless(
      () => aws.ec2.detachNetworkInterface({ AttachmentId, Force: true }),
      'InvalidAttachmentID.NotFound',
    );
    await awaitDetachment(aws, object, id, timeout);
  }
  await unless(() => aws.ec2.deleteNetworkInterface({ NetworkInterfaceId: id }), NO_INTERFACE);
}

/** Waits until an interface is unused; undefined: it does not exist any more. */
async function awaitUnused(
  aws: RegionalAws,
  object: RemoteObject,
  id: string,
  timeout: number,
): Promise<NetworkInterface | undefined> {
  try {
    return await object.waitFor(`last use of the network interface ${id}`, {
      pending: ['in-use'],
      target: ['available'],
      timeout,
      delay: seconds(10),
      minTimeout: seconds(10),
      continuousTargetOccurrences: AVAILABLE_CHECKS,
      notFoundChecks: 1,
      refresh: readState(
        () => interfaceById(aws, id),
        ({ Status }) => Status,
      ),
    });
  } catch (error) {
    if (findError(error, (each) => each instanceof NotFoundError) === undefined) throw error;
    return undefined;
  }
}

async function awaitDetachment(
  aws: RegionalAws,
  object: RemoteObject,
  id: string,
  timeout: number,
): Promise<void> {
  await object.waitFor(`detachment of the network interface ${id}`, {
    pending: ['attached', 'detaching'],
    target: ['detached'],
    timeout,
    refresh: async () => {
      const result = await interfaceById(aws, id);
      return { result, state: result?.Attachment?.Status ?? 'detached' };
    },
  });
}

/** Returns the interface with an ID; undefined if there is none. */
async function interfaceById(aws: RegionalAws, id: string): Promise<NetworkInterface | undefined> {
  const answer = await unless(
    () => aws.ec2.describeNetworkInterfaces({ NetworkInterfaceIds: [id] }),
    NO_INTERFACE,
  );
  return answer && only(answer.NetworkInterfaces);
}
