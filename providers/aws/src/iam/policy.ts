import { int64, type Resource, string } from '@terrane/provider/sdk';
import type { Aws, RegionalAws } from '../clients/aws.ts';
import { normalJson } from '../json-policy/normal-json.ts';
import { iamPolicyText } from '../json-policy/policy-text.ts';
import { awsResource } from '../resource/aws-resource.ts';
import { arn, global, tagged } from '../resource/common-attributes.ts';
import { nameOf } from '../resource/names.ts';
import { tagList } from '../tags/tags.ts';
import { NO_ENTITY } from './consts.ts';
import { markedPages } from './marked-pages.ts';
import { iamNamed } from './name-validators.ts';
import { decodedPolicy } from './policy-answers.ts';
import { iamRetag } from './retag.ts';
import { policies } from './lists.ts';

/** `aws_iam_policy` */
export const policy: Resource<Aws> = awsResource({
  type: 'IAM Policy',
  identity: 'arn',
  list: policies,
  notFound: NO_ENTITY,
  attributes: {
    ...global,
    ...arn,
    ...tagged,
    attachment_count: int64({ computed: true }),
    description: string({ optional: true, requiresReplace: true }),
    ...iamNamed(128),
    path: string({ default: '/', computed: false, requiresReplace: true }),
    policy: iamPolicyText({ required: true }),
    policy_id: string({ computed: true }),
  },
  amazon: { name: 'PolicyName' },

  async create({ aws, plan, tags }) {
    const { Policy } = await aws.iam.createPolicy({
      Description: plan.description ?? '',
      Path: plan.path,
      PolicyDocument: normalJson(plan.policy),
      PolicyName: nameOf(aws, plan),
      Tags: tagList(tags),
    });
    return Policy?.Arn ?? '';
  },

  async find({ aws, id: PolicyArn }) {
    const { Policy } = await aws.iam.getPolicy({ PolicyArn });
    if (Policy === undefined) return undefined;
    const VersionId = Policy.DefaultVersionId;
    const { PolicyVersion } = await aws.iam.getPolicyVersion({ PolicyArn, VersionId });
    return PolicyVersion && { ...Policy, Document: PolicyVersion.Document };
  },

  read: ({ Document }) => ({ policy: normalJson(decodedPolicy(Document)) }),

  async update({ aws, plan, changed, id: PolicyArn }) {
    if (!changed('policy')) return;
    await makeRoomForVersion(aws, PolicyArn);
    const PolicyDocument = normalJson(plan.policy);
    await aws.iam.createPolicyVersion({ PolicyArn, PolicyDocument, SetAsDefault: true });
  },

  retag: iamRetag('Policy', 'PolicyArn'),

  async delete({ aws, id: PolicyArn }) {
    for (const { VersionId } of await olderVersions(aws, PolicyArn)) {
      await aws.iam.deletePolicyVersion({ PolicyArn, VersionId });
    }
    await aws.iam.deletePolicy({ PolicyArn });
  },
});

/** A policy may have 5 versions; the oldest that does not count has to go before there is a 6th. */
async function makeRoomForVersion(aws: RegionalAws, PolicyArn: string): Promise<void> {
  const older = await olderVersions(aws, PolicyArn);
  const [oldest] = older.toSorted(
    (a, b) => (a.CreateDate?.getTime() ?? 0) - (b.CreateDate?.getTime() ?? 0),
  );
  if (older.length < 4 || oldest === undefined) return;
  await aws.iam.deletePolicyVersion({ PolicyArn, VersionId: oldest.VersionId });
}

async function olderVersions(aws: RegionalAws, PolicyArn: string) {
  const versions = await markedPages(
    (from) => aws.iam.listPolicyVersions({ PolicyArn, ...from }),
    (page) => page.Versions,
  );
  return versions.filter(({ IsDefaultVersion }) => IsDefaultVersion !== true);
}
