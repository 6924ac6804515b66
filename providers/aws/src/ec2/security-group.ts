import type { SecurityGroup } from '@aws-sdk/client-ec2';
import {
  bool,
  conflicting,
  list,
  minutes,
  NotFoundError,
  nullable,
  number,
  object,
  type Resource,
  set,
  string,
  timeoutsBlock,
} from '@terrane/provider/sdk';
import type { Aws, RegionalAws } from '../clients/aws.ts';
import { hasCode } from '../request/aws-error.ts';
import { awsResource } from '../resource/aws-resource.ts';
import { arn, regional, tagged } from '../resource/common-attributes.ts';
import { filled } from '../resource/filled.ts';
import { nameOf, prefixOf } from '../resource/names.ts';
import { elementsOf, given, only } from '../resource/only.ts';
import { EMPTY_RULE, foundTargets, rulesOf } from './rule-targets.ts';
import { changeRules, revokeReferences } from './security-rules.ts';
import { ec2Retag, tagSpecifications } from './tags.ts';

const rule = object({
  cidr_blocks: nullable(list(string)),
  description: nullable(string),
  from_port: nullable(number),
  ipv6_cidr_blocks: nullable(list(string)),
  prefix_list_ids: nullable(list(string)),
  protocol: nullable(string),
  security_groups: nullable(set(string)),
  self: nullable(bool),
  to_port: nullable(number),
});

/** `aws_security_group` */
export const securityGroup: Resource<Aws> = awsResource({
  type: 'EC2 Security Group',
  notFound: [
    'InvalidGroup.NotFound',
    'InvalidGroupId.Malformed',
    'InvalidSecurityGroupID.NotFound',
  ],
  attributes: {
    ...regional,
    ...arn,
    ...tagged,
    description: string({
      default: 'Managed by Terraform',
      computed: false,
      requiresReplace: true,
    }),
    egress: set(rule, { optional: true, computed: true }),
    ingress: set(rule, { optional: true, computed: true }),
    name: string({ optional: true, computed: true, requiresReplace: true }),
    name_prefix: string({ optional: true, computed: true, requiresReplace: true }),
    owner_id: string({ computed: true }),
    revoke_rules_on_delete: bool({ default: false, computed: false }),
    vpc_id: string({ optional: true, computed: true, requiresReplace: true }),
  },
  blocks: { timeouts: timeoutsBlock({ create: '10m', delete: '15m' }) },
  validators: [conflicting('name', 'name_prefix')],

  plan: ({ plan }) => ({
    egress: filled(plan.egress, EMPTY_RULE),
    ingress: filled(plan.ingress, EMPTY_RULE),
  }),

  async create({ aws, plan, tags }) {
    const { GroupId } = await aws.ec2.createSecurityGroup({
      GroupName: nameOf(aws, plan),
      Description: plan.description,
      TagSpecifications: tagSpecifications('security-group', tags),
      ...given({ VpcId: plan.vpc_id }),
    });
    return GroupId ?? '';
  },

  async created({ aws, object: group, plan, id, timeout }) {
    const found = await group.waitFor('creation', {
      target: ['exists'],
      timeout,
      refresh: async () => ({ result: await groupById(aws, id), state: 'exists' }),
    });
    // EC2 lets all traffic out of a new group; here only what is written goes out.
    const owner = found.OwnerId ?? '';
    const out = rulesOf(foundTargets(found.IpPermissionsEgress ?? [], owner), [], id);
    await changeRules(aws, group, id, 'egress', out, elementsOf(plan.egress));
    await changeRules(aws, group, id, 'ingress', [], elementsOf(plan.ingress));
  },

  find: ({ aws, id }) => groupById(aws, id),

  read(found, { aws, id, state }) {
    const owner = found.OwnerId ?? aws.accountId;
    const name = found.GroupName ?? '';
    const [out, into] = [found.IpPermissionsEgress ?? [], found.IpPermissions ?? []];
    return {
      arn: aws.arn('ec2', `security-group/${id}`),
      description: found.Description,
      egress: rulesOf(foundTargets(out, owner), state.egress ?? [], id),
      ingress: rulesOf(foundTargets(into, owner), state.ingress ?? [], id),
      name,
      name_prefix: prefixOf(name) ?? '',
      owner_id: owner,
      tags: found.Tags ?? [],
      vpc_id: found.VpcId ?? '',
    };
  },

  async update({ aws, object: group, plan, state, changed, id }) {
    if (changed('ingress')) {
      await changeRules(aws, group, id, 'ingress', state.ingress, elementsOf(plan.ingress));
    }
    if (changed('egress')) {
      await changeRules(aws, group, id, 'egress', state.egress, elementsOf(plan.egress));
    }
  },

  retag: ec2Retag,

  async delete({ aws, object: group, state, id, timeout }) {
    if (state.revoke_rules_on_delete) await revokeReferences(aws, group, id);
    // Interfaces that use it may be going only now.
    await group.operation('deleting', () => aws.ec2.deleteSecurityGroup({ GroupId: id }), {
      isRetryable: (error) => hasCode(error, 'DependencyViolation', 'InvalidGroup.InUse'),
      propagation: timeout,
    });
    await group.waitForDeletion({
      pending: ['exists'],
      timeout: minutes(1),
      refresh: async () => ({ result: await groupById(aws, id), state: 'exists' }),
    });
  },
});

/** The security group with an id. */
export async function groupById(aws: RegionalAws, id: string): Promise<SecurityGroup> {
  const { SecurityGroups } = await aws.ec2.describeSecurityGroups({ GroupIds: [id] });
  const found = only(SecurityGroups);
  if (found.GroupId !== id) throw new NotFoundError({ message: 'empty result' });
  return found;
}
