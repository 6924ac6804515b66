import {
  bool,
  type DataSource,
  int64,
  map,
  ProviderError,
  string,
  timeoutsBlock,
} from '@terrane/provider/sdk';
import type { Aws } from '../clients/aws.ts';
import { dataSource } from '../resource/aws-data.ts';
import { pages } from '../resource/only.ts';
import { tagsOf } from '../tags/tags.ts';
import { filterBlock, filtersOf } from './filters.ts';

/** `aws_ebs_volume` (data source) */
export const ebsVolumeData: DataSource<Aws> = dataSource({
  attributes: {
    arn: string({ computed: true }),
    availability_zone: string({ computed: true }),
    create_time: string({ computed: true }),
    encrypted: bool({ computed: true }),
    id: string({ optional: true, computed: true }),
    iops: int64({ computed: true }),
    kms_key_id: string({ computed: true }),
    most_recent: bool({ optional: true }),
    multi_attach_enabled: bool({ computed: true }),
    outpost_arn: string({ computed: true }),
    region: string({ optional: true, computed: true }),
    size: int64({ computed: true }),
    snapshot_id: string({ computed: true }),
    tags: map(string, { optional: true, computed: true }),
    throughput: int64({ computed: true }),
    volume_id: string({ computed: true }),
    volume_initialization_rate: int64({ computed: true }),
    volume_type: string({ computed: true }),
  },
  blocks: { filter: filterBlock, timeouts: timeoutsBlock({ read: '20m' }) },
  async read({ config, client, signal }) {
    const aws = client.in(config.region, signal);
    // Tags are returned, but do not filter.
    const Filters = filtersOf({}, null, config.filter);
    const all = await pages(
      (NextToken) => aws.ec2.describeVolumes({ Filters, NextToken }),
      ({ Volumes }) => Volumes,
    );
    if (all.length > 1 && config.most_recent !== true) {
      throw new ProviderError(
        'Your query returned more than one result. Please try a more specific search criteria, or set `most_recent` attribute to true.',
      );
    }
    const time = (date: Date | undefined): number => date?.getTime() ?? 0;
    const [newest] = all.toSorted((a, b) => time(b.CreateTime) - time(a.CreateTime));
    if (newest === undefined) {
      throw new ProviderError(
        'Your query returned no results. Please change your search criteria and try again.',
      );
    }
    const id = newest.VolumeId ?? '';
    return {
      ...config,
      most_recent: config.most_recent ?? false,
      arn: aws.arn('ec2', `volume/${id}`),
      availability_zone: newest.AvailabilityZone ?? '',
      create_time: newest.CreateTime?.toISOString().replace('.000Z', 'Z') ?? '',
      encrypted: newest.Encrypted ?? false,
      id,
      iops: newest.Iops ?? 0,
      kms_key_id: newest.KmsKeyId ?? '',
      multi_attach_enabled: newest.MultiAttachEnabled ?? false,
      outpost_arn: newest.OutpostArn ?? '',
      region: aws.region,
      size: newest.Size ?? 0,
      snapshot_id: newest.SnapshotId ?? '',
      tags: aws.splitTags(tagsOf(newest.Tags), {}).tags_all,
      throughput: newest.Throughput ?? 0,
      volume_id: id,
      volume_initialization_rate: newest.VolumeInitializationRate ?? 0,
      volume_type: newest.VolumeType ?? '',
    };
  },
});
