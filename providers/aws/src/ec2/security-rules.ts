import type { RemoteObject } from '@terrane/provider/sdk';
import type { RegionalAws } from '../clients/aws.ts';
import { hasCode } from '../request/aws-error.ts';
import { filtersOf } from './filters.ts';
import {
  foundTargets,
  type InlineRule,
  keyOf,
  permissionOf,
  rulesOf,
  type RuleTarget,
  targetsOf,
} from './rule-targets.ts';

/** The direction of traffic. */
export type Direction = 'ingress' | 'egress';

/** Updates the rules of a group, and waits until EC2 reports them. */
export async function changeRules(
  aws: RegionalAws,
  group: RemoteObject,
  id: string,
  direction: Direction,
  before: readonly InlineRule[],
  after: readonly InlineRule[],
): Promise<void> {
  const [was, wanted] = [rulesByKey(before, id), rulesByKey(after, id)];
  const removed = [...was].filter(([key]) => !wanted.has(key)).map(([, target]) => target);
  const added = [...wanted].filter(([key]) => !was.has(key)).map(([, target]) => target);
  if (removed.length > 0) {
    await group.operation(`revoking ${direction} rules of`, () =>
      revoke(aws, id, direction, removed),
    );
  }
  if (added.length > 0) {
    await group.operation(
      `authorizing ${direction} rules of`,
      () => authorize(aws, id, direction, added),
      // A referenced group may be new.
      { isRetryable: (error) => hasCode(error, 'InvalidGroup.NotFound') },
    );
  }
  if (removed.length + added.length === 0) return;
  await group.waitForValue(`${direction} rules`, {
    read: async () => {
      const { SecurityGroups } = await aws.ec2.describeSecurityGroups({ GroupIds: [id] });
      return SecurityGroups?.[0];
    },
    value(rules) {
      const permissions = direction === 'ingress' ? rules.IpPermissions : rules.IpPermissionsEgress;
      const keys = new Set(foundTargets(permissions ?? [], rules.OwnerId ?? '').map(keyOf));
      return (
        added.every((each) => keys.has(keyOf(each))) &&
        !removed.some((each) => keys.has(keyOf(each)))
      );
    },
    expected: true,
  });
}

function rulesByKey(rules: readonly InlineRule[], id: string): Map<string, RuleTarget> {
  const targets = rules.flatMap((rule) => targetsOf(rule, id));
  return new Map(targets.map((each) => [keyOf(each), each]));
}

/** Removes rules from a group; rules that do not exist are ignored. */
export async function revoke(
  aws: RegionalAws,
  GroupId: string,
  direction: Direction,
  targets: readonly RuleTarget[],
): Promise<void> {
  const request = { GroupId, IpPermissions: targets.map(permissionOf) };
  try {
    if (direction === 'ingress') await aws.ec2.revokeSecurityGroupIngress(request);
    else await aws.ec2.revokeSecurityGroupEgress(request);
  } catch (error) {
    if (!hasCode(error, 'InvalidPermission.NotFound')) throw error;
  }
}

/** Adds rules to a group. */
export async function authorize(
  aws: RegionalAws,
  GroupId: string,
  direction: Direction,
  targets: readonly RuleTarget[],
): Promise<void> {
  const request = { GroupId, IpPermissions: targets.map(permissionOf) };
  if (direction === 'ingress') await aws.ec2.authorizeSecurityGroupIngress(request);
  else await aws.ec2.authorizeSecurityGroupEgress(request);
}

/** Removes all rules of a group, and those of other groups that refer to it, so that it can be deleted. */
export async function revokeReferences(
  aws: RegionalAws,
  group: RemoteObject,
  id: string,
): Promise<void> {
  const { SecurityGroups = [] } = await aws.ec2.describeSecurityGroups({ GroupIds: [id] });
  const naming = await Promise.all(
    ['ip-permission.group-id', 'egress.ip-permission.group-id'].map((name) =>
      aws.ec2.describeSecurityGroups({ Filters: filtersOf({ [name]: id }) }),
    ),
  );
  const others = naming.flatMap((each) => each.SecurityGroups ?? []);
  const byId = new Map([...SecurityGroups, ...others].map((each) => [each.GroupId ?? '', each]));
  for (const [name, { IpPermissions, IpPermissionsEgress, OwnerId = '' }] of byId) {
    const ways = [
      ['ingress', IpPermissions],
      ['egress', IpPermissionsEgress],
    ] as const;
    for (const [direction, permissions = []] of ways) {
      const all = foundTargets(permissions, OwnerId);
      const about =
        name === id ? all : all.filter(({ kind, value }) => kind === 'group' && value === id);
      const rules = rulesOf(about, [], name);
      await changeRules(aws, group, name, direction, rules, []);
    }
  }
}
