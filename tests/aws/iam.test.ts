import { IAM } from '@aws-sdk/client-iam';
import { awsProvider } from '@terrane/provider-aws';
import { acceptanceTest } from '@terrane/provider-testing';
import { afterAll, beforeAll, describe, it } from 'vitest';
import { type AwsServer, resourceLife, startAws } from './moto-life.ts';
import { ACCOUNT } from './shared-moto.ts';

const TRUST = (service: string): string => `jsonencode({
    Version = "2012-10-17"
    Statement = { Effect = "Allow", Action = ["sts:AssumeRole"], Principal = { Service = "${service}.amazonaws.com" } }
  })`;

const ALLOW = (action: string): string => `jsonencode({
    Version   = "2012-10-17"
    Statement = [{ Effect = "Allow", Action = "${action}", Resource = "*" }]
  })`;

const ROLE = `
resource "aws_iam_role" "role" {
  name               = "worker"
  assume_role_policy = ${TRUST('ec2')}
}
`;

const OTHER = `
resource "aws_iam_policy" "other" {
  name   = "other"
  policy = ${ALLOW('sqs:*')}
}
`;

describe('iam', () => {
  let server: AwsServer;
  let iam: IAM;

  beforeAll(async () => {
    server = await startAws();
    iam = new IAM(server.options());
  });
  afterAll(() => server.stop());

  const roles = async (): Promise<readonly unknown[]> => (await iam.listRoles({})).Roles ?? [];

  it('leads a role through its life', { timeout: 600_000 }, async () => {
    await resourceLife(server, {
      address: 'aws_iam_role.it',
      provider: 'default_tags {\n tags = { Team = "core" }\n}',
      config: `
resource "aws_iam_role" "it" {
  name               = "worker"
  assume_role_policy = ${TRUST('ec2')}
  description        = "works"
  tags               = { Env = "test" }
}
${OTHER}`,
      state: {
        id: 'worker',
        arn: `arn:aws:iam::${ACCOUNT}:role/worker`,
        description: 'works',
        path: '/',
        max_session_duration: 3600,
        force_detach_policies: false,
        name_prefix: '',
        tags_all: { Env: 'test', Team: 'core' },
      },
      updates: [
        {
          config: `
resource "aws_iam_role" "it" {
  name                 = "worker"
  assume_role_policy   = ${TRUST('lambda')}
  max_session_duration = 7200
  permissions_boundary = aws_iam_policy.other.arn
  managed_policy_arns  = [aws_iam_policy.other.arn]
  inline_policy {
    name   = "read"
    policy = ${ALLOW('s3:GetObject')}
  }
  inline_policy {
    name   = "write"
    policy = ${ALLOW('s3:PutObject')}
  }
}
${OTHER}`,
          state: {
            description: '',
            max_session_duration: 7200,
            permissions_boundary: `arn:aws:iam::${ACCOUNT}:policy/other`,
            managed_policy_arns: [`arn:aws:iam::${ACCOUNT}:policy/other`],
          },
        },
        {
          config: `
resource "aws_iam_role" "it" {
  name                  = "worker"
  assume_role_policy    = ${TRUST('lambda')}
  force_detach_policies = true
  managed_policy_arns   = []
  inline_policy {
    name   = "write"
    policy = ${ALLOW('s3:*')}
  }
}
${OTHER}`,
          state: { managed_policy_arns: [], permissions_boundary: '' },
        },
      ],
      replace: {
        config: `
resource "aws_iam_role" "it" {
  name_prefix        = "worker-"
  path               = "/teams/"
  assume_role_policy = ${TRUST('ec2')}
}
${OTHER}`,
        by: ['name_prefix', 'path'],
        state: { name: /^worker-\d{18}[0-9a-f]{8}$/ },
      },
      drift: {
        change: (role) =>
          iam.updateRole({ RoleName: String(role['name']), MaxSessionDuration: 4000 }),
        seen: { max_session_duration: 4000 },
      },
      disappear: (role) => iam.deleteRole({ RoleName: String(role['name']) }),
      remaining: roles,
    });
  });

  it('leads a policy through its life', { timeout: 600_000 }, async () => {
    const policy = (action: string, more = ''): string => `
resource "aws_iam_policy" "it" {
  name   = "allowed"
  policy = ${ALLOW(action)}
  ${more}
}
`;
    await resourceLife(server, {
      address: 'aws_iam_policy.it',
      config: policy('s3:Get*', 'tags = { Env = "test" }'),
      state: {
        id: `arn:aws:iam::${ACCOUNT}:policy/allowed`,
        attachment_count: 0,
        policy:
          '{"Statement":[{"Action":"s3:Get*","Effect":"Allow","Resource":"*"}],"Version":"2012-10-17"}',
      },
      // A policy has 5 versions at most.
      updates: ['a', 'b', 'c', 'd', 'e'].map((letter) => ({
        config: policy(`sqs:${letter}`),
        state: { policy: new RegExp(`sqs:${letter}`), tags_all: {} },
      })),
      replace: {
        config: policy('sqs:*', 'description = "other"'),
        by: ['description'],
        state: { description: 'other' },
      },
      drift: {
        change: ({ id }) =>
          iam.createPolicyVersion({
            PolicyArn: String(id),
            PolicyDocument:
              '{"Version":"2012-10-17","Statement":{"Effect":"Deny","Action":"*","Resource":"*"}}',
            SetAsDefault: true,
          }),
        seen: { policy: /Deny/ },
      },
      disappear: async ({ id }) => {
        const PolicyArn = String(id);
        const { Versions = [] } = await iam.listPolicyVersions({ PolicyArn });
        for (const { IsDefaultVersion, VersionId } of Versions) {
          if (IsDefaultVersion !== true) await iam.deletePolicyVersion({ PolicyArn, VersionId });
        }
        await iam.deletePolicy({ PolicyArn });
      },
      remaining: async () => (await iam.listPolicies({ Scope: 'Local' })).Policies ?? [],
    });
  });

  it('leads a policy of a role through its life', { timeout: 600_000 }, async () => {
    const policy = (action: string, name: string): string => `${ROLE}
resource "aws_iam_role_policy" "it" {
  ${name}
  role   = aws_iam_role.role.id
  policy = ${ALLOW(action)}
}
`;
    await resourceLife(server, {
      address: 'aws_iam_role_policy.it',
      config: policy('s3:Get*', 'name = "read"'),
      state: { id: 'worker:read', role: 'worker', name: 'read' },
      updates: [{ config: policy('s3:*', 'name = "read"'), state: { policy: /s3:\*/ } }],
      replace: {
        config: policy('s3:*', 'name_prefix = "read-"'),
        by: ['name_prefix'],
        state: { id: /^worker:read-\d{18}/ },
      },
      drift: {
        change: ({ name }) =>
          iam.putRolePolicy({
            RoleName: 'worker',
            PolicyName: String(name),
            PolicyDocument:
              '{"Version":"2012-10-17","Statement":{"Effect":"Deny","Action":"*","Resource":"*"}}',
          }),
        seen: { policy: /Deny/ },
        // The role tells its policies too.
        alsoSeen: { 'aws_iam_role.role': {} },
      },
      disappear: ({ name }) =>
        iam.deleteRolePolicy({ RoleName: 'worker', PolicyName: String(name) }),
      alsoSeen: { 'aws_iam_role.role': { inline_policy: [] } },
      remaining: roles,
    });
  });

  it('leads an attachment of a policy through its life', { timeout: 600_000 }, async () => {
    const attachment = (policy: string): string => `${ROLE}${OTHER}
resource "aws_iam_policy" "policy" {
  name   = "allowed"
  policy = ${ALLOW('s3:*')}
}
resource "aws_iam_role_policy_attachment" "it" {
  role       = aws_iam_role.role.name
  policy_arn = aws_iam_policy.${policy}.arn
}
`;
    await resourceLife(server, {
      address: 'aws_iam_role_policy_attachment.it',
      config: attachment('policy'),
      state: {
        id: `worker/arn:aws:iam::${ACCOUNT}:policy/allowed`,
        policy_arn: `arn:aws:iam::${ACCOUNT}:policy/allowed`,
      },
      replace: {
        config: attachment('other'),
        by: ['policy_arn'],
        state: { policy_arn: `arn:aws:iam::${ACCOUNT}:policy/other` },
      },
      disappear: ({ policy_arn }) =>
        iam.detachRolePolicy({ RoleName: 'worker', PolicyArn: String(policy_arn) }),
      alsoSeen: {
        'aws_iam_policy.other': { attachment_count: 0 },
        'aws_iam_role.role': { managed_policy_arns: [] },
      },
      without: {
        updates: 'both of its arguments need a replacement',
        drift: 'there is nothing to it but being there',
      },
      remaining: roles,
    });
  });

  it('leads an instance profile through its life', { timeout: 600_000 }, async () => {
    await resourceLife(server, {
      address: 'aws_iam_instance_profile.it',
      config: `${ROLE}
resource "aws_iam_instance_profile" "it" {
  name = "machines"
  role = aws_iam_role.role.name
  tags = { Env = "test" }
}
`,
      state: {
        id: 'machines',
        arn: `arn:aws:iam::${ACCOUNT}:instance-profile/machines`,
        role: 'worker',
      },
      updates: [
        {
          config: `${ROLE}
resource "aws_iam_instance_profile" "it" {
  name = "machines"
}
`,
          state: { role: '', tags_all: {} },
        },
      ],
      replace: {
        config: `${ROLE}
resource "aws_iam_instance_profile" "it" {
  name = "others"
  role = aws_iam_role.role.name
}
`,
        by: ['name'],
      },
      drift: {
        change: () =>
          iam.removeRoleFromInstanceProfile({ InstanceProfileName: 'others', RoleName: 'worker' }),
        seen: { role: '' },
      },
      disappear: async () => {
        const profile = { InstanceProfileName: 'others' };
        await iam.removeRoleFromInstanceProfile({ ...profile, RoleName: 'worker' });
        await iam.deleteInstanceProfile(profile);
      },
      remaining: async () => (await iam.listInstanceProfiles({})).InstanceProfiles ?? [],
    });
  });

  it('leads a user through its life', { timeout: 600_000 }, async () => {
    await resourceLife(server, {
      address: 'aws_iam_user.it',
      config: `
resource "aws_iam_user" "it" {
  name = "ann"
  tags = { Env = "test" }
}
`,
      state: { id: 'ann', arn: `arn:aws:iam::${ACCOUNT}:user/ann`, path: '/' },
      updates: [
        {
          config: `
resource "aws_iam_user" "it" {
  name = "bob"
  path = "/people/"
}
`,
          state: { id: 'bob', arn: `arn:aws:iam::${ACCOUNT}:user/people/bob`, tags_all: {} },
        },
      ],
      drift: {
        change: () => iam.tagUser({ UserName: 'bob', Tags: [{ Key: 'Odd', Value: 'yes' }] }),
        seen: { tags_all: { Odd: 'yes' } },
      },
      without: { replace: 'none of its arguments needs a replacement: IAM renames users' },
      disappear: () => iam.deleteUser({ UserName: 'bob' }),
      remaining: async () => (await iam.listUsers({})).Users ?? [],
    });
  });

  // Texts as hashicorp/aws 6.25.0 writes them.
  it('writes policies byte for byte', { timeout: 600_000 }, async () => {
    await acceptanceTest({
      providers: { 'hashicorp/aws': awsProvider },
      steps: [
        {
          config: `${server.provider()}
data "aws_iam_policy_document" "source" {
  statement {
    sid       = "Kept"
    actions   = ["s3:GetObject"]
    resources = ["*"]
  }
  statement {
    sid       = "Replaced"
    actions   = ["s3:*"]
    resources = ["*"]
  }
}
data "aws_iam_policy_document" "it" {
  source_policy_documents   = [data.aws_iam_policy_document.source.json]
  override_policy_documents = [jsonencode({ Statement = [{ Sid = "Last", Effect = "Deny", NotAction = "*", NotResource = ["b", "a"], Principal = { Service = ["a", "b"] } }] })]
  policy_id                 = "it"
  statement {
    sid       = "Replaced"
    effect    = "Deny"
    actions   = ["sqs:A", "sqs:C", "sqs:B"]
    resources = ["arn:aws:s3:::<b>/&{aws:username}/*"]
    principals {
      type        = "AWS"
      identifiers = ["1", "2"]
    }
    condition {
      test     = "StringLike"
      variable = "s3:prefix"
      values   = ["", "home/"]
    }
    condition {
      test     = "StringEquals"
      variable = "aws:x"
      values   = ["y"]
    }
  }
  statement {
    sid = "Last"
  }
  statement {
    not_principals {
      type        = "*"
      identifiers = ["*"]
    }
  }
}
`,
          state: {
            'data.aws_iam_policy_document.source': {
              json: `{
  "Version": "2012-10-17",
  "Statement": [
    {
      "Sid": "Kept",
      "Effect": "Allow",
      "Action": "s3:GetObject",
      "Resource": "*"
    },
    {
      "Sid": "Replaced",
      "Effect": "Allow",
      "Action": "s3:*",
      "Resource": "*"
    }
  ]
}`,
            },
            'data.aws_iam_policy_document.it': {
              minified_json:
                '{"Version":"2012-10-17","Id":"it","Statement":[{"Sid":"Kept","Effect":"Allow","Action":"s3:GetObject","Resource":"*"},{"Sid":"Replaced","Effect":"Deny","Action":["sqs:C","sqs:B","sqs:A"],"Resource":"arn:aws:s3:::\\u003cb\\u003e/${aws:username}/*","Principal":{"AWS":["2","1"]},"Condition":{"StringEquals":{"aws:x":"y"},"StringLike":{"s3:prefix":["","home/"]}}},{"Sid":"Last","Effect":"Deny","NotAction":"*","NotResource":["b","a"],"Principal":{"Service":["b","a"]}},{"Effect":"Allow","NotPrincipal":"*"}]}',
            },
          },
        },
      ],
    });
  });
});
