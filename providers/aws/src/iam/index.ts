import type { Service } from '../resource/service.ts';
import { instanceProfile } from './instance-profile.ts';
import { policyDocument } from './policy-document.ts';
import { policy } from './policy.ts';
import { rolePolicyAttachment } from './role-policy-attachment.ts';
import { rolePolicy } from './role-policy.ts';
import { role } from './role.ts';
import { user } from './user.ts';

export const iam: Service = {
  resources: {
    aws_iam_instance_profile: instanceProfile,
    aws_iam_policy: policy,
    aws_iam_role: role,
    aws_iam_role_policy: rolePolicy,
    aws_iam_role_policy_attachment: rolePolicyAttachment,
    aws_iam_user: user,
  },
  dataSources: { aws_iam_policy_document: policyDocument },
};
