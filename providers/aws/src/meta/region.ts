import { REGION_PLACES } from '@terrane/aws-access';
import { type DataSource, ProviderError, string } from '@terrane/provider/sdk';
import type { Aws } from '../clients/aws.ts';
import { partitionOf } from '../clients/partitions.ts';
import { dataSource } from '../resource/aws-data.ts';

/** `aws_region` */
export const region: DataSource<Aws> = dataSource({
  attributes: {
    description: string({ computed: true }),
    endpoint: string({ optional: true, computed: true }),
    id: string({ optional: true, computed: true }),
    name: string({
      optional: true,
      computed: true,
      deprecationMessage: 'name is deprecated. Use region instead.',
    }),
    region: string({ optional: true, computed: true }),
  },
  read({ config, client }) {
    const byEndpoint = /^ec2\.([a-z0-9-]+)\./.exec(config.endpoint ?? '')?.[1];
    const asked = config.region ?? config.name ?? byEndpoint ?? client.region;
    const place = REGION_PLACES.get(asked);
    if (config.endpoint !== null && byEndpoint === undefined) {
      throw new ProviderError(
        'No matching region',
        `region not found for endpoint "${config.endpoint}"`,
      );
    }
    if (place === undefined) {
      throw new ProviderError('No matching region', `region not found for name "${asked}"`);
    }
    return {
      id: asked,
      name: asked,
      region: asked,
      description: place,
      endpoint: `ec2.${asked}.${partitionOf(asked).dnsSuffix}`,
    };
  },
});
