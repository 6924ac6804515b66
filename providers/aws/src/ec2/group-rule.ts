import type {
  IpPermission,
  SecurityGroupRule,
  SecurityGroupRuleRequest,
} from '@aws-sdk/client-ec2';
import { exactlyOneConfigured, int64, map, type Resource, string } from '@terrane/provider/sdk';
import type { Aws, RegionalAws } from '../clients/aws.ts';
import { again } from '../request/again.ts';
import { awsResource } from '../resource/aws-resource.ts';
import { arn, regional, tagged } from '../resource/common-attributes.ts';
import { omitUnset, only } from '../resource/only.ts';
import { protocolOf } from './rule-targets.ts';
import { ec2Retag, tagSpecifications } from './tags.ts';

const TO = ['cidr_ipv4', 'cidr_ipv6', 'prefix_list_id', 'referenced_security_group_id'] as const;

const ATTRIBUTES = {
  ...regional,
  ...arn,
  ...tagged,
  id: string({ computed: true }),
  tags_all: map(string, { computed: true }),
  cidr_ipv4: string({ optional: true }),
  cidr_ipv6: string({ optional: true }),
  description: string({ optional: true }),
  from_port: int64({ optional: true }),
  ip_protocol: string({
    required: true,
    semanticEquals: (a, b) => protocolOf(a) === protocolOf(b),
  }),
  prefix_list_id: string({ optional: true }),
  referenced_security_group_id: string({ optional: true }),
  security_group_id: string({ required: true, requiresReplace: true }),
  security_group_rule_id: string({ computed: true }),
  to_port: int64({ optional: true }),
};

/** `aws_vpc_security_group_ingress_rule` and `aws_vpc_security_group_egress_rule` */
export function groupRule(direction: 'ingress' | 'egress'): Resource<Aws> {
  const Direction = direction === 'ingress' ? 'Ingress' : 'Egress';
  return awsResource({
    type: `VPC Security Group ${Direction} Rule`,
    newerSdk: true,
    notFound: ['InvalidSecurityGroupRuleId.NotFound', 'InvalidGroup.NotFound'],
    attributes: ATTRIBUTES,
    validators: [exactlyOneConfigured(...TO)],
    label: ({ security_group_id }) => security_group_id,

    amazon: { referenced_security_group_id: 'ReferencedGroupId', security_group_id: 'GroupId' },

    async create({ aws, object, plan, tags }) {
      const requestInput = {
        GroupId: plan.security_group_id,
        IpPermissions: [permission(plan)],
        TagSpecifications: tagSpecifications('security-group-rule', tags),
      };
      const { SecurityGroupRules } = await object.operation(
        'creating',
        () => aws.ec2[`authorizeSecurityGroup${Direction}`](requestInput),
        again(['InvalidGroup.NotFound']),
      );
      return SecurityGroupRules?.[0]?.SecurityGroupRuleId ?? '';
    },

    find: ({ aws, id }) => ruleById(aws, id),

    read(rule, { aws, id }) {
      const { UserId, GroupId } = rule.ReferencedGroupInfo ?? {};
      const isOwnGroup = UserId === undefined || UserId === aws.accountId;
      return {
        arn: aws.arn('ec2', `security-group-rule/${id}`),
        from_port: rule.IpProtocol === '-1' ? null : rule.FromPort,
        referenced_security_group_id: isOwnGroup ? GroupId : `${UserId}/${GroupId ?? ''}`,
        to_port: rule.IpProtocol === '-1' ? null : rule.ToPort,
      };
    },

    async update({ aws, plan, request, id: SecurityGroupRuleId }) {
      const { GroupId: _, ...requestInput } = request<
        SecurityGroupRuleRequest & { GroupId: string }
      >();
      const group = plan.referenced_security_group_id?.split('/').pop();
      const rule = { ...requestInput, ...omitUnset({ ReferencedGroupId: group }) };
      await aws.ec2.modifySecurityGroupRules({
        GroupId: plan.security_group_id,
        SecurityGroupRules: [{ SecurityGroupRuleId, SecurityGroupRule: rule }],
      });
    },

    retag: ec2Retag,

    async delete({ aws, state, id }) {
      const requestInput = { GroupId: state.security_group_id, SecurityGroupRuleIds: [id] };
      await aws.ec2[`revokeSecurityGroup${Direction}`](requestInput);
    },
  });
}

type Written = { readonly ip_protocol: string } & {
  readonly [K in (typeof TO)[number] | 'description']: string | null;
} & { readonly [K in 'from_port' | 'to_port']: number | null };

/** Converts a rule to the form for its creation, which differs from that for changes. */
function permission(rule: Written): IpPermission {
  const more = omitUnset({ Description: rule.description });
  const [GroupId = '', UserId] = (rule.referenced_security_group_id ?? '').split('/').reverse();
  const [CidrIp, CidrIpv6, PrefixListId] = [rule.cidr_ipv4, rule.cidr_ipv6, rule.prefix_list_id];
  return {
    IpProtocol: rule.ip_protocol,
    ...omitUnset({ FromPort: rule.from_port, ToPort: rule.to_port }),
    ...(CidrIp !== null && { IpRanges: [{ CidrIp, ...more }] }),
    ...(CidrIpv6 !== null && { Ipv6Ranges: [{ CidrIpv6, ...more }] }),
    ...(PrefixListId !== null && { PrefixListIds: [{ PrefixListId, ...more }] }),
    ...(GroupId !== '' && { UserIdGroupPairs: [{ GroupId, ...omitUnset({ UserId }), ...more }] }),
  };
}

async function ruleById(aws: RegionalAws, id: string): Promise<SecurityGroupRule> {
  const { SecurityGroupRules } = await aws.ec2.describeSecurityGroupRules({
    SecurityGroupRuleIds: [id],
  });
  return only(SecurityGroupRules);
}
