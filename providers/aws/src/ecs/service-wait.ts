import type { Service } from '@aws-sdk/client-ecs';
import { type RemoteObject, seconds } from '@terrane/provider/sdk';
import type { RegionalAws } from '../clients/aws.ts';
import { hasMessage } from '../request/aws-error.ts';
import { omitUnset, only } from '../resource/only.ts';

/** The address of a service. */
export interface ServiceAt {
  readonly id: string;
  /** name or ARN of its cluster; empty: the default one */
  readonly cluster: string;
}

/** Returns a service in any state, with its tags. */
export async function serviceAt(aws: RegionalAws, { id, cluster }: ServiceAt): Promise<Service> {
  const answer = await aws.ecs.describeServices({
    ...omitUnset({ cluster }),
    services: [id],
    include: ['TAGS'],
  });
  return only(answer.services);
}

/** Waits until a service is active. */
export async function waitForActiveService(
  aws: RegionalAws,
  service: RemoteObject,
  at: ServiceAt,
  timeout: number,
): Promise<void> {
  await service.waitFor('activation', {
    pending: ['INACTIVE', 'DRAINING'],
    target: ['ACTIVE'],
    timeout,
    refresh: async () => {
      const result = await serviceAt(aws, at);
      return { result, state: result.status ?? '' };
    },
  });
}

/** Waits until a service has ended all its tasks. */
export async function waitForDeletedService(
  aws: RegionalAws,
  service: RemoteObject,
  at: ServiceAt,
  timeout: number,
): Promise<void> {
  await service.waitForDeletion({
    pending: ['ACTIVE', 'DRAINING'],
    timeout,
    minTimeout: seconds(1),
    refresh: async () => {
      const result = await serviceAt(aws, at);
      return result.status === 'INACTIVE' ? undefined : { result, state: result.status ?? '' };
    },
  });
}

/** Roles and their permissions propagate with a delay. */
export function isPropagating(error: unknown): boolean {
  return [
    'verify that the ECS service role being passed has the proper permissions',
    'does not have an associated load balancer',
    'Unable to assume the service linked role',
  ].some((message) => hasMessage(error, 'InvalidParameterException', message));
}
