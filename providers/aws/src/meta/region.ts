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
    const { endpoint } = config;
    const named = config.region ?? config.name;
    const at = endpoint === null ? undefined : regionAt(endpoint);
    if (at !== undefined && named !== null && REGION_PLACES.has(named) && at !== named) {
      throw new ProviderError(
        'multiple Regions matched',
        'use additional constraints to reduce matches to a single Region',
      );
    }
    const regionName = named ?? at ?? client.region;
    const place = REGION_PLACES.get(regionName);
    if (place === undefined) {
      throw new ProviderError(`finding Region by name (${regionName})`, "couldn't find resource");
    }
    return {
      id: regionName,
      name: regionName,
      region: regionName,
      description: place,
      endpoint: endpointOf(regionName),
    };
  },
});

/** The region that has this endpoint of EC2. */
function regionAt(endpoint: string): string {
  const region = /^ec2\.([a-z0-9-]+)\./.exec(endpoint)?.[1] ?? '';
  if (REGION_PLACES.has(region) && endpoint === endpointOf(region)) return region;
  throw new ProviderError(`finding Region by endpoint (${endpoint})`, "couldn't find resource");
}

function endpointOf(region: string): string {
  return `ec2.${region}.${partitionOf(region).dnsSuffix}`;
}
