import type { RemoteObject } from '@terrane/provider/sdk';
import type { RegionalAws } from '../clients/aws.ts';
import { equivalentPolicies } from '../json-policy/equivalent-policies.ts';
import { normalJson } from '../json-policy/normal-json.ts';
import { hasCode } from '../request/aws-error.ts';
import { NO_ENTITY } from './consts.ts';
import { markedPages } from './marked-pages.ts';
import { decodedPolicy, isAttachmentPropagating, isRolePropagating } from './policy-answers.ts';

/** An inline policy of a role. */
export interface InlinePolicy {
  readonly name: string | null;
  readonly policy: string | null;
}

/** The names of the policies that are parts of a role. */
export async function inlinePolicyNames(
  aws: RegionalAws,
  RoleName: string,
): Promise<readonly string[]> {
  return await markedPages(
    (from) => aws.iam.listRolePolicies({ RoleName, ...from }),
    (page) => page.PolicyNames,
  );
}

/** The policies that are parts of a role. */
export async function inlinePolicies(
  aws: RegionalAws,
  RoleName: string,
): Promise<readonly InlinePolicy[]> {
  const names = await inlinePolicyNames(aws, RoleName);
  return await Promise.all(
    names.map(async (PolicyName) => {
      const { PolicyDocument } = await aws.iam.getRolePolicy({ RoleName, PolicyName });
      return { name: PolicyName, policy: normalJson(decodedPolicy(PolicyDocument)) };
    }),
  );
}

/** Compares two lists of policies by name and meaning. A block without a name is ignored. */
export function sameInlinePolicies(
  before: readonly InlinePolicy[],
  after: readonly InlinePolicy[],
): boolean {
  const [a, b] = [byName(before), byName(after)];
  return (
    a.size === b.size &&
    [...a].every(([name, policy]) => equivalentPolicies(policy, b.get(name) ?? ''))
  );
}

function byName(policies: readonly InlinePolicy[]): ReadonlyMap<string, string> {
  return new Map(
    policies.flatMap(({ name, policy }) =>
      name === null || name === '' ? [] : [[name, policy ?? ''] as const],
    ),
  );
}

/** Changes the inline policies of a role. */
export async function changeInlinePolicies(
  aws: RegionalAws,
  role: RemoteObject,
  RoleName: string,
  before: readonly InlinePolicy[],
  after: readonly InlinePolicy[],
): Promise<void> {
  const [old, wanted] = [byName(before), byName(after)];
  await deleteInlinePolicies(
    aws,
    RoleName,
    [...old.keys()].filter((name) => !wanted.has(name)),
  );
  for (const [PolicyName, policy] of wanted) {
    if (equivalentPolicies(old.get(PolicyName) ?? '', policy)) continue;
    const requestInput = { RoleName, PolicyName, PolicyDocument: normalJson(policy) };
    const call = () => aws.iam.putRolePolicy(requestInput);
    const options = { isRetryable: isRolePropagating };
    await role.operation(`adding inline policy (${PolicyName}) to`, call, options);
  }
}

/** Deletes inline policies of a role, if they exist. */
export async function deleteInlinePolicies(
  aws: RegionalAws,
  RoleName: string,
  names: readonly string[],
): Promise<void> {
  for (const PolicyName of names) {
    await orMissing(aws.iam.deleteRolePolicy({ RoleName, PolicyName }));
  }
}

/** Returns the ARNs of the managed policies attached to a role. */
export async function attachedPolicies(
  aws: RegionalAws,
  RoleName: string,
): Promise<readonly string[]> {
  const names = await markedPages(
    (from) => aws.iam.listAttachedRolePolicies({ RoleName, ...from }),
    (page) => page.AttachedPolicies,
  );
  return names.flatMap(({ PolicyArn }) => (PolicyArn === undefined ? [] : [PolicyArn]));
}

/** Attaches a policy to a role. Either may be new, so that IAM does not know it everywhere yet. */
export async function attachPolicy(
  aws: RegionalAws,
  object: RemoteObject,
  RoleName: string,
  PolicyArn: string,
): Promise<void> {
  const call = () => aws.iam.attachRolePolicy({ RoleName, PolicyArn });
  await object.operation(`attaching IAM Policy (${PolicyArn}) to`, call, {
    isRetryable: (error) => isAttachmentPropagating(error, PolicyArn),
  });
}

/** Changes the managed policies that are attached to a role. */
export async function changeAttachedPolicies(
  aws: RegionalAws,
  role: RemoteObject,
  RoleName: string,
  before: readonly string[],
  after: readonly string[],
): Promise<void> {
  await detachPolicies(
    aws,
    RoleName,
    before.filter((arn) => !after.includes(arn)),
  );
  for (const PolicyArn of after.filter((arn) => !before.includes(arn))) {
    await attachPolicy(aws, role, RoleName, PolicyArn);
  }
}

/** Detaches managed policies from a role; those that are not attached are ignored. */
export async function detachPolicies(
  aws: RegionalAws,
  RoleName: string,
  arns: readonly string[],
): Promise<void> {
  for (const PolicyArn of arns) await orMissing(aws.iam.detachRolePolicy({ RoleName, PolicyArn }));
}

/** Removes a role from all instance profiles, which is required before its deletion. */
export async function leaveInstanceProfiles(aws: RegionalAws, RoleName: string): Promise<void> {
  const profiles = await markedPages(
    (from) => aws.iam.listInstanceProfilesForRole({ RoleName, ...from }),
    (page) => page.InstanceProfiles,
  );
  for (const { InstanceProfileName } of profiles) {
    await orMissing(aws.iam.removeRoleFromInstanceProfile({ InstanceProfileName, RoleName }));
  }
}

/** Awaits a removal, and ignores the error that the object does not exist. */
export async function orMissing(removal: Promise<unknown>): Promise<void> {
  try {
    await removal;
  } catch (error) {
    if (!hasCode(error, ...NO_ENTITY)) throw error;
  }
}
