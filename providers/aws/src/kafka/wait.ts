import type { ClusterInfo, ClusterOperationInfo } from '@aws-sdk/client-kafka';
import { NotFoundError, type RemoteObject, seconds } from '@terrane/provider/sdk';
import type { RegionalAws } from '../clients/aws.ts';
import { OPERATION_COMPLETE, OPERATION_RUNNING } from './consts.ts';

/** A cluster. */
export async function clusterOf(aws: RegionalAws, id: string): Promise<ClusterInfo> {
  const { ClusterInfo: cluster } = await aws.kafka.describeCluster({ ClusterArn: id });
  if (cluster === undefined) throw new NotFoundError({ message: 'empty result' });
  return cluster;
}

/** Waits until a cluster is ready for use, which takes about half an hour. */
export async function waitForActiveCluster(
  aws: RegionalAws,
  cluster: RemoteObject,
  id: string,
  timeout: number,
): Promise<void> {
  await cluster.waitFor('creation', {
    pending: ['CREATING'],
    target: ['ACTIVE'],
    timeout,
    refresh: () => statusOf(aws, id),
    reason: reasonOf,
  });
}

/** Waits until a cluster is deleted. */
export async function waitForDeletedCluster(
  aws: RegionalAws,
  cluster: RemoteObject,
  id: string,
  timeout: number,
): Promise<void> {
  await cluster.waitForDeletion({
    pending: ['DELETING'],
    timeout,
    refresh: () => statusOf(aws, id),
    reason: reasonOf,
  });
}

/** Waits until an operation on a cluster has completed. */
export async function waitForOperation(
  aws: RegionalAws,
  cluster: RemoteObject,
  operation: string | undefined,
  timeout: number,
): Promise<void> {
  await cluster.waitFor(`operation (${operation ?? ''})`, {
    pending: OPERATION_RUNNING,
    target: [OPERATION_COMPLETE],
    timeout,
    minTimeout: seconds(10),
    refresh: async () => {
      const answer = await aws.kafka.describeClusterOperation({ ClusterOperationArn: operation });
      const result = answer.ClusterOperationInfo;
      return result && { result, state: result.OperationState ?? '' };
    },
    reason: ({ ErrorInfo: error }: ClusterOperationInfo) =>
      error && `${error.ErrorCode ?? ''}: ${error.ErrorString ?? ''}`,
  });
}

async function statusOf(
  aws: RegionalAws,
  id: string,
): Promise<{ readonly result: ClusterInfo; readonly state: string }> {
  const result = await clusterOf(aws, id);
  return { result, state: result.State ?? '' };
}

function reasonOf({ StateInfo: state }: ClusterInfo): string | undefined {
  return state && `${state.Code ?? ''}: ${state.Message ?? ''}`;
}
