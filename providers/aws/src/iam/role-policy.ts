import { type Resource, string } from '@terrane/provider/sdk';
import type { Aws } from '../clients/aws.ts';
import { normalJson } from '../json-policy/normal-json.ts';
import { iamPolicyText } from '../json-policy/policy-text.ts';
import { awsResource } from '../resource/aws-resource.ts';
import { global } from '../resource/common-attributes.ts';
import { nameOf, prefixOf } from '../resource/names.ts';
import { NO_ENTITY } from './consts.ts';
import { iamName, iamNamed } from './name-validators.ts';
import { decodedPolicy, isRolePropagating } from './policy-answers.ts';

/** `aws_iam_role_policy` */
export const rolePolicy: Resource<Aws> = awsResource({
  type: 'IAM Role Policy',
  notFound: NO_ENTITY,
  attributes: {
    ...global,
    ...iamNamed(128),
    policy: iamPolicyText({ required: true }),
    role: string({ required: true, requiresReplace: true, validators: iamName(64) }),
  },

  async create({ aws, object, plan }) {
    const PolicyName = nameOf(aws, plan);
    const requestInput = {
      RoleName: plan.role,
      PolicyName,
      PolicyDocument: normalJson(plan.policy),
    };
    const call = () => aws.iam.putRolePolicy(requestInput);
    await object.operation('putting', call, { isRetryable: isRolePropagating });
    return `${plan.role}:${PolicyName}`;
  },

  async find({ aws, id }) {
    return await aws.iam.getRolePolicy(namesIn(id));
  },

  read(document, { id }) {
    const { RoleName, PolicyName } = namesIn(id);
    return {
      name: PolicyName,
      name_prefix: prefixOf(PolicyName) ?? '',
      policy: normalJson(decodedPolicy(document.PolicyDocument)),
      role: RoleName,
    };
  },

  async update({ aws, plan, id }) {
    await aws.iam.putRolePolicy({ ...namesIn(id), PolicyDocument: normalJson(plan.policy) });
  },

  async delete({ aws, id }) {
    await aws.iam.deleteRolePolicy(namesIn(id));
  },
});

function namesIn(id: string): { readonly RoleName: string; readonly PolicyName: string } {
  const [, RoleName, PolicyName] = /^([^:]+):(.+)$/.exec(id) ?? [];
  if (RoleName === undefined || PolicyName === undefined) {
    throw new Error('role_policy id must be of the form <role name>:<policy name>');
  }
  return { RoleName, PolicyName };
}
