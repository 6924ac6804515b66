import type { Service } from '../resource/service.ts';
import { ami } from './ami.ts';
import { amiData } from './ami-data.ts';
import { availabilityZones } from './availability-zones-data.ts';
import { ebsVolumeData } from './ebs-volume-data.ts';
import { ebsVolume } from './ebs-volume.ts';
import { eipAssociation } from './eip-association.ts';
import { eip } from './eip.ts';
import { groupRule } from './group-rule.ts';
import { instance } from './instance.ts';
import { internetGateway } from './internet-gateway.ts';
import { keyPair } from './key-pair.ts';
import { routeTableAssociation } from './route-table-association.ts';
import { routeTable } from './route-table.ts';
import { securityGroupRule } from './security-group-rule.ts';
import { securityGroup } from './security-group.ts';
import { subnet } from './subnet.ts';
import { subnets } from './subnets-data.ts';
import { volumeAttachment } from './volume-attachment.ts';
import { vpcData } from './vpc-data.ts';
import { vpc } from './vpc.ts';

export const ec2: Service = {
  resources: {
    aws_ami: ami,
    aws_ebs_volume: ebsVolume,
    aws_eip: eip,
    aws_eip_association: eipAssociation,
    aws_instance: instance,
    aws_internet_gateway: internetGateway,
    aws_key_pair: keyPair,
    aws_route_table: routeTable,
    aws_route_table_association: routeTableAssociation,
    aws_security_group: securityGroup,
    aws_security_group_rule: securityGroupRule,
    aws_subnet: subnet,
    aws_volume_attachment: volumeAttachment,
    aws_vpc: vpc,
    aws_vpc_security_group_egress_rule: groupRule('egress'),
    aws_vpc_security_group_ingress_rule: groupRule('ingress'),
  },
  dataSources: {
    aws_ami: amiData,
    aws_availability_zones: availabilityZones,
    aws_ebs_volume: ebsVolumeData,
    aws_subnets: subnets,
    aws_vpc: vpcData,
  },
};
