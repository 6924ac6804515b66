// The objects of each resource type that queries find.
import { type List, listing, nameTagged } from '../resource/listing.ts';

export const vpcs: List = listing(
  (aws, NextToken) =>
    aws.ec2.describeVpcs({ Filters: [{ Name: 'is-default', Values: ['false'] }], NextToken }),
  ({ Vpcs }) => Vpcs,
  ({ VpcId, Tags }) => nameTagged(VpcId, Tags),
);

export const subnets: List = listing(
  (aws, NextToken) =>
    aws.ec2.describeSubnets({
      Filters: [{ Name: 'default-for-az', Values: ['false'] }],
      NextToken,
    }),
  ({ Subnets }) => Subnets,
  ({ SubnetId, Tags }) => nameTagged(SubnetId, Tags),
);

export const securityGroups: List = listing(
  (aws, NextToken) => aws.ec2.describeSecurityGroups({ NextToken }),
  ({ SecurityGroups }) => SecurityGroups,
  ({ GroupId, GroupName, Tags }) =>
    GroupName === 'default' || GroupId === undefined
      ? undefined
      : { id: GroupId, name: nameTagged(GroupId, Tags)?.name ?? GroupName },
);

export const routeTables: List = listing(
  (aws, NextToken) => aws.ec2.describeRouteTables({ NextToken }),
  ({ RouteTables }) => RouteTables,
  ({ RouteTableId, Associations = [], Tags }) =>
    Associations.some(({ Main }) => Main === true) ? undefined : nameTagged(RouteTableId, Tags),
);

export const instances: List = listing(
  (aws, NextToken) =>
    aws.ec2.describeInstances({
      Filters: [
        { Name: 'instance-state-name', Values: ['pending', 'running', 'stopping', 'stopped'] },
      ],
      NextToken,
    }),
  ({ Reservations }) => Reservations?.flatMap(({ Instances = [] }) => Instances),
  ({ InstanceId, Tags }) => nameTagged(InstanceId, Tags),
);
