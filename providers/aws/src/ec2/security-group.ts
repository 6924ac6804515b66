import {
  bool,
  list,
  nullable,
  number,
  object,
  type Resource,
  set,
  string,
  timeoutsBlock,
} from '@terrane/provider/sdk';
import type { Aws } from '../clients/aws.ts';
import { again } from '../request/again.ts';
import { awsResource } from '../resource/aws-resource.ts';
import { arn, namedBy, regional, tagged } from '../resource/common-attributes.ts';
import { fillElements } from '../resource/filled.ts';
import { nameOf } from '../resource/names.ts';
import { elementsOf } from '../resource/only.ts';
import { NOT_FOUND_CHECKS, PROPAGATION } from './consts.ts';
import { deleteLingeringInterfaces } from './lingering-interfaces.ts';
import { areNetworks, EMPTY_RULE, foundTargets, isGroupName, rulesOf } from './rule-targets.ts';
import { groupById, NO_GROUP } from './security-group-by-id.ts';
import { changeRules, revokeReferences } from './security-rules.ts';
import { ec2Retag, tagSpecifications } from './tags.ts';
import { securityGroups } from './lists.ts';

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

const DESCRIPTION_OPTIONS = {
  default: 'Managed by Terraform',
  computed: false,
  requiresReplace: true,
} as const;

/** `aws_security_group` */
export const securityGroup: Resource<Aws> = awsResource({
  type: 'EC2 Security Group',
  identity: 'id',
  list: securityGroups,
  notFound: NO_GROUP,
  attributes: {
    ...regional,
    ...arn,
    ...tagged,
    description: string(DESCRIPTION_OPTIONS),
    egress: set(rule, { optional: true, computed: true, validators: [areNetworks] }),
    ingress: set(rule, { optional: true, computed: true, validators: [areNetworks] }),
    ...namedBy([isGroupName], [isGroupName]),
    owner_id: string({ computed: true }),
    revoke_rules_on_delete: bool({ default: false, computed: false }),
    vpc_id: string({ optional: true, computed: true, requiresReplace: true }),
  },
  blocks: { timeouts: timeoutsBlock({ create: '10m', delete: '15m' }) },

  plan: ({ plan }) => ({
    egress: fillElements(plan.egress, EMPTY_RULE),
    ingress: fillElements(plan.ingress, EMPTY_RULE),
  }),

  amazon: { egress: null, ingress: null, name: 'GroupName', revoke_rules_on_delete: null },

  async create({ aws, plan, request, tags }) {
    const TagSpecifications = tagSpecifications('security-group', tags);
    const { GroupId } = await aws.ec2.createSecurityGroup(
      request({ GroupName: nameOf(aws, plan), TagSpecifications }),
    );
    return GroupId ?? '';
  },

  async created({ aws, object: group, plan, id }) {
    const existingGroup = await groupById(aws, id);
    // EC2 permits all egress of a new group; this resource type only permits configured rules.
    const owner = existingGroup.OwnerId ?? '';
    const egress = rulesOf(foundTargets(existingGroup.IpPermissionsEgress ?? [], owner), [], id);
    await changeRules(aws, group, id, 'egress', egress, elementsOf(plan.egress));
    await changeRules(aws, group, id, 'ingress', [], elementsOf(plan.ingress));
  },

  find: ({ aws, id }) => groupById(aws, id),
  visibleWithin: PROPAGATION,
  ready: {
    target: ['exists'],
    state: () => 'exists',
    continuousTargetOccurrences: 3,
    notFoundChecks: NOT_FOUND_CHECKS,
  },

  read(group, { aws, id, state }) {
    const owner = group.OwnerId ?? aws.accountId;
    const [egress, ingress] = [group.IpPermissionsEgress ?? [], group.IpPermissions ?? []];
    return {
      arn: aws.arn('ec2', `security-group/${id}`),
      egress: rulesOf(foundTargets(egress, owner), state.egress ?? [], id),
      ingress: rulesOf(foundTargets(ingress, owner), state.ingress ?? [], id),
      owner_id: owner,
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
    await deleteLingeringInterfaces(aws, group, { 'group-id': id }, timeout);
    // Network interfaces that use it may still be in deletion.
    const retryWhileUsed = again(['DependencyViolation', 'InvalidGroup.InUse'], timeout);
    await group.operation(
      'deleting',
      () => aws.ec2.deleteSecurityGroup({ GroupId: id }),
      retryWhileUsed,
    );
  },

  gone: { timeout: PROPAGATION },
});
