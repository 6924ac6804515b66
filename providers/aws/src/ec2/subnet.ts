import type { Subnet } from '@aws-sdk/client-ec2';
import { bool, int64, minutes, type Resource, string, timeoutsBlock } from '@terrane/provider/sdk';
import type { Aws, RegionalAws } from '../clients/aws.ts';
import { again } from '../request/again.ts';
import { awsResource } from '../resource/aws-resource.ts';
import { arn, regional, tagged } from '../resource/common-attributes.ts';
import { omitUnset, only } from '../resource/only.ts';
import { PROPAGATION } from './consts.ts';
import { deleteLingeringInterfaces } from './lingering-interfaces.ts';
import { newSubnetIpv6, setSubnetAttributes, setSubnetIpv6 } from './subnet-attributes.ts';
import { ec2Retag, tagSpecifications } from './tags.ts';
import { isIpv4Network } from '../resource/text-forms.ts';
import { conflicting, oneOf } from '../resource/validators.ts';
import { subnets } from './lists.ts';

/** `aws_subnet` */
export const subnet: Resource<Aws> = awsResource({
  type: 'EC2 Subnet',
  identity: 'id',
  list: subnets,
  notFound: ['InvalidSubnetID.NotFound'],
  attributes: {
    ...regional,
    ...arn,
    ...tagged,
    assign_ipv6_address_on_creation: bool({ default: false, computed: false }),
    availability_zone: string({ optional: true, computed: true, requiresReplace: true }),
    availability_zone_id: string({ optional: true, computed: true, requiresReplace: true }),
    cidr_block: string({ optional: true, requiresReplace: true, validators: [isIpv4Network] }),
    customer_owned_ipv4_pool: string({ optional: true }),
    enable_dns64: bool({ default: false, computed: false }),
    enable_lni_at_device_index: int64({ optional: true }),
    enable_resource_name_dns_a_record_on_launch: bool({ default: false, computed: false }),
    enable_resource_name_dns_aaaa_record_on_launch: bool({ default: false, computed: false }),
    ipv6_cidr_block: string({ optional: true }),
    ipv6_cidr_block_association_id: string({ computed: true }),
    ipv6_native: bool({ default: false, computed: false, requiresReplace: true }),
    map_customer_owned_ip_on_launch: bool({ optional: true }),
    map_public_ip_on_launch: bool({ default: false, computed: false }),
    outpost_arn: string({ optional: true, requiresReplace: true }),
    owner_id: string({ computed: true }),
    private_dns_hostname_type_on_launch: string({
      optional: true,
      computed: true,
      validators: [oneOf('ip-name', 'resource-name')],
    }),
    vpc_id: string({ required: true, requiresReplace: true }),
  },
  blocks: { timeouts: timeoutsBlock({ create: '10m', delete: '20m' }) },
  validators: [conflicting('availability_zone', 'availability_zone_id')],

  async create({ aws, object, plan, tags }) {
    const request = {
      VpcId: plan.vpc_id,
      TagSpecifications: tagSpecifications('subnet', tags),
      ...omitUnset({
        AvailabilityZone: plan.availability_zone,
        AvailabilityZoneId: plan.availability_zone_id,
        CidrBlock: plan.cidr_block,
        Ipv6CidrBlock: plan.ipv6_cidr_block,
        OutpostArn: plan.outpost_arn,
      }),
      ...(plan.ipv6_native && { Ipv6Native: true }),
    };
    const call = () => aws.ec2.createSubnet(request);
    // A VPC that was created a moment ago may not be known everywhere in EC2.
    const newVpc = again(['InvalidVpcID.NotFound'], PROPAGATION);
    const { Subnet } = await object.operation('creating', call, newVpc);
    return Subnet?.SubnetId ?? '';
  },

  async created({ aws, object, plan, id, timeout }) {
    const newSubnet = await object.waitFor('creation', {
      pending: ['pending'],
      target: ['available'],
      timeout,
      refresh: async () => {
        const result = await subnetById(aws, id);
        return { result, state: result.State ?? '' };
      },
    });
    await newSubnetIpv6(aws, object, id, newSubnet);
    await setSubnetAttributes(aws, object, id, plan, undefined);
  },

  visibleWithin: PROPAGATION,
  find: ({ aws, id }) => subnetById(aws, id),

  read(subnet, { aws, id }) {
    const ipv6 = subnet.Ipv6CidrBlockAssociationSet?.find(
      ({ Ipv6CidrBlockState }) => Ipv6CidrBlockState?.State === 'associated',
    );
    const names = subnet.PrivateDnsNameOptionsOnLaunch;
    return {
      arn: subnet.SubnetArn ?? aws.arn('ec2', `subnet/${id}`),
      assign_ipv6_address_on_creation: subnet.AssignIpv6AddressOnCreation ?? false,
      availability_zone: subnet.AvailabilityZone ?? '',
      availability_zone_id: subnet.AvailabilityZoneId ?? '',
      cidr_block: subnet.CidrBlock,
      customer_owned_ipv4_pool: subnet.CustomerOwnedIpv4Pool,
      enable_dns64: subnet.EnableDns64 ?? false,
      enable_lni_at_device_index: subnet.EnableLniAtDeviceIndex,
      enable_resource_name_dns_a_record_on_launch: names?.EnableResourceNameDnsARecord ?? false,
      enable_resource_name_dns_aaaa_record_on_launch:
        names?.EnableResourceNameDnsAAAARecord ?? false,
      ipv6_cidr_block: ipv6?.Ipv6CidrBlock,
      ipv6_cidr_block_association_id: ipv6?.AssociationId ?? '',
      ipv6_native: subnet.Ipv6Native ?? false,
      map_customer_owned_ip_on_launch: subnet.MapCustomerOwnedIpOnLaunch,
      map_public_ip_on_launch: subnet.MapPublicIpOnLaunch ?? false,
      outpost_arn: subnet.OutpostArn,
      owner_id: subnet.OwnerId ?? '',
      private_dns_hostname_type_on_launch: names?.HostnameType ?? '',
      tags: subnet.Tags ?? [],
      vpc_id: subnet.VpcId,
    };
  },

  async update({ aws, object, plan, state, changed, id }) {
    // An IPv6 network must be removed after its dependents, and added before them.
    if (changed('ipv6_cidr_block')) {
      if (!plan.assign_ipv6_address_on_creation && state.assign_ipv6_address_on_creation) {
        await setSubnetAttributes(
          aws,
          object,
          id,
          { ...state, assign_ipv6_address_on_creation: false },
          state,
        );
      }
      const before = state.ipv6_cidr_block_association_id;
      await setSubnetIpv6(aws, object, id, before, plan.ipv6_cidr_block);
    }
    await setSubnetAttributes(aws, object, id, plan, state);
  },

  retag: ec2Retag,

  async delete({ aws, object, id, timeout }) {
    await deleteLingeringInterfaces(aws, object, { 'subnet-id': id }, timeout);
    // Other interfaces may remain for a while.
    await object.operation(
      'deleting',
      () => aws.ec2.deleteSubnet({ SubnetId: id }),
      again(['DependencyViolation'], timeout),
    );
    await object.waitForDeletion({
      pending: ['available', 'pending'],
      timeout: minutes(10),
      refresh: async () => {
        const result = await subnetById(aws, id);
        return { result, state: result.State ?? '' };
      },
    });
  },
});

async function subnetById(aws: RegionalAws, id: string): Promise<Subnet> {
  const { Subnets } = await aws.ec2.describeSubnets({ SubnetIds: [id] });
  return only(Subnets);
}
