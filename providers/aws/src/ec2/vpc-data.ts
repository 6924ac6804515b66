import type { Vpc } from '@aws-sdk/client-ec2';
import {
  bool,
  type DataSource,
  list,
  map,
  object,
  ProviderError,
  string,
  timeoutsBlock,
} from '@terrane/provider/sdk';
import type { Aws, RegionalAws } from '../clients/aws.ts';
import { unless } from '../request/again.ts';
import { dataSource } from '../resource/aws-data.ts';
import { pages } from '../resource/only.ts';
import { type Tags, tagsOf } from '../tags/tags.ts';
import { filterBlock, filtersOf } from './filters.ts';
import { vpcAttribute, vpcDefaults } from './vpc-attributes.ts';

/** `aws_vpc` (data source) */
export const vpcData: DataSource<Aws> = dataSource({
  attributes: {
    arn: string({ computed: true }),
    cidr_block: string({ optional: true, computed: true }),
    cidr_block_associations: list(
      object({ association_id: string, cidr_block: string, state: string }),
      { computed: true },
    ),
    default: bool({ optional: true, computed: true }),
    dhcp_options_id: string({ optional: true, computed: true }),
    enable_dns_hostnames: bool({ computed: true }),
    enable_dns_support: bool({ computed: true }),
    enable_network_address_usage_metrics: bool({ computed: true }),
    id: string({ optional: true, computed: true }),
    instance_tenancy: string({ computed: true }),
    ipv6_association_id: string({ computed: true }),
    ipv6_cidr_block: string({ computed: true }),
    main_route_table_id: string({ computed: true }),
    owner_id: string({ computed: true }),
    region: string({ optional: true, computed: true }),
    state: string({ optional: true, computed: true, nullable: true }),
    tags: map(string, { optional: true, computed: true }),
  },
  blocks: { filter: filterBlock, timeouts: timeoutsBlock({ read: '20m' }) },
  async read({ config, client, signal }) {
    const aws = client.in(config.region, signal);
    const vpc = await matchingVpc(aws, config);
    const id = vpc.VpcId ?? '';
    const ipv6 = vpc.Ipv6CidrBlockAssociationSet?.[0];
    const { main_route_table_id } = await vpcDefaults(aws, id);
    return {
      ...config,
      arn: aws.arn('ec2', `vpc/${id}`, aws.region, vpc.OwnerId),
      cidr_block: vpc.CidrBlock ?? '',
      cidr_block_associations: (vpc.CidrBlockAssociationSet ?? []).map((each) => ({
        association_id: each.AssociationId ?? '',
        cidr_block: each.CidrBlock ?? '',
        state: each.CidrBlockState?.State ?? '',
      })),
      default: vpc.IsDefault ?? false,
      dhcp_options_id: vpc.DhcpOptionsId ?? '',
      enable_dns_hostnames: await vpcAttribute(aws, id, 'enableDnsHostnames'),
      enable_dns_support: await vpcAttribute(aws, id, 'enableDnsSupport'),
      enable_network_address_usage_metrics: await vpcAttribute(
        aws,
        id,
        'enableNetworkAddressUsageMetrics',
      ),
      id,
      instance_tenancy: vpc.InstanceTenancy ?? '',
      ipv6_association_id: ipv6?.AssociationId ?? '',
      ipv6_cidr_block: ipv6?.Ipv6CidrBlock ?? '',
      main_route_table_id,
      owner_id: vpc.OwnerId ?? aws.accountId,
      region: aws.region,
      tags: aws.splitTags(tagsOf(vpc.Tags), {}).tags_all,
    };
  },
});

interface VpcSelection {
  readonly tags: Tags | null;
  readonly filter: Parameters<typeof filtersOf>[2];
  readonly id: string | null;
  readonly cidr_block: string | null;
  readonly dhcp_options_id: string | null;
  readonly default: boolean | null;
  readonly state: string | null;
}

/** Returns the one VPC that matches all arguments. @throws ProviderError for none and for several */
async function matchingVpc(aws: RegionalAws, config: VpcSelection): Promise<Vpc> {
  const Filters = filtersOf(
    {
      cidr: config.cidr_block,
      'dhcp-options-id': config.dhcp_options_id,
      // False does not select a non-default VPC: it counts as unset.
      isDefault: config.default === true ? true : null,
      state: config.state,
    },
    config.tags,
    config.filter,
  );
  const all = await unless(
    () =>
      pages(
        (NextToken) =>
          aws.ec2.describeVpcs({
            NextToken,
            ...(config.id !== null && { VpcIds: [config.id] }),
            Filters,
          }),
        ({ Vpcs }) => Vpcs,
      ),
    'InvalidVpcID.NotFound',
  );
  const [vpc, ...others] = all ?? [];
  if (vpc === undefined) throw new ProviderError('no matching EC2 VPC found');
  if (others.length > 0) {
    throw new ProviderError(
      'multiple EC2 VPCs matched; use additional constraints to reduce matches to a single EC2 VPC',
    );
  }
  return vpc;
}
