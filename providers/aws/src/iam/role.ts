import type { CreateRoleRequest, Role } from '@aws-sdk/client-iam';
import {
  bool,
  int64,
  isUnknown,
  type RemoteObject,
  type Resource,
  seconds,
  set,
  setBlock,
  string,
  unknown,
} from '@terrane/provider/sdk';
import type { Aws, RegionalAws } from '../clients/aws.ts';
import { normalJson } from '../json-policy/normal-json.ts';
import { iamPolicyText } from '../json-policy/policy-text.ts';
import { hasCode } from '../request/aws-error.ts';
import { awsResource } from '../resource/aws-resource.ts';
import { arn, global, tagged } from '../resource/common-attributes.ts';
import { nameOf } from '../resource/names.ts';
import { tagList } from '../tags/tags.ts';
import { DELETE_CONFLICT, NO_ENTITY, PROPAGATION } from './consts.ts';
import { iamName, iamNamed } from './name-validators.ts';
import { changeBoundary } from './permissions-boundary.ts';
import { decodedPolicy, isPrincipalPropagating } from './policy-answers.ts';
import { iamRetag } from './retag.ts';
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
import { between, each, lengthBetween } from '../resource/validators.ts';
import { isArn } from '../resource/text-forms.ts';
import { roles } from './lists.ts';

/** `aws_iam_role` */
export const role: Resource<Aws> = awsResource({
  type: 'IAM Role',
  identity: 'name',
  list: roles,
  notFound: NO_ENTITY,
  attributes: {
    ...global,
    ...arn,
    ...tagged,
    assume_role_policy: iamPolicyText({ required: true }),
    create_date: string({ computed: true }),
    description: string({ optional: true, validators: [lengthBetween(0, 1000)] }),
    force_detach_policies: bool({ default: false, computed: false }),
    managed_policy_arns: set(string, { optional: true, computed: true, validators: [each(isArn)] }),
    max_session_duration: int64({
      default: 3600,
      computed: false,
      validators: [between(3600, 43_200)],
    }),
    ...iamNamed(64),
    path: string({ default: '/', computed: false, requiresReplace: true }),
    permissions_boundary: string({ optional: true, validators: [isArn] }),
    unique_id: string({ computed: true }),
  },
  blocks: {
    inline_policy: setBlock({
      name: string({ optional: true, validators: iamName(128) }),
      policy: iamPolicyText({ optional: true }),
    }),
  },
  amazon: {
    assume_role_policy: 'AssumeRolePolicyDocument',
    force_detach_policies: null,
    inline_policy: null,
    managed_policy_arns: null,
    name: 'RoleName',
    unique_id: 'RoleId',
  },

  plan({ plan, config, state }) {
    const { inline_policy: written } = config;
    // Unset values are those of the role.
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

  async create({ aws, object, plan, request, tags }) {
    const requestInput = request<CreateRoleRequest>({
      AssumeRolePolicyDocument: normalJson(plan.assume_role_policy),
      RoleName: nameOf(aws, plan),
      Tags: tagList(tags),
    });
    const again = { isRetryable: isPrincipalPropagating };
    const { Role } = await object.operation(
      'creating',
      () => aws.iam.createRole(requestInput),
      again,
    );
    return Role?.RoleName ?? '';
  },

  async created({ aws, object, plan, id }) {
    const { inline_policy: inline, managed_policy_arns: arns } = plan;
    if (!isUnknown(inline)) await changeInlinePolicies(aws, object, id, [], inline);
    await changeAttachedPolicies(aws, object, id, [], knownTexts(arns));
  },

  async find({ aws, object, id }) {
    const { Role } = await aws.iam.getRole({ RoleName: id });
    return Role === undefined || hasArn(Role) ? Role : await roleWithArn(aws, object, id);
  },

  async read(role: Role, { aws, id, state }) {
    const inline = await inlinePolicies(aws, id);
    const kept =
      (state.inline_policy ?? []).length > 0 && sameInlinePolicies(state.inline_policy, inline);
    return {
      assume_role_policy: normalJson(decodedPolicy(role.AssumeRolePolicyDocument)),
      inline_policy: kept ? state.inline_policy : inline,
      managed_policy_arns: await attachedPolicies(aws, id),
      max_session_duration: role.MaxSessionDuration ?? 3600,
      permissions_boundary: role.PermissionsBoundary?.PermissionsBoundaryArn,
    };
  },

  async update({ aws, object, plan, state, changed, id: RoleName }) {
    if (changed('assume_role_policy')) {
      const PolicyDocument = normalJson(plan.assume_role_policy);
      await object.operation(
        'updating the assume role policy of',
        () => aws.iam.updateAssumeRolePolicy({ RoleName, PolicyDocument }),
        { isRetryable: isPrincipalPropagating },
      );
    }
    if (changed('description', 'max_session_duration')) {
      const { description, max_session_duration: MaxSessionDuration } = plan;
      await aws.iam.updateRole({ RoleName, Description: description ?? '', MaxSessionDuration });
    }
    if (changed('permissions_boundary')) {
      await changeBoundary(aws.iam, 'Role', RoleName, plan.permissions_boundary);
    }
    if (changed('inline_policy') && !isUnknown(plan.inline_policy)) {
      const before = state.inline_policy ?? [];
      await changeInlinePolicies(aws, object, RoleName, before, plan.inline_policy);
    }
    const { managed_policy_arns: arns } = plan;
    if (changed('managed_policy_arns') && !isUnknown(arns)) {
      await changeAttachedPolicies(
        aws,
        object,
        RoleName,
        state.managed_policy_arns ?? [],
        knownTexts(arns),
      );
    }
  },

  retag: iamRetag('Role', 'RoleName'),

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

/**
 * Waits until a role has its ARN. A new one may have its number instead at first, for some of the servers for longer than
 * for others.
 */
async function roleWithArn(aws: RegionalAws, role: RemoteObject, RoleName: string): Promise<Role> {
  return await role.waitFor('ARN', {
    pending: ['number'],
    target: ['arn'],
    delay: seconds(10),
    notFoundChecks: 10,
    continuousTargetOccurrences: 5,
    timeout: PROPAGATION,
    refresh: async () => {
      const { Role } = await aws.iam.getRole({ RoleName });
      return Role && { result: Role, state: hasArn(Role) ? 'arn' : 'number' };
    },
  });
}

function hasArn({ Arn = '' }: Role): boolean {
  return Arn.startsWith('arn:');
}

/** Returns the known elements of a list that is computed if it is not configured. */
function knownTexts(values: unknown): readonly string[] {
  return Array.isArray(values) ? values.filter((each) => typeof each === 'string') : [];
}
