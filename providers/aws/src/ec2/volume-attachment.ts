import type { VolumeAttachment } from '@aws-sdk/client-ec2';
import {
  bool,
  minutes,
  NotFoundError,
  type RemoteObject,
  type Resource,
  string,
  timeoutsBlock,
} from '@terrane/provider/sdk';
import type { Aws, RegionalAws } from '../clients/aws.ts';
import { hasCode } from '../request/aws-error.ts';
import { awsResource } from '../resource/aws-resource.ts';
import { regional } from '../resource/common-attributes.ts';
import { checksum } from './checksum.ts';
import { volumeById } from './ebs-volume.ts';
import { stopInstance } from './instance-state.ts';

/** `aws_volume_attachment` */
export const volumeAttachment: Resource<Aws> = awsResource({
  type: 'EBS Volume Attachment',
  notFound: ['InvalidVolume.NotFound'],
  attributes: {
    ...regional,
    device_name: string({ required: true, requiresReplace: true }),
    force_detach: bool({ optional: true }),
    instance_id: string({ required: true, requiresReplace: true }),
    skip_destroy: bool({ optional: true }),
    stop_instance_before_detaching: bool({ optional: true }),
    volume_id: string({ required: true, requiresReplace: true }),
  },
  blocks: { timeouts: timeoutsBlock({ create: '5m', delete: '5m' }) },
  label: ({ volume_id }) => volume_id,

  async create({ aws, object, plan }) {
    const { device_name: Device, instance_id: InstanceId, volume_id: VolumeId } = plan;
    await object.operation(
      'attaching',
      () => aws.ec2.attachVolume({ Device, InstanceId, VolumeId }),
      // An instance that was just made takes volumes when it runs.
      { isRetryable: (error) => hasCode(error, 'IncorrectState'), propagation: minutes(5) },
    );
    return attachmentId(Device, VolumeId, InstanceId);
  },

  async created({ aws, object, plan, timeout }) {
    await object.waitFor('attachment', {
      pending: ['attaching', 'busy'],
      target: ['attached'],
      timeout,
      refresh: async () => {
        const result = await attachmentOf(aws, plan.volume_id, plan.instance_id);
        return { result, state: result.State ?? 'attached' };
      },
    });
  },

  find: ({ aws, state }) => attachmentOf(aws, state.volume_id, state.instance_id),

  read: (found) => ({
    device_name: found.Device,
    instance_id: found.InstanceId,
    volume_id: found.VolumeId,
  }),

  async delete({ aws, object, state, timeout }) {
    if (state.skip_destroy === true) return;
    if (state.stop_instance_before_detaching === true) {
      await stopInstance(aws, object, state.instance_id, { force: state.force_detach ?? false });
    }
    await aws.ec2.detachVolume({
      Device: state.device_name,
      Force: state.force_detach ?? false,
      InstanceId: state.instance_id,
      VolumeId: state.volume_id,
    });
    await detached(aws, object, state.volume_id, state.instance_id, timeout);
  },

  /** "/dev/sdh:vol-1:i-1" */
  import(id) {
    const [device_name = '', volume_id = '', instance_id = ''] = id.split(':');
    const made = attachmentId(device_name, volume_id, instance_id);
    return { id: made, device_name, volume_id, instance_id };
  },
});

async function attachmentOf(
  aws: RegionalAws,
  volume: string,
  instance: string,
): Promise<VolumeAttachment> {
  const { Attachments = [] } = await volumeById(aws, volume);
  const found = Attachments.find(({ InstanceId }) => InstanceId === instance);
  if (found === undefined || found.State === 'detached') {
    throw new NotFoundError({ message: 'the volume is not attached' });
  }
  return found;
}

async function detached(
  aws: RegionalAws,
  attachment: RemoteObject,
  volume: string,
  instance: string,
  timeout: number,
): Promise<void> {
  await attachment.waitForDeletion({
    pending: ['attached', 'busy', 'detaching'],
    timeout,
    refresh: async () => {
      const result = await attachmentOf(aws, volume, instance);
      return { result, state: result.State ?? '' };
    },
  });
}

/** The id that an attachment has in the state, for EC2 gives it none. */
function attachmentId(device: string, volume: string, instance: string): string {
  return `vai-${checksum(`${device}-${instance}-${volume}-`)}`;
}
