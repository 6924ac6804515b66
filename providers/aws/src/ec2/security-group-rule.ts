import {
  bool,
  ifKnown,
  int64,
  list,
  NotFoundError,
  type Resource,
  string,
  timeoutsBlock,
} from '@terrane/provider/sdk';
import type { Aws } from '../clients/aws.ts';
import { hasCode, hasMessage } from '../request/aws-error.ts';
import { awsResource } from '../resource/aws-resource.ts';
import { regional } from '../resource/common-attributes.ts';
import {
  foundTargets,
  keyOf,
  permissionOf,
  protocolOf,
  type RuleTarget,
  targetsOf,
} from './rule-targets.ts';
import { groupById } from './security-group-by-id.ts';
import { authorize, type Direction, revoke } from './security-rules.ts';
import { securityGroupRuleId } from './security-group-rule-id.ts';
import { atLeastOneConfigured, conflicting, each, oneOf } from '../resource/validators.ts';
import { isIpv4Network } from '../resource/text-forms.ts';

/** `aws_security_group_rule`: a rule with several targets, each of which EC2 stores separately */
export const securityGroupRule: Resource<Aws> = awsResource({
  type: 'EC2 Security Group Rule',
  notFound: ['InvalidGroup.NotFound'],
  attributes: {
    ...regional,
    cidr_blocks: list(string, {
      optional: true,
      requiresReplace: true,
      validators: [each(isIpv4Network)],
    }),
    description: string({ optional: true }),
    from_port: int64({ required: true, requiresReplace: true }),
    ipv6_cidr_blocks: list(string, { optional: true, requiresReplace: true }),
    prefix_list_ids: list(string, { optional: true, requiresReplace: true }),
    protocol: string({
      required: true,
      requiresReplace: true,
      semanticEquals: (a, b) => protocolOf(a) === protocolOf(b),
    }),
    security_group_id: string({ required: true, requiresReplace: true }),
    security_group_rule_id: string({ computed: true }),
    self: bool({ default: false, computed: false, requiresReplace: true }),
    source_security_group_id: string({ optional: true, computed: true, requiresReplace: true }),
    to_port: int64({ required: true, requiresReplace: true }),
    type: string({
      required: true,
      requiresReplace: true,
      validators: [oneOf('ingress', 'egress')],
    }),
  },
  blocks: { timeouts: timeoutsBlock({ create: '5m' }) },
  validators: [
    conflicting('cidr_blocks', 'source_security_group_id'),
    conflicting('self', 'source_security_group_id'),
    conflicting('self', 'cidr_blocks'),
    atLeastOneConfigured(
      ...(['cidr_blocks', 'ipv6_cidr_blocks', 'prefix_list_ids', 'self'] as const),
      'source_security_group_id',
    ),
  ],
  label: ({ security_group_id }) => security_group_id,

  async create({ aws, object, plan }) {
    const targets = targetsIn(plan);
    const group = plan.security_group_id;
    await object.operation(
      'authorizing',
      async () => {
        try {
          await authorize(aws, group, directionOf(plan), targets);
        } catch (error) {
          if (!hasCode(error, 'InvalidPermission.Duplicate')) throw error;
          throw new Error(
            'a duplicate Security Group rule was found. This may be a side effect of a now-fixed Terraform issue causing two security groups with identical attributes but different source_security_group_ids to overwrite each other in the state',
            { cause: error },
          );
        }
      },
      { isRetryable: (error) => hasMessage(error, 'InvalidGroup.NotFound', 'does not exist') },
    );
    return securityGroupRuleId(group, plan.type, targets, plan.from_port, plan.to_port);
  },

  async find({ aws, state }) {
    const group = await groupById(aws, state.security_group_id);
    const permissions = state.type === 'ingress' ? group.IpPermissions : group.IpPermissionsEgress;
    const all = foundTargets(permissions ?? [], group.OwnerId ?? '');
    const byPlace = new Map(all.map((each) => [placeOf(each), each]));
    const targets = targetsIn(state);
    const [first] = targets;
    if (first === undefined || !targets.every((each) => byPlace.has(placeOf(each)))) {
      throw new NotFoundError({ message: 'Security Group Rule not found' });
    }
    return { group, description: byPlace.get(placeOf(first))?.description };
  },

  async read({ group, description }, { aws, state }) {
    const targets = targetsIn(state);
    const { SecurityGroupRules = [] } = await aws.ec2.describeSecurityGroupRules({
      Filters: [{ Name: 'group-id', Values: [state.security_group_id] }],
    });
    const [only, ...others] = targets;
    const match = SecurityGroupRules.filter(
      (each) =>
        each.IsEgress === (state.type === 'egress') &&
        [
          each.CidrIpv4,
          each.CidrIpv6,
          each.PrefixListId,
          each.ReferencedGroupInfo?.GroupId,
        ].includes(only?.value) &&
        protocolOf(each.IpProtocol ?? '') === only?.protocol &&
        (each.FromPort === only.from || only.protocol === '-1'),
    );
    // Only a rule of one target is one for EC2 too.
    const id = others.length === 0 ? match[0]?.SecurityGroupRuleId : undefined;
    return {
      description,
      security_group_id: group.GroupId,
      security_group_rule_id: id ?? '',
      source_security_group_id: state.source_security_group_id ?? '',
    };
  },

  async update({ aws, plan, changed }) {
    if (!changed('description')) return;
    const IpPermissions = targetsIn(plan).map(permissionOf);
    const request = { GroupId: plan.security_group_id, IpPermissions };
    if (plan.type === 'ingress') {
      await aws.ec2.updateSecurityGroupRuleDescriptionsIngress(request);
    } else await aws.ec2.updateSecurityGroupRuleDescriptionsEgress(request);
  },

  async delete({ aws, state }) {
    await revoke(aws, state.security_group_id, directionOf(state), targetsIn(state));
  },

  /** "sg-1_ingress_tcp_80_80_10.0.0.0/16_self" */
  import(id) {
    const [group = '', type = '', protocol = '', from = '', to = '', ...sources] = id.split('_');
    const groups = sources.filter((each) => /^(\d{12}\/)?sg-/.test(each));
    const texts = (wanted: RegExp): string[] | null => {
      const matches = sources.filter((each) => wanted.test(each));
      return matches.length === 0 ? null : matches;
    };
    const fields = {
      type,
      security_group_id: group,
      protocol,
      from_port: Number(from),
      to_port: Number(to),
      self: sources.includes('self'),
      source_security_group_id: groups[0] ?? null,
      cidr_blocks: texts(/^[\d.]+\/\d+$/),
      ipv6_cidr_blocks: texts(/:/),
      prefix_list_ids: texts(/^pl-/),
    };
    const targets = targetsIn({ ...fields, description: null });
    const made = securityGroupRuleId(group, type, targets, fields.from_port, fields.to_port);
    return { id: made, ...fields };
  },
});

/** Returns a key that identifies a target, without its description. */
function placeOf(target: RuleTarget): string {
  return keyOf({ ...target, description: '' });
}

function directionOf({ type }: { readonly type: string }): Direction {
  return type === 'ingress' ? 'ingress' : 'egress';
}

function targetsIn(rule: {
  readonly cidr_blocks: readonly string[] | null;
  readonly description: string | null;
  readonly from_port: number;
  readonly ipv6_cidr_blocks: readonly string[] | null;
  readonly prefix_list_ids: readonly string[] | null;
  readonly protocol: string;
  readonly security_group_id?: string;
  readonly self: boolean | null;
  readonly source_security_group_id: unknown;
  readonly to_port: number;
}): readonly RuleTarget[] {
  const source = ifKnown(rule.source_security_group_id);
  return targetsOf(
    {
      ...rule,
      security_groups: typeof source === 'string' && source !== '' ? [source] : [],
    },
    rule.security_group_id ?? '',
  );
}
