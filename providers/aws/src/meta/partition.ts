import { type DataSource, string } from '@terrane/provider/sdk';
import type { Aws } from '../clients/aws.ts';
import { partitionOf } from '../clients/partitions.ts';
import { dataSource } from '../resource/aws-data.ts';

/** `aws_partition` */
export const partition: DataSource<Aws> = dataSource({
  attributes: {
    dns_suffix: string({ computed: true }),
    id: string({ optional: true, computed: true }),
    partition: string({ computed: true }),
    reverse_dns_prefix: string({ computed: true }),
  },
  read({ client }) {
    const { id, dnsSuffix, reverseDnsPrefix } = partitionOf(client.region);
    return { id, partition: id, dns_suffix: dnsSuffix, reverse_dns_prefix: reverseDnsPrefix };
  },
});
