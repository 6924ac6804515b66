import type { ChangeInfo } from '@aws-sdk/client-route-53';
import type { RemoteObject } from '@terrane/provider/sdk';
import { seconds } from '@terrane/provider/sdk';
import type { RegionalAws } from '../clients/aws.ts';
import { bareId } from './names.ts';

/** Waits until a change is on all name servers. */
export async function waitForChange(
  aws: RegionalAws,
  object: RemoteObject,
  change: ChangeInfo | undefined,
  timeout: number,
): Promise<void> {
  if (change === undefined) return;
  const Id = bareId(change.Id);
  const [jitter = 0] = [...aws.provider.random.bytes(1)].map((byte) => byte / 256);
  await object.waitFor('synchronize', {
    pending: ['PENDING'],
    target: ['INSYNC'],
    timeout,
    // Route 53 allows an account 5 requests a second, which many records that are waited for at once would use up.
    delay: seconds(10) + jitter * seconds(20),
    pollInterval: seconds(15),
    refresh: async () => {
      const { ChangeInfo: changeInfo } = await aws.route53.getChange({ Id });
      return changeInfo && { result: changeInfo, state: changeInfo.Status ?? '' };
    },
  });
}
