import type { Volume } from '@aws-sdk/client-ec2';
import type { RemoteObject } from '@terrane/provider/sdk';
import type { RegionalAws } from '../clients/aws.ts';
import { only } from '../resource/only.ts';

/** The volume with an id. */
export async function volumeById(aws: RegionalAws, id: string): Promise<Volume> {
  const { Volumes } = await aws.ec2.describeVolumes({ VolumeIds: [id] });
  return only(Volumes);
}

/** Waits until a volume modification is sufficiently complete to use the volume. */
export async function waitForModification(
  aws: RegionalAws,
  object: RemoteObject,
  id: string,
  polling: { readonly timeout: number; readonly delay: number; readonly minTimeout: number },
): Promise<void> {
  await object.waitFor('update', {
    pending: ['modifying'],
    target: ['completed', 'optimizing'],
    ...polling,
    reason: (modification) => modification?.StatusMessage,
    refresh: async () => {
      const { VolumesModifications } = await aws.ec2.describeVolumesModifications({
        VolumeIds: [id],
      });
      const result = VolumesModifications?.[0];
      return { result, state: result?.ModificationState ?? 'completed' };
    },
  });
}
