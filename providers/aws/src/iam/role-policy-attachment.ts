import { NotFoundError, type Resource, string } from '@terrane/provider/sdk';
import type { Aws } from '../clients/aws.ts';
import { awsResource } from '../resource/aws-resource.ts';
import { global } from '../resource/common-attributes.ts';
import { NO_ENTITY } from './consts.ts';
import { attachedPolicies, attachPolicy } from './role-policies.ts';
import { isArn } from '../resource/text-forms.ts';

/** `aws_iam_role_policy_attachment` */
export const rolePolicyAttachment: Resource<Aws> = awsResource({
  type: 'IAM Role Policy Attachment',
  notFound: NO_ENTITY,
  attributes: {
    ...global,
    policy_arn: string({ required: true, requiresReplace: true, validators: [isArn] }),
    role: string({ required: true, requiresReplace: true }),
  },
  label: ({ role, policy_arn: policy }) => `${role}/${policy}`,

  async create({ aws, object, plan }) {
    await attachPolicy(aws, object, plan.role, plan.policy_arn);
    return `${plan.role}/${plan.policy_arn}`;
  },

  async find({ aws, state }) {
    const attached = await attachedPolicies(aws, state.role);
    if (!attached.includes(state.policy_arn)) throw new NotFoundError();
    return state;
  },

  read: () => ({}),

  async delete({ aws, state }) {
    await aws.iam.detachRolePolicy({ RoleName: state.role, PolicyArn: state.policy_arn });
  },

  import(id) {
    const [, role, policy] = /^([^/]+)\/(.+)$/.exec(id) ?? [];
    if (role === undefined || policy === undefined) {
      throw new Error(`unexpected format of ID (${id}), expected <role-name>/<policy_arn>`);
    }
    return { id, role, policy_arn: policy };
  },
});
