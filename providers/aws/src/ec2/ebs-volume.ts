import type { Volume, VolumeType } from '@aws-sdk/client-ec2';
import {
  bool,
  ifKnown,
  int64,
  minutes,
  type RemoteObject,
  type Resource,
  string,
  timeoutsBlock,
} from '@terrane/provider/sdk';
import type { Aws, RegionalAws } from '../clients/aws.ts';
import { hasCode } from '../request/aws-error.ts';
import { awsResource } from '../resource/aws-resource.ts';
import { arn, regional, tagged } from '../resource/common-attributes.ts';
import { given, only } from '../resource/only.ts';
import { ec2Retag, tagSpecifications } from './tags.ts';

/** `aws_ebs_volume` */
export const ebsVolume: Resource<Aws> = awsResource({
  type: 'EBS Volume',
  notFound: ['InvalidVolume.NotFound'],
  attributes: {
    ...regional,
    ...arn,
    ...tagged,
    availability_zone: string({ required: true, requiresReplace: true }),
    create_time: string({ computed: true }),
    encrypted: bool({ optional: true, computed: true, requiresReplace: true }),
    final_snapshot: bool({ default: false, computed: false }),
    iops: int64({ optional: true, computed: true }),
    kms_key_id: string({ optional: true, computed: true, requiresReplace: true }),
    multi_attach_enabled: bool({ optional: true, requiresReplace: true }),
    outpost_arn: string({ optional: true, requiresReplace: true }),
    size: int64({ optional: true, computed: true }),
    snapshot_id: string({ optional: true, computed: true, requiresReplace: true }),
    throughput: int64({ optional: true, computed: true }),
    type: string({ optional: true, computed: true }),
    volume_initialization_rate: int64({ optional: true, requiresReplace: true }),
  },
  blocks: { timeouts: timeoutsBlock({ create: '5m', update: '5m', delete: '10m' }) },

  async create({ aws, plan, tags }) {
    const { VolumeId } = await aws.ec2.createVolume({
      AvailabilityZone: plan.availability_zone,
      TagSpecifications: tagSpecifications('volume', tags),
      ...given({
        Encrypted: plan.encrypted,
        Iops: plan.iops,
        KmsKeyId: plan.kms_key_id,
        MultiAttachEnabled: plan.multi_attach_enabled,
        OutpostArn: plan.outpost_arn,
        Size: plan.size,
        SnapshotId: plan.snapshot_id,
        Throughput: plan.throughput,
        VolumeType: volumeType(plan.type),
        VolumeInitializationRate: plan.volume_initialization_rate,
      }),
    });
    return VolumeId ?? '';
  },

  async created({ aws, object, id, timeout }) {
    await object.waitFor('creation', {
      pending: ['creating'],
      target: ['available'],
      timeout,
      refresh: async () => {
        const result = await volumeById(aws, id);
        return { result, state: result.State ?? '' };
      },
    });
  },

  find: ({ aws, id }) => volumeById(aws, id),

  read: (found, { aws, id }) => ({
    arn: aws.arn('ec2', `volume/${id}`),
    availability_zone: found.AvailabilityZone,
    create_time: found.CreateTime?.toISOString().replace('.000Z', 'Z') ?? '',
    encrypted: found.Encrypted ?? false,
    iops: found.Iops ?? 0,
    kms_key_id: found.KmsKeyId ?? '',
    multi_attach_enabled: found.MultiAttachEnabled,
    outpost_arn: found.OutpostArn,
    size: found.Size ?? 0,
    snapshot_id: found.SnapshotId ?? '',
    tags: found.Tags ?? [],
    throughput: found.Throughput ?? 0,
    type: found.VolumeType ?? '',
    volume_initialization_rate: found.VolumeInitializationRate,
  }),

  async update({ aws, object, plan, changed, id, timeout }) {
    if (!changed('iops', 'size', 'throughput', 'type')) return;
    const type = changed('type');
    await aws.ec2.modifyVolume({
      VolumeId: id,
      ...given({
        Size: changed('size') ? plan.size : null,
        VolumeType: type ? volumeType(plan.type) : null,
        // What one kind of volume has another one may not take.
        Iops: changed('iops') ? plan.iops : null,
        Throughput: changed('throughput') ? plan.throughput : null,
      }),
    });
    await modified(aws, object, id, timeout);
  },

  retag: ec2Retag,

  async delete({ aws, object, state, id, timeout }) {
    if (state.final_snapshot) {
      const { SnapshotId = '' } = await aws.ec2.createSnapshot({
        VolumeId: id,
        TagSpecifications: tagSpecifications('snapshot', state.tags_all),
      });
      await object.waitFor('final snapshot', {
        pending: ['pending'],
        target: ['completed'],
        timeout,
        refresh: async () => {
          const answer = await aws.ec2.describeSnapshots({ SnapshotIds: [SnapshotId] });
          const result = only(answer.Snapshots);
          return { result, state: result.State ?? '' };
        },
      });
    }
    await object.operation('deleting', () => aws.ec2.deleteVolume({ VolumeId: id }), {
      isRetryable: (error) => hasCode(error, 'VolumeInUse'),
      propagation: timeout,
    });
    await object.waitForDeletion({
      pending: ['available', 'deleting', 'in-use'],
      timeout,
      refresh: async () => {
        const result = await volumeById(aws, id);
        return { result, state: result.State ?? '' };
      },
    });
  },
});

/** The volume with an id. */
export async function volumeById(aws: RegionalAws, id: string): Promise<Volume> {
  const { Volumes } = await aws.ec2.describeVolumes({ VolumeIds: [id] });
  return only(Volumes);
}

/** Waits until a volume has been changed, as far as it has to be before it can be used. */
export async function modified(
  aws: RegionalAws,
  object: RemoteObject,
  id: string,
  timeout: number = minutes(5),
): Promise<void> {
  await object.waitFor('update', {
    pending: ['modifying'],
    target: ['completed', 'optimizing'],
    timeout,
    refresh: async () => {
      const { VolumesModifications } = await aws.ec2.describeVolumesModifications({
        VolumeIds: [id],
      });
      const result = VolumesModifications?.[0];
      return { result, state: result?.ModificationState ?? 'completed' };
    },
  });
}

/** A kind of volume as the SDK names it; what it does not know is EC2's to refuse. */
export function volumeType(written: unknown): VolumeType | undefined {
  const known = ifKnown(written);
  return typeof known === 'string' && known !== '' ? (known as VolumeType) : undefined;
}
