import { minutes, seconds } from '@terrane/provider/sdk';
import { prerequisite, role, TRUST } from './prerequisite.ts';
import { type ServiceRules, xmlElement } from './rules.ts';

const NO_ROLE = {
  status: 404,
  code: 'NoSuchEntity',
  message: 'The role with name it cannot be found.',
};
const NO_POLICY = {
  status: 404,
  code: 'NoSuchEntity',
  message: 'Policy arn:aws:iam::123456789012:policy/it does not exist or is not attachable.',
};
const BAD_PRINCIPAL = {
  status: 400,
  code: 'MalformedPolicyDocument',
  message: 'Invalid principal in policy: "AWS":"arn:aws:iam::123456789012:role/new"',
};
const CONFLICT = {
  status: 409,
  code: 'DeleteConflict',
  message: 'Cannot delete entity, must detach all policies first.',
  anyMessage: true,
};
const ALLOW = JSON.stringify({
  Version: '2012-10-17',
  Statement: [{ Effect: 'Allow', Action: 'sqs:*', Resource: '*' }],
});
const NEW_ROLE = 'not retried; a new role may not be visible yet';

/** Resource types of IAM. */
export const IAM: ServiceRules = {
  service: 'IAM',
  types: [
    {
      type: 'aws_iam_role',
      sources: [{ file: 'iam/role.go', release: '6' }],
      subject: {
        written: (name) => ({
          name,
          assume_role_policy: TRUST,
          inline_policy: [{ name: 'inline', policy: ALLOW }],
        }),
        updated: (name) => ({
          name,
          assume_role_policy: TRUST.replace('ec2.', 'ecs.'),
          inline_policy: [{ name: 'inline', policy: ALLOW }],
        }),
      },
      note: 'a role whose ARN was missing once must be read with it 5 times in a row',
      rules: [
        {
          kind: 'retry',
          step: 'create',
          service: 'iam',
          operation: 'CreateRole',
          errors: [BAD_PRINCIPAL],
          limit: minutes(2),
        },
        {
          kind: 'retry',
          step: 'create',
          service: 'iam',
          operation: 'PutRolePolicy',
          errors: [NO_ROLE],
          limit: minutes(2),
          difference: NEW_ROLE,
        },
        {
          kind: 'wait',
          step: 'create',
          service: 'iam',
          operation: 'GetRole',
          pending: [],
          target: ['its ARN'],
          show: xmlElement('Arn'),
          missing: NO_ROLE,
          delay: seconds(10),
          limit: minutes(2),
        },
        {
          kind: 'retry',
          step: 'update',
          service: 'iam',
          operation: 'UpdateAssumeRolePolicy',
          errors: [BAD_PRINCIPAL],
          limit: minutes(2),
        },
        {
          kind: 'retry',
          step: 'delete',
          service: 'iam',
          operation: 'DeleteRole',
          errors: [CONFLICT],
          limit: minutes(2),
        },
      ],
    },
    {
      type: 'aws_iam_role_policy',
      sources: [{ file: 'iam/role_policy.go', commit: '02f97af85f89a04e8ed89f5e8b64a9a67f3cfe07' }],
      subject: {
        prepare: async (actors, name) => {
          await role(actors, name);
          return { role: name };
        },
        written: (name) => ({ name, policy: ALLOW }),
      },
      rules: [
        {
          kind: 'retry',
          step: 'create',
          service: 'iam',
          operation: 'PutRolePolicy',
          errors: [NO_ROLE],
          limit: minutes(2),
          difference: NEW_ROLE,
        },
      ],
    },
    {
      type: 'aws_iam_role_policy_attachment',
      sources: [
        {
          file: 'iam/role_policy_attachment.go',
          release: '6',
        },
      ],
      subject: {
        prepare: async (actors, name) => {
          await role(actors, name);
          const policy = await prerequisite(actors, 'aws_iam_policy', { name, policy: ALLOW });
          return { role: name, policy_arn: String(policy['arn']) };
        },
        written: () => ({}),
      },
      rules: [
        {
          kind: 'retry',
          step: 'create',
          service: 'iam',
          operation: 'AttachRolePolicy',
          errors: [NO_ROLE, NO_POLICY],
          limit: minutes(2),
          difference:
            'not retried; role and policy may be new. A missing AWS policy is an error at once',
        },
      ],
    },
    {
      type: 'aws_iam_instance_profile',
      sources: [
        { file: 'iam/instance_profile.go', commit: '013f1736b90439e5a19567a87d3e5cd11858c420' },
      ],
      subject: {
        prepare: async (actors, name) => {
          await role(actors, name);
          return { role: name };
        },
        written: (name) => ({ name }),
        updated: (name) => ({ name, role: '' }),
      },
      rules: [
        {
          kind: 'retry',
          step: 'create',
          service: 'iam',
          operation: 'AddRoleToInstanceProfile',
          errors: [NO_ROLE],
          limit: minutes(2),
        },
        {
          kind: 'wait',
          step: 'create',
          service: 'iam',
          operation: 'GetInstanceProfile',
          after: 1,
          pending: ['its number'],
          target: ['its ARN'],
          show: (body) => body.replace(/<Arn>arn:aws:iam::\d+:instance-profile[^<]*/, '<Arn>AIPA0'),
          matches: 3,
          delay: seconds(5),
          limit: minutes(20),
        },
      ],
    },
    {
      type: 'aws_iam_policy',
      sources: [{ file: 'iam/policy.go', commit: '01ccd9a2d118a3e81a9649759bf14303526dc9e6' }],
      subject: { written: (name) => ({ name, policy: ALLOW }) },
      rules: [],
      note: 'only the rules for all resource types',
    },
    {
      type: 'aws_iam_user',
      sources: [{ file: 'iam/user.go', commit: '058fd401f211b1533358038ada6a36b311c9c5e3' }],
      subject: {
        written: (name) => ({ name, force_destroy: true }),
        answers: (proxy) => {
          // The test server does not know these credentials.
          const operation = 'ListServiceSpecificCredentials';
          proxy.add({ service: 'iam', operation }, { kind: 'empty' });
        },
      },
      rules: [
        {
          kind: 'retry',
          step: 'delete',
          service: 'iam',
          operation: 'DeleteLoginProfile',
          errors: [
            {
              status: 409,
              code: 'EntityTemporarilyUnmodifiable',
              message: 'Login Profile for User it cannot be modified while it is being created.',
              anyMessage: true,
            },
          ],
          limit: minutes(2),
        },
        {
          kind: 'retry',
          step: 'delete',
          service: 'iam',
          operation: 'DeleteUser',
          errors: [CONFLICT],
          limit: minutes(2),
          difference:
            'not retried; with `force_destroy`, what was just removed may still be visible',
        },
      ],
    },
  ],
};
