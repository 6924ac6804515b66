import { bool, type DataSource, list, set, string, timeoutsBlock } from '@terrane/provider/sdk';
import type { Aws } from '../clients/aws.ts';
import { dataSource } from '../resource/aws-data.ts';
import { filterBlock, filtersOf } from './filters.ts';

/** `aws_availability_zones` */
export const availabilityZones: DataSource<Aws> = dataSource({
  attributes: {
    all_availability_zones: bool({ optional: true }),
    exclude_names: set(string, { optional: true }),
    exclude_zone_ids: set(string, { optional: true }),
    group_names: set(string, { computed: true }),
    id: string({ optional: true, computed: true }),
    names: list(string, { computed: true }),
    region: string({ optional: true, computed: true }),
    state: string({ optional: true }),
    zone_ids: list(string, { computed: true }),
  },
  blocks: { filter: filterBlock, timeouts: timeoutsBlock({ read: '20m' }) },
  async read({ config, client, signal }) {
    const aws = client.in(config.region, signal);
    const { AvailabilityZones = [] } = await aws.ec2.describeAvailabilityZones({
      ...(config.all_availability_zones !== null && {
        AllAvailabilityZones: config.all_availability_zones,
      }),
      Filters: filtersOf({ state: config.state }, null, config.filter),
    });
    const zones = AvailabilityZones.filter(
      ({ ZoneName = '', ZoneId = '' }) =>
        config.exclude_names?.includes(ZoneName) !== true &&
        config.exclude_zone_ids?.includes(ZoneId) !== true,
    ).toSorted((a, b) => ((a.ZoneName ?? '') < (b.ZoneName ?? '') ? -1 : 1));
    const texts = (values: readonly (string | undefined)[]): string[] =>
      values.filter((value): value is string => value !== undefined);
    return {
      ...config,
      id: aws.region,
      region: aws.region,
      group_names: [...new Set(texts(zones.map(({ GroupName }) => GroupName)))],
      names: texts(zones.map(({ ZoneName }) => ZoneName)),
      zone_ids: texts(zones.map(({ ZoneId }) => ZoneId)),
    };
  },
});
