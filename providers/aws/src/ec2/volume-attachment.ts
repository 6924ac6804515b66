import { crc32 } from 'node:zlib';
import type { DetachVolumeRequest, VolumeAttachment } from '@aws-sdk/client-ec2';
import {
  bool,
  minutes,
  NotFoundError,
  type Resource,
  string,
  timeoutsBlock,
} from '@terrane/provider/sdk';
import type { Aws, RegionalAws } from '../clients/aws.ts';
import { again } from '../request/again.ts';
import { hasMessage } from '../request/aws-error.ts';
import { awsResource } from '../resource/aws-resource.ts';
import { regional } from '../resource/common-attributes.ts';
import { POLLING } from './consts.ts';
import { stopInstance } from './instance-state.ts';
import { volumeById } from './volumes.ts';

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

  amazon: {
    device_name: 'Device',
    force_detach: null,
    skip_destroy: null,
    stop_instance_before_detaching: null,
  },

  async create({ aws, object, plan, request }) {
    const { device_name: device, instance_id: instance, volume_id: volume } = plan;
    // A new instance accepts volumes when it runs.
    const running = again(['IncorrectState'], minutes(5));
    await object.operation('attaching', () => aws.ec2.attachVolume(request()), running);
    return attachmentId(device, volume, instance);
  },

  find: ({ aws, state }) =>
    attachmentOf(aws, state.volume_id, state.instance_id, state.device_name),
  ready: { ...POLLING, pending: ['attaching', 'busy'], target: ['attached'], state: stateOf },

  async delete({ aws, object, state, stored }) {
    const { skip_destroy, stop_instance_before_detaching: stop, instance_id: instance } = state;
    if (skip_destroy === true) return false;
    const force = state.force_detach ?? false;
    if (stop === true) await stopInstance(aws, object, instance, { force });
    const requestInput = stored<DetachVolumeRequest>('device_name', 'instance_id', 'volume_id');
    try {
      await aws.ec2.detachVolume({ ...requestInput, Force: force });
    } catch (error) {
      // The volume is detached already.
      if (!hasMessage(error, 'IncorrectState', 'available')) throw error;
      return false;
    }
    return undefined;
  },

  gone: { ...POLLING, pending: ['attached', 'busy', 'detaching'], state: stateOf },

  /** "/dev/sdh:vol-1:i-1" */
  import(id) {
    const [device_name = '', volume_id = '', instance_id = ''] = id.split(':');
    const made = attachmentId(device_name, volume_id, instance_id);
    return { id: made, device_name, volume_id, instance_id };
  },
});

function stateOf({ State }: VolumeAttachment): string {
  return State ?? 'attached';
}

async function attachmentOf(
  aws: RegionalAws,
  volume: string,
  instance: string,
  device: string,
): Promise<VolumeAttachment> {
  const { Attachments = [] } = await volumeById(aws, volume);
  const attachment = Attachments.find(
    ({ Device, InstanceId }) => InstanceId === instance && Device === device,
  );
  if (attachment === undefined || attachment.State === 'detached') {
    throw new NotFoundError({ message: 'the volume is not attached' });
  }
  return attachment;
}

/** The id of an attachment in the state; EC2 has no id for it. */
function attachmentId(device: string, volume: string, instance: string): string {
  return `vai-${crc32(`${device}-${instance}-${volume}-`)}`;
}
