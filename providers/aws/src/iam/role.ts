import type { Role } from '@aws-sdk/client-iam';
import {
  between,
  bool,
  conflicting,
  int64,
  isUnknown,
  lengthBetween,
  NotFoundError,
  type Resource,
  set,
  setBlock,
  string,
  unknown,
} from '@terrane/provider/sdk';
import type { Aws } from '../clients/aws.ts';
import { normalJson } from '../json-policy/normal-json.ts';
import { policyText } from '../json-policy/policy-text.ts';
import { hasCode } from '../request/aws-error.ts';
import { awsResource } from '../resource/aws-resource.ts';
import { arn, global, tagged } from '../resource/common-attributes.ts';
import { nameOf, prefixOf } from '../resource/names.ts';
import { given } from '../resource/only.ts';
import { tagList } from '../tags/tags.ts';
import { DELETE_CONFLICT, NO_ENTITY } from './consts.ts';
import { iamTime } from './iam-time.ts';
import { iamName, iamNamePrefix } from './name-validators.ts';
import { decodedPolicy, isPrincipalOnItsWay } from './policy-answers.ts';
import {
  attachedPolicies,
  changeAttachedPolicies,
  changeInlinePolicies,
  deleteInlinePolicies,
  detachPolicies,
  inlinePolicies,
  inlinePolicyNames,
  leaveInstanceProfiles,
  sameInlinePolicies,
} from './role-policies.ts';

/** `aws_iam_role` */
export const role: Resource<Aws> = awsResource({
  type: 'IAM Role',
  notFound: NO_ENTITY,
  attributes: {
    ...global,
    ...arn,
    ...tagged,
    assume_role_policy: policyText({ required: true }),
    create_date: string({ computed: true }),
    description: string({ optional: true, validators: [lengthBetween(0, 1000)] }),
    force_detach_policies: bool({ default: false, computed: false }),
    managed_policy_arns: set(string, { optional: true, computed: true }),
    max_session_duration: int64({
      default: 3600,
      computed: false,
      validators: [between(3600, 43_200)],
    }),
    name: string({
      optional: true,
      computed: true,
      requiresReplace: true,
      validators: iamName(64),
    }),
    name_prefix: string({
      optional: true,
      computed: true,
      requiresReplace: true,
      validators: iamNamePrefix(64),
    }),
    path: string({ default: '/', computed: false, requiresReplace: true }),
    permissions_boundary: string({ optional: true }),
    unique_id: string({ computed: true }),
  },
  blocks: {
    inline_policy: setBlock({
      name: string({ optional: true, validators: iamName(128) }),
      policy: policyText({ optional: true }),
    }),
  },
  validators: [conflicting('name', 'name_prefix')],

  plan({ plan, config, state }) {
    const { inline_policy: written } = config;
    // What is not written is whatever the role has.
    if (written.length === 0) return { inline_policy: state?.inline_policy ?? unknown() };
    const wanted = plan.inline_policy;
    if (state === null || isUnknown(wanted)) return undefined;
    const known = wanted.flatMap((each) =>
      isUnknown(each) || isUnknown(each.name) || isUnknown(each.policy)
        ? []
        : [{ name: each.name, policy: each.policy }],
    );
    const same =
      known.length === wanted.length && sameInlinePolicies(state.inline_policy ?? [], known);
    return same ? { inline_policy: state.inline_policy } : undefined;
  },

  async create({ aws, object, plan, tags }) {
    const { Role } = await object.operation(
      'creating',
      () =>
        aws.iam.createRole({
          AssumeRolePolicyDocument: normalJson(plan.assume_role_policy),
          Path: plan.path,
          RoleName: nameOf(aws, plan),
          Tags: tagList(tags),
          MaxSessionDuration: plan.max_session_duration,
          ...given({
            Description: plan.description,
            PermissionsBoundary: plan.permissions_boundary,
          }),
        }),
      { isRetryable: isPrincipalOnItsWay },
    );
    return Role?.RoleName ?? '';
  },

  async created({ aws, plan, id }) {
    const { inline_policy: inline, managed_policy_arns: arns } = plan;
    if (!isUnknown(inline)) await changeInlinePolicies(aws, id, [], inline);
    await changeAttachedPolicies(aws, id, [], knownTexts(arns));
  },

  async find({ aws, id, isNew }) {
    const { Role } = await aws.iam.getRole({ RoleName: id });
    // A role that was just created may have its number instead of its ARN at first.
    if (isNew && Role?.Arn?.startsWith('arn:') === false) throw new NotFoundError();
    return Role;
  },

  async read(found: Role, { aws, id, state }) {
    const inline = await inlinePolicies(aws, id);
    const kept =
      (state.inline_policy ?? []).length > 0 && sameInlinePolicies(state.inline_policy, inline);
    const name = found.RoleName ?? id;
    return {
      arn: found.Arn,
      assume_role_policy: normalJson(decodedPolicy(found.AssumeRolePolicyDocument)),
      create_date: iamTime(found.CreateDate),
      description: found.Description,
      inline_policy: kept ? state.inline_policy : inline,
      managed_policy_arns: await attachedPolicies(aws, id),
      max_session_duration: found.MaxSessionDuration ?? 3600,
      name,
      name_prefix: prefixOf(name) ?? '',
      path: found.Path,
      permissions_boundary: found.PermissionsBoundary?.PermissionsBoundaryArn,
      tags: found.Tags ?? [],
      unique_id: found.RoleId,
    };
  },

  async update({ aws, object, plan, state, changed, id: RoleName }) {
    if (changed('assume_role_policy')) {
      const PolicyDocument = normalJson(plan.assume_role_policy);
      await object.operation(
        'updating the assume role policy of',
        () => aws.iam.updateAssumeRolePolicy({ RoleName, PolicyDocument }),
        { isRetryable: isPrincipalOnItsWay },
      );
    }
    if (changed('description', 'max_session_duration')) {
      const { description, max_session_duration: MaxSessionDuration } = plan;
      await aws.iam.updateRole({ RoleName, Description: description ?? '', MaxSessionDuration });
    }
    if (changed('permissions_boundary')) {
      const PermissionsBoundary = plan.permissions_boundary ?? '';
      if (PermissionsBoundary === '') await aws.iam.deleteRolePermissionsBoundary({ RoleName });
      else await aws.iam.putRolePermissionsBoundary({ RoleName, PermissionsBoundary });
    }
    if (changed('inline_policy') && !isUnknown(plan.inline_policy)) {
      await changeInlinePolicies(aws, RoleName, state.inline_policy ?? [], plan.inline_policy);
    }
    const { managed_policy_arns: arns } = plan;
    if (changed('managed_policy_arns') && !isUnknown(arns)) {
      await changeAttachedPolicies(
        aws,
        RoleName,
        state.managed_policy_arns ?? [],
        knownTexts(arns),
      );
    }
  },

  async retag({ aws, id: RoleName }, { set: added, removed }) {
    if (removed.length > 0) await aws.iam.untagRole({ RoleName, TagKeys: [...removed] });
    const Tags = tagList(added);
    if (Tags !== undefined) await aws.iam.tagRole({ RoleName, Tags });
  },

  async delete({ aws, object, id, state }) {
    const force = state.force_detach_policies;
    await leaveInstanceProfiles(aws, id);
    if (force || (state.managed_policy_arns ?? []).length > 0) {
      await detachPolicies(aws, id, await attachedPolicies(aws, id));
    }
    if (force || (state.inline_policy ?? []).length > 0) {
      await deleteInlinePolicies(aws, id, await inlinePolicyNames(aws, id));
    }
    await object.operation('deleting', () => aws.iam.deleteRole({ RoleName: id }), {
      isRetryable: (error) => hasCode(error, ...DELETE_CONFLICT),
    });
  },

  import: (id) => ({ id, force_detach_policies: false }),
});

/** What is known of a list that is computed where it is not written. */
function knownTexts(values: unknown): readonly string[] {
  return Array.isArray(values) ? values.filter((each) => typeof each === 'string') : [];
}
