import type { BlockDeviceMapping, Image, VolumeType } from '@aws-sdk/client-ec2';
import {
  bool,
  ifKnown,
  int64,
  minutes,
  type Observed,
  type RemoteObject,
  type Resource,
  seconds,
  setBlock,
  string,
  timeoutsBlock,
  type Unknown,
} from '@terrane/provider/sdk';
import type { Aws, RegionalAws } from '../clients/aws.ts';
import { awsResource } from '../resource/aws-resource.ts';
import { arn, regional, tagged } from '../resource/common-attributes.ts';
import { enumOf } from '../resource/enum-of.ts';
import { omitUnset, only } from '../resource/only.ts';
import { imageArguments } from './image-arguments.ts';
import { readState } from '../resource/seen.ts';
import { ec2Retag, tagSpecifications } from './tags.ts';
import { oneOf } from '../resource/validators.ts';

const computed = string({ computed: true });
const fixed = string({ optional: true, requiresReplace: true });

/** `aws_ami`: an image of existing snapshots */
export const ami: Resource<Aws> = awsResource({
  type: 'EC2 AMI',
  notFound: ['InvalidAMIID.NotFound', 'InvalidAMIID.Unavailable'],
  attributes: {
    ...regional,
    ...arn,
    ...tagged,
    architecture: string({
      default: 'x86_64',
      computed: false,
      requiresReplace: true,
      validators: [oneOf('i386', 'x86_64', 'arm64', 'x86_64_mac', 'arm64_mac')],
    }),
    boot_mode: fixed,
    deprecation_time: string({ optional: true }),
    description: string({ optional: true }),
    ena_support: bool({ optional: true, requiresReplace: true }),
    hypervisor: computed,
    image_location: string({ optional: true, computed: true, requiresReplace: true }),
    image_owner_alias: computed,
    image_type: computed,
    imds_support: fixed,
    kernel_id: fixed,
    last_launched_time: computed,
    manage_ebs_snapshots: bool({ computed: true }),
    name: string({ required: true, requiresReplace: true }),
    owner_id: computed,
    platform: computed,
    platform_details: computed,
    public: bool({ computed: true }),
    ramdisk_id: fixed,
    root_device_name: fixed,
    root_snapshot_id: computed,
    sriov_net_support: string({ default: 'simple', computed: false, requiresReplace: true }),
    tpm_support: fixed,
    uefi_data: fixed,
    usage_operation: computed,
    virtualization_type: string({
      default: 'paravirtual',
      computed: false,
      requiresReplace: true,
      validators: [oneOf('hvm', 'paravirtual')],
    }),
  },
  blocks: {
    ebs_block_device: setBlock(
      {
        delete_on_termination: bool({ default: true, computed: false }),
        device_name: string({ required: true }),
        encrypted: bool({ optional: true }),
        iops: int64({ optional: true }),
        outpost_arn: string({ optional: true }),
        snapshot_id: string({ optional: true }),
        throughput: int64({ optional: true, computed: true }),
        volume_size: int64({ optional: true, computed: true }),
        volume_type: string({ default: 'standard', computed: false }),
      },
      { requiresReplace: true },
    ),
    ephemeral_block_device: setBlock(
      { device_name: string({ required: true }), virtual_name: string({ required: true }) },
      { requiresReplace: true },
    ),
    timeouts: timeoutsBlock({ create: '40m', update: '40m', delete: '90m' }),
  },

  async create({ aws, plan, tags }) {
    const request = {
      Name: plan.name,
      Architecture: plan.architecture,
      SriovNetSupport: plan.sriov_net_support,
      VirtualizationType: plan.virtualization_type,
      BlockDeviceMappings: [
        ...plan.ebs_block_device.map(ebsMapping),
        ...plan.ephemeral_block_device.map((each) => ({
          DeviceName: each.device_name,
          VirtualName: each.virtual_name,
        })),
      ],
      TagSpecifications: tagSpecifications('image', tags),
      ...omitUnset({
        BootMode: plan.boot_mode,
        Description: plan.description,
        EnaSupport: plan.ena_support,
        ImageLocation: plan.image_location,
        ImdsSupport: plan.imds_support,
        KernelId: plan.kernel_id,
        RamdiskId: plan.ramdisk_id,
        RootDeviceName: plan.root_device_name,
        TpmSupport: plan.tpm_support,
        UefiData: plan.uefi_data,
      }),
    };
    // Configured texts are passed to EC2 unchanged, which rejects unknown ones.
    const { ImageId } = await aws.ec2.registerImage(request as RegisterImage);
    return ImageId ?? '';
  },

  async created({ aws, object, plan, id, timeout }) {
    await object.waitFor('creation', {
      pending: ['pending'],
      target: ['available'],
      timeout,
      ...IMAGE_POLLING,
      refresh: imageState(aws, id),
    });
    await deprecate(aws, object, id, plan.deprecation_time, null);
  },

  find: ({ aws, id }) => imageById(aws, id),

  read: (image, { aws }) => ({
    // Values that EC2 omits for some images may have been set at their registration.
    ...omitUnset({ ...imageArguments(aws, image) }),
    description: image.Description,
    manage_ebs_snapshots: false,
    tags: image.Tags ?? [],
    ebs_block_device: (image.BlockDeviceMappings ?? []).flatMap(({ DeviceName, Ebs }) =>
      Ebs === undefined
        ? []
        : [
            {
              delete_on_termination: Ebs.DeleteOnTermination ?? false,
              device_name: DeviceName,
              encrypted: Ebs.Encrypted === true ? true : null,
              iops: Ebs.Iops,
              outpost_arn: Ebs.OutpostArn,
              snapshot_id: Ebs.SnapshotId,
              throughput: Ebs.Throughput ?? 0,
              volume_size: Ebs.VolumeSize ?? 0,
              volume_type: Ebs.VolumeType ?? 'standard',
            },
          ],
    ),
    ephemeral_block_device: (image.BlockDeviceMappings ?? []).flatMap(
      ({ DeviceName, Ebs, VirtualName }) =>
        Ebs === undefined ? [{ device_name: DeviceName, virtual_name: VirtualName }] : [],
    ),
  }),

  async update({ aws, object, plan, state, changed, id }) {
    if (changed('description')) {
      const Value = plan.description ?? '';
      await aws.ec2.modifyImageAttribute({ ImageId: id, Description: { Value } });
      await waitForDescription(aws, object, id, Value);
    }
    if (changed('deprecation_time')) {
      await deprecate(aws, object, id, plan.deprecation_time, state.deprecation_time);
    }
  },

  retag: ec2Retag,

  async delete({ aws, object, id, timeout }) {
    await aws.ec2.deregisterImage({ ImageId: id });
    await object.waitForDeletion({
      pending: ['available', 'pending', 'failed'],
      timeout,
      ...IMAGE_POLLING,
      refresh: imageState(aws, id),
    });
  },
});

const IMAGE_POLLING = {
  delay: seconds(5),
  minTimeout: seconds(3),
  reason: ({ StateReason }: Image): string | undefined => StateReason?.Message,
};

function imageState(aws: RegionalAws, id: string): () => Promise<Observed<Image> | undefined> {
  return readState(
    () => imageById(aws, id),
    ({ State }) => State,
  );
}

type RegisterImage = Parameters<RegionalAws['ec2']['registerImage']>[0];

async function imageById(aws: RegionalAws, id: string): Promise<Image> {
  const { Images } = await aws.ec2.describeImages({ ImageIds: [id] });
  const image = only(Images);
  // A deregistered image may be reported for a while.
  if (image.State === 'deregistered') return only<Image>([]);
  return image;
}

function ebsMapping(volume: {
  readonly delete_on_termination: boolean;
  readonly device_name: string;
  readonly encrypted: boolean | null;
  readonly iops: number | null;
  readonly outpost_arn: string | null;
  readonly snapshot_id: string | null;
  readonly throughput: number | Unknown;
  readonly volume_size: number | Unknown;
  readonly volume_type: string;
}): BlockDeviceMapping {
  return {
    DeviceName: volume.device_name,
    Ebs: {
      DeleteOnTermination: volume.delete_on_termination,
      ...omitUnset({
        Encrypted: volume.encrypted,
        Iops: volume.iops,
        OutpostArn: volume.outpost_arn,
        SnapshotId: volume.snapshot_id,
        Throughput: volume.throughput,
        VolumeSize: ifKnown(volume.volume_size),
        VolumeType: enumOf<VolumeType>(volume.volume_type),
      }),
    },
  };
}

/** Sets when an image is deprecated; without a time, it no longer is. */
async function deprecate(
  aws: RegionalAws,
  image: RemoteObject,
  ImageId: string,
  time: string | null,
  before: string | null,
): Promise<void> {
  const isWanted = time !== null && time !== '';
  if (isWanted) await aws.ec2.enableImageDeprecation({ ImageId, DeprecateAt: new Date(time) });
  else if (before !== null && before !== '') await aws.ec2.disableImageDeprecation({ ImageId });
  else return;
  await image.waitForValue('deprecation_time', {
    read: () => imageById(aws, ImageId),
    value: ({ DeprecationTime = '' }) => minuteOf(DeprecationTime),
    expected: isWanted ? minuteOf(time) : '',
    ...VALUE_WAIT,
  });
}

/** EC2 rounds times of deprecation to minutes. */
function minuteOf(time: string): string {
  const minute = minutes(1);
  const rounded = Math.round(new Date(time).getTime() / minute) * minute;
  return Number.isNaN(rounded) ? '' : new Date(rounded).toISOString();
}

async function waitForDescription(
  aws: RegionalAws,
  image: RemoteObject,
  id: string,
  expected: string,
): Promise<void> {
  await image.waitForValue('description', {
    read: () => imageById(aws, id),
    value: ({ Description = '' }) => Description,
    expected,
    ...VALUE_WAIT,
  });
}

/** Options of the waits for the new value of an argument. */
const VALUE_WAIT = { delay: seconds(5), minTimeout: seconds(3), timeout: minutes(2) } as const;
