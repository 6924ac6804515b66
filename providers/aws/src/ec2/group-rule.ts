import type { SecurityGroupRule } from '@aws-sdk/client-ec2';
import { exactlyOneConfigured, int64, map, type Resource, string } from '@terrane/provider/sdk';
import type { Aws, RegionalAws } from '../clients/aws.ts';
import { hasCode } from '../request/aws-error.ts';
import { awsResource } from '../resource/aws-resource.ts';
import { arn, regional, tagged } from '../resource/common-attributes.ts';
import { given, only } from '../resource/only.ts';
import { protocolOf } from './rule-targets.ts';
import { ec2Retag, tagSpecifications } from './tags.ts';

/** `aws_vpc_security_group_ingress_rule` and `aws_vpc_security_group_egress_rule` */
export function groupRule(direction: 'ingress' | 'egress'): Resource<Aws> {
  return awsResource({
    type: `VPC Security Group ${direction === 'ingress' ? 'Ingress' : 'Egress'} Rule`,
    notFound: ['InvalidSecurityGroupRuleId.NotFound', 'InvalidGroup.NotFound'],
    attributes: {
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
    },
    validators: [
      exactlyOneConfigured(
        'cidr_ipv4',
        'cidr_ipv6',
        'prefix_list_id',
        'referenced_security_group_id',
      ),
    ],
    label: ({ security_group_id }) => security_group_id,

    async create({ aws, object, plan, tags }) {
      const request = {
        GroupId: plan.security_group_id,
        IpPermissions: [permission(plan)],
        TagSpecifications: tagSpecifications('security-group-rule', tags),
      };
      const { SecurityGroupRules } = await object.operation(
        'creating',
        () =>
          direction === 'ingress'
            ? aws.ec2.authorizeSecurityGroupIngress(request)
            : aws.ec2.authorizeSecurityGroupEgress(request),
        { isRetryable: (error) => hasCode(error, 'InvalidGroup.NotFound') },
      );
      return SecurityGroupRules?.[0]?.SecurityGroupRuleId ?? '';
    },

    find: ({ aws, id }) => ruleById(aws, id),

    read(found, { aws, id }) {
      const any = found.IpProtocol === '-1';
      const { UserId, GroupId } = found.ReferencedGroupInfo ?? {};
      const own = UserId === undefined || UserId === aws.accountId;
      return {
        arn: aws.arn('ec2', `security-group-rule/${id}`),
        cidr_ipv4: found.CidrIpv4,
        cidr_ipv6: found.CidrIpv6,
        description: found.Description,
        from_port: any ? null : found.FromPort,
        ip_protocol: found.IpProtocol,
        prefix_list_id: found.PrefixListId,
        referenced_security_group_id: own ? GroupId : `${UserId}/${GroupId ?? ''}`,
        security_group_id: found.GroupId,
        security_group_rule_id: id,
        tags: found.Tags ?? [],
        to_port: any ? null : found.ToPort,
      };
    },

    async update({ aws, plan, changed, id }) {
      const what = [
        'cidr_ipv4',
        'cidr_ipv6',
        'description',
        'from_port',
        'ip_protocol',
        'prefix_list_id',
        'referenced_security_group_id',
        'to_port',
      ] as const;
      if (!changed(...what)) return;
      await aws.ec2.modifySecurityGroupRules({
        GroupId: plan.security_group_id,
        SecurityGroupRules: [{ SecurityGroupRuleId: id, SecurityGroupRule: ruleRequest(plan) }],
      });
    },

    retag: ec2Retag,

    async delete({ aws, state, id }) {
      const request = { GroupId: state.security_group_id, SecurityGroupRuleIds: [id] };
      if (direction === 'ingress') await aws.ec2.revokeSecurityGroupIngress(request);
      else await aws.ec2.revokeSecurityGroupEgress(request);
    },
  });
}

interface Written {
  readonly cidr_ipv4: string | null;
  readonly cidr_ipv6: string | null;
  readonly description: string | null;
  readonly from_port: number | null;
  readonly ip_protocol: string;
  readonly prefix_list_id: string | null;
  readonly referenced_security_group_id: string | null;
  readonly to_port: number | null;
}

function ports(rule: Written) {
  return {
    IpProtocol: rule.ip_protocol,
    ...given({ FromPort: rule.from_port, ToPort: rule.to_port }),
  };
}

function permission(rule: Written) {
  const more = given({ Description: rule.description });
  const [group = '', user] = (rule.referenced_security_group_id ?? '').split('/').reverse();
  return {
    ...ports(rule),
    ...(rule.cidr_ipv4 !== null && { IpRanges: [{ CidrIp: rule.cidr_ipv4, ...more }] }),
    ...(rule.cidr_ipv6 !== null && { Ipv6Ranges: [{ CidrIpv6: rule.cidr_ipv6, ...more }] }),
    ...(rule.prefix_list_id !== null && {
      PrefixListIds: [{ PrefixListId: rule.prefix_list_id, ...more }],
    }),
    ...(group !== '' && {
      UserIdGroupPairs: [{ GroupId: group, ...(user !== undefined && { UserId: user }), ...more }],
    }),
  };
}

function ruleRequest(rule: Written) {
  return {
    ...ports(rule),
    ...given({
      CidrIpv4: rule.cidr_ipv4,
      CidrIpv6: rule.cidr_ipv6,
      Description: rule.description,
      PrefixListId: rule.prefix_list_id,
      ReferencedGroupId: (rule.referenced_security_group_id ?? '').split('/').pop(),
    }),
  };
}

async function ruleById(aws: RegionalAws, id: string): Promise<SecurityGroupRule> {
  const { SecurityGroupRules } = await aws.ec2.describeSecurityGroupRules({
    SecurityGroupRuleIds: [id],
  });
  return only(SecurityGroupRules);
}
