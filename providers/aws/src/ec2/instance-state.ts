import type { Instance } from '@aws-sdk/client-ec2';
import { NotFoundError, minutes, type RemoteObject, seconds } from '@terrane/provider/sdk';
import type { RegionalAws } from '../clients/aws.ts';
import { hasMessage } from '../request/aws-error.ts';
import { only } from '../resource/only.ts';
import { readState } from '../resource/seen.ts';

/** The states in which the wait for another state continues. */
const PENDING = {
  creation: ['pending'],
  start: ['pending', 'stopped'],
  stop: ['pending', 'running', 'shutting-down', 'stopping'],
  deletion: ['pending', 'running', 'shutting-down', 'stopped', 'stopping'],
} as const;
const TARGET = {
  creation: 'running',
  start: 'running',
  stop: 'stopped',
  deletion: 'terminated',
} as const;

/** Returns the instance with an ID. A terminated instance, which EC2 reports for about an hour, counts as not found. */
export async function instanceById(aws: RegionalAws, id: string): Promise<Instance> {
  const reported = await reportedInstance(aws, id);
  if (reported.State?.Name === 'terminated') {
    throw new NotFoundError({ message: 'the instance is terminated' });
  }
  return reported;
}

/** The instance with an id, also if it is terminated. */
async function reportedInstance(aws: RegionalAws, id: string): Promise<Instance> {
  const { Reservations = [] } = await aws.ec2.describeInstances({ InstanceIds: [id] });
  return only(Reservations.flatMap(({ Instances = [] }) => Instances));
}

/**
 * Waits until an instance is created, started, stopped or terminated. An instance that EC2 terminates meanwhile fails
 * the wait at the next poll; the error contains the state reason.
 */
export async function waitForInstance(
  aws: RegionalAws,
  object: RemoteObject,
  id: string,
  subject: keyof typeof PENDING,
  timeout: number = minutes(10),
): Promise<void> {
  await object.waitFor(subject, {
    pending: PENDING[subject],
    target: [TARGET[subject]],
    timeout,
    delay: seconds(10),
    minTimeout: seconds(3),
    reason: ({ StateReason }: Instance) => StateReason?.Message,
    refresh: readState(
      () => reportedInstance(aws, id),
      ({ State }) => State?.Name,
    ),
  });
}

/** Stops an instance and waits until it is stopped. */
export async function stopInstance(
  aws: RegionalAws,
  object: RemoteObject,
  id: string,
  options: { readonly force?: boolean; readonly timeout?: number } = {},
): Promise<void> {
  const { force = false, timeout } = options;
  await object.operation('stopping', () =>
    aws.ec2.stopInstances({ InstanceIds: [id], Force: force }),
  );
  await waitForInstance(aws, object, id, 'stop', timeout);
}

/** Starts an instance and waits until it runs. */
export async function startInstance(
  aws: RegionalAws,
  object: RemoteObject,
  id: string,
  timeout?: number,
): Promise<void> {
  const mismatch = 'LaunchPlan instance type does not match attribute value';
  await object.operation('starting', () => aws.ec2.startInstances({ InstanceIds: [id] }), {
    // A new instance type is not effective at once.
    isRetryable: (error) => hasMessage(error, 'InvalidParameterValue', mismatch),
  });
  await waitForInstance(aws, object, id, 'start', timeout);
}
