import { bool, int64, type Resource, string, timeoutsBlock } from '@terrane/provider/sdk';
import type { Aws } from '../clients/aws.ts';
import { again } from '../request/again.ts';
import { awsResource } from '../resource/aws-resource.ts';
import { arn, regional, tagged } from '../resource/common-attributes.ts';
import { only } from '../resource/only.ts';
import { readState } from '../resource/seen.ts';
import { POLLING } from './consts.ts';
import { ec2Retag, tagSpecifications } from './tags.ts';
import { waitForModification, volumeById } from './volumes.ts';
import { isArn } from '../resource/text-forms.ts';
import { atLeastOneConfigured } from '../resource/validators.ts';

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
    kms_key_id: string({
      optional: true,
      computed: true,
      requiresReplace: true,
      validators: [isArn],
    }),
    multi_attach_enabled: bool({ optional: true, requiresReplace: true }),
    outpost_arn: string({ optional: true, requiresReplace: true }),
    size: int64({ optional: true, computed: true }),
    snapshot_id: string({ optional: true, computed: true, requiresReplace: true }),
    throughput: int64({ optional: true, computed: true }),
    type: string({ optional: true, computed: true }),
    volume_initialization_rate: int64({ optional: true, requiresReplace: true }),
  },
  blocks: { timeouts: timeoutsBlock({ create: '5m', update: '5m', delete: '10m' }) },
  validators: [atLeastOneConfigured('size', 'snapshot_id')],

  amazon: { final_snapshot: null, type: 'VolumeType' },

  async create({ aws, request, tags }) {
    const TagSpecifications = tagSpecifications('volume', tags);
    return (await aws.ec2.createVolume(request({ TagSpecifications }))).VolumeId ?? '';
  },

  find: ({ aws, id }) => volumeById(aws, id),
  ready: { ...POLLING, pending: ['creating'], target: ['available'], state: ({ State }) => State },

  read: (_, { aws, id }) => ({ arn: aws.arn('ec2', `volume/${id}`) }),

  // Volume types have different arguments, so only changed ones are sent.
  async update({ aws, object, changes, id, timeout }) {
    await aws.ec2.modifyVolume(changes({ VolumeId: id }));
    await waitForModification(aws, object, id, { ...POLLING, timeout });
  },

  retag: ec2Retag,

  async delete({ aws, object, state, id: VolumeId, timeout }) {
    if (state.final_snapshot) {
      const TagSpecifications = tagSpecifications('snapshot', state.tags_all);
      const { SnapshotId = '' } = await aws.ec2.createSnapshot({ VolumeId, TagSpecifications });
      const snapshots = () => aws.ec2.describeSnapshots({ SnapshotIds: [SnapshotId] });
      await object.waitFor('final snapshot', {
        pending: ['pending'],
        target: ['completed'],
        timeout,
        refresh: readState(
          async () => only((await snapshots()).Snapshots),
          ({ State }) => State,
        ),
      });
    }
    const used = again(['VolumeInUse'], timeout);
    await object.operation('deleting', () => aws.ec2.deleteVolume({ VolumeId }), used);
  },

  gone: {
    ...POLLING,
    pending: ['available', 'deleting', 'in-use'],
    state: ({ State }) => State,
  },
});
