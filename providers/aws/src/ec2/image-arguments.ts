import type { Image } from '@aws-sdk/client-ec2';
import type { RegionalAws } from '../clients/aws.ts';

/** The arguments that the resource type and the data source of images both have. */
export interface ImageArguments {
  readonly architecture: string;
  readonly arn: string;
  readonly boot_mode: string;
  readonly deprecation_time: string;
  readonly description: string;
  readonly ena_support: boolean;
  readonly hypervisor: string;
  readonly image_location: string;
  readonly image_owner_alias: string;
  readonly image_type: string;
  readonly imds_support: string;
  readonly kernel_id: string;
  readonly last_launched_time: string;
  readonly name: string;
  readonly owner_id: string;
  readonly platform: string;
  readonly platform_details: string;
  readonly public: boolean;
  readonly ramdisk_id: string;
  readonly root_device_name: string;
  readonly root_snapshot_id: string;
  readonly sriov_net_support: string;
  readonly tpm_support: string;
  readonly usage_operation: string;
  readonly virtualization_type: string;
}

/** Returns the arguments of an image from its description. */
export function imageArguments(aws: RegionalAws, image: Image): ImageArguments {
  const id = image.ImageId ?? '';
  const root = image.BlockDeviceMappings?.find(
    ({ DeviceName }) => DeviceName === image.RootDeviceName,
  );
  return {
    architecture: image.Architecture ?? '',
    arn: `arn:${aws.partition.id}:ec2:${aws.region}::image/${id}`,
    boot_mode: image.BootMode ?? '',
    deprecation_time: image.DeprecationTime ?? '',
    description: image.Description ?? '',
    ena_support: image.EnaSupport ?? false,
    hypervisor: image.Hypervisor ?? '',
    image_location: image.ImageLocation ?? '',
    image_owner_alias: image.ImageOwnerAlias ?? '',
    image_type: image.ImageType ?? '',
    imds_support: image.ImdsSupport ?? '',
    kernel_id: image.KernelId ?? '',
    last_launched_time: image.LastLaunchedTime ?? '',
    name: image.Name ?? '',
    owner_id: image.OwnerId ?? '',
    platform: image.Platform ?? '',
    platform_details: image.PlatformDetails ?? '',
    public: image.Public ?? false,
    ramdisk_id: image.RamdiskId ?? '',
    root_device_name: image.RootDeviceName ?? '',
    root_snapshot_id: root?.Ebs?.SnapshotId ?? '',
    sriov_net_support: image.SriovNetSupport ?? '',
    tpm_support: image.TpmSupport ?? '',
    usage_operation: image.UsageOperation ?? '',
    virtualization_type: image.VirtualizationType ?? '',
  };
}
