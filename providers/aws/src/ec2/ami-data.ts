import type { EbsBlockDevice, Image } from '@aws-sdk/client-ec2';
import {
  bool,
  type DataSource,
  list,
  map,
  nullable,
  object,
  ProviderError,
  set,
  string,
  timeoutsBlock,
} from '@terrane/provider/sdk';
import type { Aws } from '../clients/aws.ts';
import { dataSource } from '../resource/aws-data.ts';
import { pages } from '../resource/only.ts';
import { tagsOf } from '../tags/tags.ts';
import { filterBlock, filtersOf } from './filters.ts';
import { imageArguments } from './image-arguments.ts';

/** `aws_ami` (data source) */
export const amiData: DataSource<Aws> = dataSource({
  attributes: {
    allow_unsafe_filter: bool({ optional: true }),
    architecture: string({ computed: true }),
    arn: string({ computed: true }),
    block_device_mappings: set(
      object({
        device_name: string,
        ebs: map(string),
        no_device: string,
        virtual_name: string,
      }),
      { computed: true },
    ),
    boot_mode: string({ computed: true }),
    creation_date: string({ computed: true }),
    deprecation_time: string({ computed: true }),
    description: string({ computed: true }),
    ena_support: bool({ computed: true }),
    executable_users: list(string, { optional: true }),
    hypervisor: string({ computed: true }),
    id: string({ optional: true, computed: true }),
    image_id: string({ computed: true }),
    image_location: string({ computed: true }),
    image_owner_alias: string({ computed: true }),
    image_type: string({ computed: true }),
    imds_support: string({ computed: true }),
    include_deprecated: bool({ optional: true }),
    kernel_id: string({ computed: true }),
    last_launched_time: string({ computed: true }),
    most_recent: bool({ optional: true }),
    name: string({ computed: true }),
    name_regex: string({ optional: true, validators: [regularExpression] }),
    owner_id: string({ computed: true }),
    owners: list(string, { optional: true }),
    platform: string({ computed: true }),
    platform_details: string({ computed: true }),
    product_codes: set(
      object({ product_code_id: nullable(string), product_code_type: nullable(string) }),
      { computed: true },
    ),
    public: bool({ computed: true }),
    ramdisk_id: string({ computed: true }),
    region: string({ optional: true, computed: true }),
    root_device_name: string({ computed: true }),
    root_device_type: string({ computed: true }),
    root_snapshot_id: string({ computed: true }),
    sriov_net_support: string({ computed: true }),
    state: string({ computed: true }),
    state_reason: map(string, { computed: true }),
    tags: map(string, { optional: true, computed: true }),
    tpm_support: string({ computed: true }),
    uefi_data: string({ optional: true }),
    usage_operation: string({ computed: true }),
    virtualization_type: string({ computed: true }),
  },
  blocks: { filter: filterBlock, timeouts: timeoutsBlock({ read: '20m' }) },
  async read({ config, client, signal, warn }) {
    const aws = client.in(config.region, signal);
    if (config.most_recent === true && config.owners === null && !namesOwner(config.filter)) {
      const detail =
        'most_recent is true and there are no owners and no filter of owners or of an image id: an image of somebody else may be chosen. Name owners, or set allow_unsafe_filter = true.';
      if (config.allow_unsafe_filter !== true) {
        throw new ProviderError('Most Recent Image Not Filtered', detail);
      }
      warn('Most Recent Image Not Filtered', detail);
    }
    const all = await pages(
      (NextToken) =>
        aws.ec2.describeImages({
          NextToken,
          Filters: filtersOf({}, null, config.filter),
          ...(config.include_deprecated === true && { IncludeDeprecated: true }),
          ...(config.executable_users && { ExecutableUsers: [...config.executable_users] }),
          ...(config.owners && { Owners: [...config.owners] }),
        }),
      ({ Images }) => Images,
    );
    const image = matchingImage(all, config);
    const id = image.ImageId ?? '';
    return {
      ...config,
      include_deprecated: config.include_deprecated ?? false,
      most_recent: config.most_recent ?? false,
      ...imageArguments(aws, image),
      id,
      image_id: id,
      region: aws.region,
      creation_date: image.CreationDate ?? '',
      root_device_type: image.RootDeviceType ?? '',
      state: image.State ?? '',
      state_reason: {
        code: image.StateReason?.Code ?? 'UNSET',
        message: image.StateReason?.Message ?? 'UNSET',
      },
      product_codes: (image.ProductCodes ?? []).map((code) => ({
        product_code_id: code.ProductCodeId ?? null,
        product_code_type: code.ProductCodeType ?? null,
      })),
      block_device_mappings: deviceMappings(image),
      tags: aws.splitTags(tagsOf(image.Tags), {}).tags_all,
    };
  },
});

/** Reports whether filters restrict the images to those of certain owners, or to one image. */
function namesOwner(filters: readonly { readonly name: string }[]): boolean {
  return filters.some(({ name }) => ['owner-id', 'owner-alias', 'image-id'].includes(name));
}

/** Returns the image with the requested name. @throws ProviderError without one, or for several unless the latest is requested */
function matchingImage(
  images: readonly Image[],
  config: { readonly name_regex: string | null; readonly most_recent: boolean | null },
): Image {
  const pattern = config.name_regex === null ? undefined : new RegExp(config.name_regex);
  const matching = images.filter(({ Name = '' }) => pattern?.test(Name) !== false);
  if (matching.length > 1 && config.most_recent !== true) {
    throw new ProviderError(
      'Your query returned more than one result. Please try a more specific search criteria, or set `most_recent` attribute to true.',
    );
  }
  const created = ({ CreationDate = '' }: Image): string => CreationDate;
  const [image] = matching.toSorted((a, b) => (created(a) < created(b) ? 1 : -1));
  if (image === undefined) {
    throw new ProviderError(
      'Your query returned no results. Please change your search criteria and try again.',
    );
  }
  return image;
}

function deviceMappings({ BlockDeviceMappings = [] }: Image) {
  return BlockDeviceMappings.map(({ DeviceName = '', NoDevice = '', VirtualName = '', Ebs }) => ({
    device_name: DeviceName,
    no_device: NoDevice,
    virtual_name: VirtualName,
    ebs: Ebs === undefined ? {} : diskArguments(Ebs),
  }));
}

function diskArguments(disk: EbsBlockDevice): Readonly<Record<string, string>> {
  return {
    delete_on_termination: String(disk.DeleteOnTermination ?? false),
    encrypted: String(disk.Encrypted ?? false),
    iops: String(disk.Iops ?? 0),
    throughput: String(disk.Throughput ?? 0),
    volume_size: String(disk.VolumeSize ?? 0),
    snapshot_id: disk.SnapshotId ?? '',
    volume_type: disk.VolumeType ?? '',
    volume_initialization_rate: String(disk.VolumeInitializationRate ?? 0),
  };
}

function regularExpression(text: string): string | undefined {
  try {
    new RegExp(text);
    return undefined;
  } catch {
    return 'must be a regular expression';
  }
}
