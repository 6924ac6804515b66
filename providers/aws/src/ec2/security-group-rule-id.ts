import { crc32 } from 'node:zlib';
import type { RuleTarget } from './rule-targets.ts';

/** The id of an `aws_security_group_rule` in the state: a checksum of its arguments, because EC2 has no id for it. */
export function securityGroupRuleId(
  group: string,
  type: string,
  targets: readonly RuleTarget[],
  from: number,
  to: number,
): string {
  const values = (kind: RuleTarget['kind']): string =>
    targets
      .filter((each) => each.kind === kind)
      .map(({ value }) => `${value},`)
      .sort()
      .join('');
  const port = (number: number): string => (number > 0 ? `${number}-` : '');
  const parts = [
    `${group}-`,
    port(from),
    port(to),
    `${targets[0]?.protocol ?? ''}-`,
    `${type}-`,
    values('cidr'),
    values('cidr6'),
    values('prefix'),
    values('group'),
  ];
  return `sgrule-${crc32(parts.join(''))}`;
}
