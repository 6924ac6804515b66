import { type DataSource, list, map, string, timeoutsBlock } from '@terrane/provider/sdk';
import type { Aws } from '../clients/aws.ts';
import { dataSource } from '../resource/aws-data.ts';
import { pages } from '../resource/only.ts';
import { filterBlock, filtersOf } from './filters.ts';

/** `aws_subnets` */
export const subnets: DataSource<Aws> = dataSource({
  attributes: {
    id: string({ optional: true, computed: true }),
    ids: list(string, { computed: true }),
    region: string({ optional: true, computed: true }),
    tags: map(string, { optional: true, computed: true }),
  },
  blocks: { filter: filterBlock, timeouts: timeoutsBlock({ read: '20m' }) },
  async read({ config, client, signal }) {
    const aws = client.in(config.region, signal);
    const Filters = filtersOf({}, config.tags, config.filter);
    const subnets = await pages(
      (NextToken) => aws.ec2.describeSubnets({ Filters, NextToken }),
      ({ Subnets }) => Subnets,
    );
    return {
      ...config,
      id: aws.region,
      region: aws.region,
      ids: subnets.map(({ SubnetId = '' }) => SubnetId),
      tags: config.tags ?? {},
    };
  },
});
