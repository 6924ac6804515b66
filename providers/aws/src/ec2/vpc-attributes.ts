import type { VpcAttributeName } from '@aws-sdk/client-ec2';
import type { RemoteObject } from '@terrane/provider/sdk';
import type { RegionalAws } from '../clients/aws.ts';
import { hasCode } from '../request/aws-error.ts';
import { ATTRIBUTE_WAIT } from './consts.ts';
import { filtersOf } from './filters.ts';

/** Returns an attribute of a VPC. Servers and regions that do not know the attribute report false. */
export async function vpcAttribute(
  aws: RegionalAws,
  id: string,
  name: VpcAttributeName,
): Promise<boolean> {
  try {
    const answer = await aws.ec2.describeVpcAttribute({ VpcId: id, Attribute: name });
    const { EnableDnsHostnames, EnableDnsSupport, EnableNetworkAddressUsageMetrics } = answer;
    switch (name) {
      case 'enableDnsHostnames':
        return EnableDnsHostnames?.Value ?? false;
      case 'enableDnsSupport':
        return EnableDnsSupport?.Value ?? false;
      case 'enableNetworkAddressUsageMetrics':
        return EnableNetworkAddressUsageMetrics?.Value ?? false;
    }
  } catch (error) {
    if (hasCode(error, 'InvalidParameterValue')) return false;
    throw error;
  }
}

/** Enables or disables an attribute of a VPC, and waits until EC2 reports it. */
export async function setVpcAttribute(
  aws: RegionalAws,
  vpc: RemoteObject,
  id: string,
  name: VpcAttributeName,
  on: boolean,
): Promise<void> {
  const Value = { Value: on };
  const member = {
    enableDnsHostnames: { EnableDnsHostnames: Value },
    enableDnsSupport: { EnableDnsSupport: Value },
    enableNetworkAddressUsageMetrics: { EnableNetworkAddressUsageMetrics: Value },
  };
  await vpc.operation(`updating ${name} of`, () =>
    aws.ec2.modifyVpcAttribute({ VpcId: id, ...member[name] }),
  );
  await vpc.waitForValue(name, {
    read: async () => ({ on: await vpcAttribute(aws, id, name) }),
    value: (attribute) => attribute.on,
    expected: on,
    ...ATTRIBUTE_WAIT,
  });
}

/** Returns the ids of the objects that every VPC is created with. */
export async function vpcDefaults(
  aws: RegionalAws,
  id: string,
): Promise<{
  readonly default_network_acl_id: string;
  readonly default_route_table_id: string;
  readonly default_security_group_id: string;
  readonly main_route_table_id: string;
}> {
  const [acls, groups, tables] = await Promise.all([
    aws.ec2.describeNetworkAcls({ Filters: filtersOf({ default: true, 'vpc-id': id }) }),
    aws.ec2.describeSecurityGroups({
      Filters: filtersOf({ 'group-name': 'default', 'vpc-id': id }),
    }),
    aws.ec2.describeRouteTables({
      Filters: filtersOf({ 'association.main': true, 'vpc-id': id }),
    }),
  ]);
  const main = tables.RouteTables?.[0]?.RouteTableId ?? '';
  return {
    default_network_acl_id: acls.NetworkAcls?.[0]?.NetworkAclId ?? '',
    default_route_table_id: main,
    default_security_group_id: groups.SecurityGroups?.[0]?.GroupId ?? '',
    main_route_table_id: main,
  };
}
