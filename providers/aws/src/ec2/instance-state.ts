import type { Instance } from '@aws-sdk/client-ec2';
import { minutes, NotFoundError, type RemoteObject } from '@terrane/provider/sdk';
import type { RegionalAws } from '../clients/aws.ts';
import { only } from '../resource/only.ts';

/** The instance with an id. One that is terminated is shown for a while, and counts as gone. */
export async function instanceById(aws: RegionalAws, id: string): Promise<Instance> {
  const { Reservations = [] } = await aws.ec2.describeInstances({ InstanceIds: [id] });
  const found = only(Reservations.flatMap(({ Instances = [] }) => Instances));
  if (found.State?.Name === 'terminated') {
    throw new NotFoundError({ message: 'the instance is terminated' });
  }
  return found;
}

/** Waits until an instance is in a state. */
export async function waitForInstance(
  aws: RegionalAws,
  object: RemoteObject,
  id: string,
  target: 'running' | 'stopped',
  timeout: number = minutes(10),
): Promise<Instance> {
  const pending =
    target === 'running' ? ['pending', 'stopped'] : ['running', 'stopping', 'pending'];
  return await object.waitFor(target === 'running' ? 'start' : 'stop', {
    pending,
    target: [target],
    timeout,
    refresh: async () => {
      const result = await instanceById(aws, id);
      return { result, state: result.State?.Name ?? '' };
    },
  });
}

/** Stops an instance and waits until it stands. */
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
  await waitForInstance(aws, object, id, 'stopped', timeout);
}

/** Starts an instance and waits until it runs. */
export async function startInstance(
  aws: RegionalAws,
  object: RemoteObject,
  id: string,
  timeout?: number,
): Promise<void> {
  await object.operation('starting', () => aws.ec2.startInstances({ InstanceIds: [id] }));
  await waitForInstance(aws, object, id, 'running', timeout);
}
