import type { Service, ServiceDeployment } from '@aws-sdk/client-ecs';
import type { RemoteObject } from '@terrane/provider/sdk';
import type { RegionalAws } from '../clients/aws.ts';
import { omitUnset, pages } from '../resource/only.ts';
import { type ServiceAt, serviceAt, waitForActiveService } from './service-wait.ts';

/** Statuses of a deployment that ended without reaching its target. */
const FAILED: ReadonlySet<string> = new Set(['STOPPED', 'ROLLBACK_FAILED', 'ROLLBACK_SUCCESSFUL']);

/** A polled service, with its deployment if that decides whether the service is stable. */
interface Observation {
  readonly service: Service;
  readonly deployment?: ServiceDeployment | undefined;
}

/** Returns the primary deployment of a service: the one with the current task definition. */
export function primaryDeployment({ deployments = [] }: Service): string | undefined {
  return deployments.find(({ status }) => status === 'PRIMARY')?.id;
}

/**
 * Waits until a service is active, or stable with `wait_for_steady_state`. With `sigint_rollback`, an interrupt rolls
 * back the deployment in progress.
 *
 * @param previousId the primary deployment before the change; undefined: the service is new
 */
export async function waitForDeployment(
  aws: RegionalAws,
  object: RemoteObject,
  at: ServiceAt,
  wanted: {
    readonly wait_for_steady_state: boolean;
    readonly sigint_rollback: boolean | null;
  },
  timeout: number,
  previousId?: string,
): Promise<void> {
  if (!wanted.wait_for_steady_state) {
    await waitForActiveService(aws, object, at, timeout);
    return;
  }
  try {
    await waitForStableService(aws, object, at, timeout, previousId);
  } catch (error) {
    if (aws.signal.aborted && wanted.sigint_rollback === true) await rollBack(aws, at);
    throw error;
  }
}

/**
 * Waits until all tasks of a service run as configured. A new deployment that ECS controls decides by its status: after
 * a failed deployment was rolled back, the number of tasks looks the same as after a successful one.
 *
 * @param previousId the primary deployment before the change; undefined: the service is new
 */
async function waitForStableService(
  aws: RegionalAws,
  service: RemoteObject,
  at: ServiceAt,
  timeout: number,
  previousId: string | undefined,
): Promise<void> {
  // A rollback makes another deployment primary, so the first observed one is the requested one.
  let primaryId: string | undefined;
  let arn: string | undefined;
  await service.waitFor('steady state', {
    pending: ['INACTIVE', 'DRAINING', 'PENDING'],
    target: ['STABLE'],
    timeout,
    refresh: async () => {
      const result = await serviceAt(aws, at);
      const { status = '', deployments = [], desiredCount, runningCount } = result;
      const observed = (state: string, deployment?: ServiceDeployment) => ({
        result: { service: result, deployment } satisfies Observation,
        state,
      });
      if (status !== 'ACTIVE') return observed(status);
      primaryId ??= primaryDeployment(result);
      const isOfEcs = (result.deploymentController?.type ?? '') === 'ECS';
      if (isOfEcs && primaryId !== undefined && primaryId !== previousId) {
        arn ??= await deploymentOf(aws, at, primaryId);
        if (arn === undefined) return observed('PENDING');
        const { serviceDeployments: [deployment] = [] } = await aws.ecs.describeServiceDeployments({
          serviceDeploymentArns: [arn],
        });
        return observed(stateOf(deployment), deployment);
      }
      const isStable = deployments.length === 1 && desiredCount === runningCount;
      return observed(isStable ? 'STABLE' : 'PENDING');
    },
    reason: ({ service: { events }, deployment }: Observation) =>
      deployment?.statusReason ?? events?.[0]?.message,
  });
}

function stateOf(deployment: ServiceDeployment | undefined): string {
  const { status = 'PENDING' } = deployment ?? {};
  if (status === 'SUCCESSFUL') return 'STABLE';
  return FAILED.has(status) ? status : 'PENDING';
}

/** Returns the ARN of the service deployment that belongs to a deployment such as "ecs-svc/123". */
async function deploymentOf(
  aws: RegionalAws,
  { id, cluster }: ServiceAt,
  primaryId: string,
): Promise<string | undefined> {
  const revision = primaryId.split('/').pop() ?? '';
  const deployments = await pages(
    (nextToken) =>
      aws.ecs.listServiceDeployments({ ...omitUnset({ cluster, nextToken }), service: id }),
    (page) => page.serviceDeployments,
  );
  return deployments.find(({ targetServiceRevisionArn = '' }) =>
    targetServiceRevisionArn.includes(revision),
  )?.serviceDeploymentArn;
}

/** Rolls back the deployment in progress, with requests that the cancelled operation does not abort. */
async function rollBack(aws: RegionalAws, { id, cluster }: ServiceAt): Promise<void> {
  const { ecs } = aws.provider.in(aws.region, new AbortController().signal);
  const { serviceDeployments: [deployment] = [] } = await ecs.listServiceDeployments({
    ...omitUnset({ cluster }),
    service: id,
    status: ['PENDING', 'IN_PROGRESS'],
  });
  if (deployment === undefined) return;
  await ecs.stopServiceDeployment({
    serviceDeploymentArn: deployment.serviceDeploymentArn,
    stopType: 'ROLLBACK',
  });
}
