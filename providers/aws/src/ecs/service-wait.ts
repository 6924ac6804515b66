import type { Service } from '@aws-sdk/client-ecs';
import { type RemoteObject, seconds } from '@terrane/provider/sdk';
import type { RegionalAws } from '../clients/aws.ts';
import { hasMessage } from '../request/aws-error.ts';
import { given, only } from '../resource/only.ts';

/** Where a service is. */
export interface ServiceAt {
  readonly id: string;
  /** name or ARN of its cluster; empty: the default one */
  readonly cluster: string;
}

/** A service in whatever state it is, with its tags. */
export async function serviceAt(aws: RegionalAws, { id, cluster }: ServiceAt): Promise<Service> {
  const found = await aws.ecs.describeServices({
    ...given({ cluster }),
    services: [id],
    include: ['TAGS'],
  });
  return only(found.services);
}

/** Waits until a service is there. */
export async function serviceIsActive(
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

/** Waits until all tasks of a service run as they should, and none as they should have before. */
export async function serviceIsStable(
  aws: RegionalAws,
  service: RemoteObject,
  at: ServiceAt,
  timeout: number,
): Promise<void> {
  await service.waitFor('steady state', {
    pending: ['INACTIVE', 'DRAINING', 'PENDING'],
    target: ['STABLE'],
    timeout,
    refresh: async () => {
      const result = await serviceAt(aws, at);
      const { status = '', deployments = [], desiredCount, runningCount } = result;
      if (status !== 'ACTIVE') return { result, state: status };
      const isStable = deployments.length === 1 && desiredCount === runningCount;
      return { result, state: isStable ? 'STABLE' : 'PENDING' };
    },
    // The newest of what happened tells what it lacks.
    reason: ({ events }: Service) => events?.[0]?.message,
  });
}

/** Waits until a service has ended all its tasks. */
export async function serviceIsGone(
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

/** Has the deployment that is under way taken back, whatever else is being stopped. */
export async function takeBack(aws: RegionalAws, { id, cluster }: ServiceAt): Promise<void> {
  const { ecs } = aws.provider.in(aws.region, new AbortController().signal);
  const { serviceDeployments: [deployment] = [] } = await ecs.listServiceDeployments({
    ...given({ cluster }),
    service: id,
    status: ['PENDING', 'IN_PROGRESS'],
  });
  if (deployment === undefined) return;
  await ecs.stopServiceDeployment({
    serviceDeploymentArn: deployment.serviceDeploymentArn,
    stopType: 'ROLLBACK',
  });
}

/** Waits as the user wants it. Who stops waiting may want the deployment taken back. */
export async function serviceIsDeployed(
  aws: RegionalAws,
  object: RemoteObject,
  at: ServiceAt,
  wanted: {
    readonly wait_for_steady_state: boolean;
    readonly sigint_rollback: boolean | null;
  },
  timeout: number,
): Promise<void> {
  if (!wanted.wait_for_steady_state) {
    await serviceIsActive(aws, object, at, timeout);
    return;
  }
  try {
    await serviceIsStable(aws, object, at, timeout);
  } catch (error) {
    if (aws.signal.aborted && wanted.sigint_rollback === true) await takeBack(aws, at);
    throw error;
  }
}

/** Roles, and what they may do, are not known everywhere at once. */
export function isOnItsWay(error: unknown): boolean {
  return [
    'verify that the ECS service role being passed has the proper permissions',
    'does not have an associated load balancer',
    'Unable to assume the service linked role',
  ].some((message) => hasMessage(error, 'InvalidParameterException', message));
}
