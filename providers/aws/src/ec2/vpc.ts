import type { CreateVpcRequest, Vpc } from '@aws-sdk/client-ec2';
import { bool, int64, minutes, type Resource, string } from '@terrane/provider/sdk';
import type { Aws, RegionalAws } from '../clients/aws.ts';
import { again } from '../request/again.ts';
import { hasMessage } from '../request/aws-error.ts';
import { awsResource } from '../resource/aws-resource.ts';
import { arn, regional, tagged } from '../resource/common-attributes.ts';
import { omitUnset, only } from '../resource/only.ts';
import { PROPAGATION } from './consts.ts';
import { ec2Retag, tagSpecifications } from './tags.ts';
import { setVpcAttribute, vpcAttribute, vpcDefaults } from './vpc-attributes.ts';
import { associateIpv6, disassociateIpv6, ipv6Of } from './vpc-ipv6.ts';
import { conflicting, oneOf, requiring } from '../resource/validators.ts';
import { isNetworkOf } from '../resource/text-forms.ts';
import { vpcs } from './lists.ts';

/** `aws_vpc` */
export const vpc: Resource<Aws> = awsResource({
  type: 'EC2 VPC',
  identity: 'id',
  list: vpcs,
  notFound: ['InvalidVpcID.NotFound'],
  attributes: {
    ...regional,
    ...arn,
    ...tagged,
    assign_generated_ipv6_cidr_block: bool({ default: false, computed: false }),
    cidr_block: string({
      optional: true,
      computed: true,
      requiresReplace: true,
      validators: [isNetworkOf(16, 28)],
    }),
    default_network_acl_id: string({ computed: true }),
    default_route_table_id: string({ computed: true }),
    default_security_group_id: string({ computed: true }),
    dhcp_options_id: string({ computed: true }),
    enable_dns_hostnames: bool({ optional: true, computed: true }),
    enable_dns_support: bool({ default: true, computed: false }),
    enable_network_address_usage_metrics: bool({ optional: true, computed: true }),
    instance_tenancy: string({
      default: 'default',
      computed: false,
      validators: [oneOf('default', 'dedicated')],
      // The tenancy can change from dedicated to default, but not back.
      requiresReplace: ({ prior, planned }) => !(prior === 'dedicated' && planned === 'default'),
    }),
    ipv4_ipam_pool_id: string({ optional: true, requiresReplace: true }),
    ipv4_netmask_length: int64({ optional: true, requiresReplace: true }),
    ipv6_association_id: string({ computed: true }),
    ipv6_cidr_block: string({ optional: true, computed: true }),
    ipv6_cidr_block_network_border_group: string({ optional: true, computed: true }),
    ipv6_ipam_pool_id: string({ optional: true }),
    ipv6_netmask_length: int64({ optional: true }),
    main_route_table_id: string({ computed: true }),
    owner_id: string({ computed: true }),
  },
  validators: [
    conflicting('cidr_block', 'ipv4_netmask_length'),
    conflicting('ipv6_cidr_block', 'assign_generated_ipv6_cidr_block'),
    conflicting('ipv6_cidr_block', 'ipv6_netmask_length'),
    conflicting('ipv6_ipam_pool_id', 'assign_generated_ipv6_cidr_block'),
    requiring('ipv6_cidr_block', 'ipv6_ipam_pool_id'),
    requiring('ipv6_netmask_length', 'ipv6_ipam_pool_id'),
    requiring('ipv4_netmask_length', 'ipv4_ipam_pool_id'),
  ],

  async create({ aws, object, plan, tags }) {
    const request: CreateVpcRequest = {
      AmazonProvidedIpv6CidrBlock: plan.assign_generated_ipv6_cidr_block,
      InstanceTenancy: plan.instance_tenancy === 'dedicated' ? 'dedicated' : 'default',
      TagSpecifications: tagSpecifications('vpc', tags),
      ...omitUnset({
        CidrBlock: plan.cidr_block,
        Ipv4IpamPoolId: plan.ipv4_ipam_pool_id,
        Ipv4NetmaskLength: plan.ipv4_netmask_length,
        Ipv6CidrBlock: plan.ipv6_cidr_block,
        Ipv6CidrBlockNetworkBorderGroup: plan.ipv6_cidr_block_network_border_group,
        Ipv6IpamPoolId: plan.ipv6_ipam_pool_id,
        Ipv6NetmaskLength: plan.ipv6_netmask_length,
      }),
    };
    const call = () => aws.ec2.createVpc(request);
    // A new account or pool may not have propagated to IPAM yet.
    const { Vpc } = await object.operation('creating', call, {
      isRetryable: (error) => hasMessage(error, 'UnsupportedOperation', 'is not monitored by IPAM'),
      propagation: PROPAGATION,
    });
    return Vpc?.VpcId ?? '';
  },

  async created({ aws, object, plan, id }) {
    await object.waitFor('creation', {
      pending: ['pending'],
      target: ['available'],
      timeout: minutes(10),
      refresh: async () => {
        const result = await vpcById(aws, id);
        return { result, state: result.State ?? '' };
      },
    });
    if (plan.enable_dns_hostnames === true)
      await setVpcAttribute(aws, object, id, 'enableDnsHostnames', true);
    if (!plan.enable_dns_support) await setVpcAttribute(aws, object, id, 'enableDnsSupport', false);
    if (plan.enable_network_address_usage_metrics === true) {
      await setVpcAttribute(aws, object, id, 'enableNetworkAddressUsageMetrics', true);
    }
  },

  visibleWithin: PROPAGATION,
  find: ({ aws, id }) => vpcById(aws, id),

  async read(vpc, { aws, id, state }) {
    const ipv6 = ipv6Of(vpc, state);
    return {
      arn: aws.arn('ec2', `vpc/${id}`),
      cidr_block: vpc.CidrBlock,
      dhcp_options_id: vpc.DhcpOptionsId ?? '',
      instance_tenancy: vpc.InstanceTenancy,
      owner_id: vpc.OwnerId ?? '',
      tags: vpc.Tags ?? [],
      enable_dns_hostnames: await vpcAttribute(aws, id, 'enableDnsHostnames'),
      enable_dns_support: await vpcAttribute(aws, id, 'enableDnsSupport'),
      enable_network_address_usage_metrics: await vpcAttribute(
        aws,
        id,
        'enableNetworkAddressUsageMetrics',
      ),
      ...(await vpcDefaults(aws, id)),
      ...ipv6,
    };
  },

  async update({ aws, object, plan, state, changed, id }) {
    // Names of machines need the service that resolves them.
    const hostnames = async (): Promise<void> => {
      if (!changed('enable_dns_hostnames')) return;
      await setVpcAttribute(
        aws,
        object,
        id,
        'enableDnsHostnames',
        plan.enable_dns_hostnames === true,
      );
    };
    if (plan.enable_dns_hostnames !== true) await hostnames();
    if (changed('enable_dns_support')) {
      await setVpcAttribute(aws, object, id, 'enableDnsSupport', plan.enable_dns_support);
    }
    if (plan.enable_dns_hostnames === true) await hostnames();
    if (changed('enable_network_address_usage_metrics')) {
      const on = plan.enable_network_address_usage_metrics === true;
      await setVpcAttribute(aws, object, id, 'enableNetworkAddressUsageMetrics', on);
    }
    if (changed('instance_tenancy')) {
      await aws.ec2.modifyVpcTenancy({ VpcId: id, InstanceTenancy: 'default' });
    }
    const ipv6 = [
      'assign_generated_ipv6_cidr_block',
      'ipv6_cidr_block',
      'ipv6_cidr_block_network_border_group',
      'ipv6_ipam_pool_id',
      'ipv6_netmask_length',
    ] as const;
    if (!changed(...ipv6)) return;
    if (state.ipv6_association_id !== '') {
      await disassociateIpv6(aws, object, id, state.ipv6_association_id);
    }
    await associateIpv6(aws, object, id, plan);
  },

  retag: ec2Retag,

  async delete({ aws, object, id }) {
    // Its content may not have been removed everywhere in EC2.
    await object.operation(
      'deleting',
      () => aws.ec2.deleteVpc({ VpcId: id }),
      again(['DependencyViolation'], PROPAGATION),
    );
    await object.waitForDeletion({
      pending: ['available', 'pending'],
      refresh: async () => {
        const result = await vpcById(aws, id);
        return { result, state: result.State ?? '' };
      },
    });
  },
});

/** Returns the VPC with an ID; throws a `NotFoundError` or an EC2 error if there is none. */
export async function vpcById(aws: RegionalAws, id: string): Promise<Vpc> {
  const { Vpcs } = await aws.ec2.describeVpcs({ VpcIds: [id] });
  return only(Vpcs);
}
