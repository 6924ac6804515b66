import type { Instance, Volume } from '@aws-sdk/client-ec2';
import type { RegionalAws } from '../clients/aws.ts';
import { type Tags, tagsOf } from '../tags/tags.ts';

/** A volume of an instance as the state has it. */
export interface FoundVolume {
  readonly delete_on_termination: boolean;
  readonly device_name: string;
  readonly encrypted: boolean;
  readonly iops: number;
  readonly kms_key_id: string;
  readonly tags: Tags | null;
  readonly tags_all: Tags;
  readonly throughput: number;
  readonly volume_id: string;
  readonly volume_size: number;
  readonly volume_type: string;
}

/** Returns the volumes of an instance: the root volume, and others. */
export async function instanceVolumes(
  aws: RegionalAws,
  instance: Instance,
  options: { readonly tagged: boolean },
): Promise<{
  readonly root: readonly FoundVolume[];
  readonly others: readonly (FoundVolume & { readonly snapshot_id: string })[];
  readonly tags: Tags;
}> {
  const devices = instance.BlockDeviceMappings ?? [];
  const ids = devices.flatMap(({ Ebs }) => (Ebs?.VolumeId === undefined ? [] : [Ebs.VolumeId]));
  if (ids.length === 0) return { root: [], others: [], tags: {} };
  const { Volumes = [] } = await aws.ec2.describeVolumes({ VolumeIds: ids });
  const byId = new Map(Volumes.map((volume) => [volume.VolumeId ?? '', volume]));
  const volumes = devices.flatMap(({ DeviceName = '', Ebs }) => {
    const volume = byId.get(Ebs?.VolumeId ?? '');
    if (volume === undefined) return [];
    const dropped = Ebs?.DeleteOnTermination ?? false;
    return [
      {
        ...flat(aws, volume, options.tagged),
        device_name: DeviceName,
        delete_on_termination: dropped,
      },
    ];
  });
  const isRoot = ({ device_name }: { readonly device_name: string }): boolean =>
    device_name === instance.RootDeviceName;
  const [first] = Volumes;
  return {
    root: volumes.filter(isRoot).map(({ snapshot_id: _, ...volume }) => volume),
    others: volumes.filter((each) => !isRoot(each)),
    tags: aws.splitTags(tagsOf(first?.Tags), {}).tags,
  };
}

function flat(aws: RegionalAws, volume: Volume, tagged: boolean) {
  const { tags, tags_all } = aws.splitTags(tagsOf(volume.Tags), {});
  return {
    encrypted: volume.Encrypted ?? false,
    iops: volume.Iops ?? 0,
    kms_key_id: volume.KmsKeyId ?? '',
    snapshot_id: volume.SnapshotId ?? '',
    // Tags of all volumes together are not those of each.
    tags: tagged || Object.keys(tags).length === 0 ? null : tags,
    tags_all: tagged ? {} : tags_all,
    throughput: volume.Throughput ?? 0,
    volume_id: volume.VolumeId ?? '',
    volume_size: volume.Size ?? 0,
    volume_type: volume.VolumeType ?? '',
  };
}
