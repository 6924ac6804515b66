import type { AttributeValidator } from '@terrane/provider/sdk';
import type { IpPermission } from '@aws-sdk/client-ec2';
import { isIpv4Network } from '../resource/text-forms.ts';
import { each, inside, matches } from '../resource/validators.ts';

/** Validates the name of a group. */
export const isGroupName: AttributeValidator = matches(/^(?!sg-)/, 'cannot begin with sg-');

/** Validates the networks of a rule in a group. */
export const areNetworks: AttributeValidator = inside('cidr_blocks', each(isIpv4Network));

/** A rule of a security group as it is written in it: for several networks and groups at once. */
export interface InlineRule {
  readonly cidr_blocks: readonly string[] | null;
  readonly description: string | null;
  readonly from_port: number | null;
  readonly ipv6_cidr_blocks: readonly string[] | null;
  readonly prefix_list_ids: readonly string[] | null;
  readonly protocol: string | null;
  readonly security_groups: readonly string[] | null;
  readonly self: boolean | null;
  readonly to_port: number | null;
}

/** An empty rule. */
export const EMPTY_RULE: { readonly [K in keyof InlineRule]: NonNullable<InlineRule[K]> } = {
  cidr_blocks: [],
  description: '',
  from_port: 0,
  ipv6_cidr_blocks: [],
  prefix_list_ids: [],
  protocol: '',
  security_groups: [],
  self: false,
  to_port: 0,
};

/** A target of a rule, which EC2 stores as a separate rule. */
export interface RuleTarget {
  readonly protocol: string;
  readonly from: number;
  readonly to: number;
  readonly description: string;
  readonly kind: 'cidr' | 'cidr6' | 'prefix' | 'group';
  readonly value: string;
}

const PROTOCOLS: Readonly<Record<string, string>> = {
  all: '-1',
  tcp: 'tcp',
  udp: 'udp',
  icmp: 'icmp',
  icmpv6: 'icmpv6',
  '6': 'tcp',
  '17': 'udp',
  '1': 'icmp',
  '58': 'icmpv6',
};

/** A protocol as EC2 calls it. */
export function protocolOf(written: string): string {
  const name = written.toLowerCase();
  return PROTOCOLS[name] ?? name;
}

/** The targets of a written rule of a group. */
export function targetsOf(rule: InlineRule, group: string): readonly RuleTarget[] {
  const protocol = protocolOf(rule.protocol ?? '');
  const any = protocol === '-1';
  const common = {
    protocol,
    from: any ? 0 : (rule.from_port ?? 0),
    to: any ? 0 : (rule.to_port ?? 0),
    description: rule.description ?? '',
  };
  const each = (kind: RuleTarget['kind'], values: readonly string[] | null): RuleTarget[] =>
    (values ?? []).map((value) => ({ ...common, kind, value }));
  return [
    ...each('cidr', rule.cidr_blocks),
    ...each('cidr6', rule.ipv6_cidr_blocks),
    ...each('prefix', rule.prefix_list_ids),
    ...each('group', rule.security_groups),
    ...(rule.self === true ? each('group', [group]) : []),
  ];
}

/** Returns the targets of a group. `owner`: the account whose groups are named by ID alone. */
export function foundTargets(permissions: readonly IpPermission[], owner: string): RuleTarget[] {
  return permissions.flatMap((permission) => {
    const protocol = protocolOf(permission.IpProtocol ?? '');
    const any = protocol === '-1';
    const common = {
      protocol,
      from: any ? 0 : (permission.FromPort ?? 0),
      to: any ? 0 : (permission.ToPort ?? 0),
    };
    return [
      ...(permission.IpRanges ?? []).map(({ CidrIp, Description }) =>
        target(common, 'cidr', CidrIp, Description),
      ),
      ...(permission.Ipv6Ranges ?? []).map(({ CidrIpv6, Description }) =>
        target(common, 'cidr6', CidrIpv6, Description),
      ),
      ...(permission.PrefixListIds ?? []).map(({ PrefixListId, Description }) =>
        target(common, 'prefix', PrefixListId, Description),
      ),
      ...(permission.UserIdGroupPairs ?? []).map(({ GroupId, UserId, Description }) => {
        const isOwnGroup = UserId === undefined || UserId === '' || UserId === owner;
        return target(
          common,
          'group',
          isOwnGroup ? GroupId : `${UserId}/${GroupId ?? ''}`,
          Description,
        );
      }),
    ];
  });
}

function target(
  common: Pick<RuleTarget, 'protocol' | 'from' | 'to'>,
  kind: RuleTarget['kind'],
  value: string | undefined,
  description: string | undefined,
): RuleTarget {
  return { ...common, kind, value: value ?? '', description: description ?? '' };
}

/** A text for each target that no other one has. */
export function keyOf({ protocol, from, to, description, kind, value }: RuleTarget): string {
  return JSON.stringify([protocol, from, to, description, kind, value]);
}

/** A target in a request. */
export function permissionOf(each: RuleTarget): IpPermission {
  const { protocol, from, to, kind, value, description } = each;
  const more = description === '' ? {} : { Description: description };
  const [user, group] = value.includes('/') ? value.split('/', 2) : [undefined, value];
  return {
    IpProtocol: protocol,
    ...(protocol !== '-1' && { FromPort: from, ToPort: to }),
    ...(kind === 'cidr' && { IpRanges: [{ CidrIp: value, ...more }] }),
    ...(kind === 'cidr6' && { Ipv6Ranges: [{ CidrIpv6: value, ...more }] }),
    ...(kind === 'prefix' && { PrefixListIds: [{ PrefixListId: value, ...more }] }),
    ...(kind === 'group' && {
      UserIdGroupPairs: [{ GroupId: group, ...(user !== undefined && { UserId: user }), ...more }],
    }),
  };
}

/**
 * Converts targets to rules. A configured rule whose targets all exist is kept as configured; the remaining targets are
 * grouped by protocol, ports and description.
 */
export function rulesOf(
  existingTargets: readonly RuleTarget[],
  written: readonly InlineRule[],
  group: string,
): readonly InlineRule[] {
  const unmatched = new Map(existingTargets.map((each) => [keyOf(each), each]));
  const remaining = written.filter((rule) => {
    const keys = targetsOf(rule, group).map(keyOf);
    if (keys.length === 0 || !keys.every((key) => unmatched.has(key))) return false;
    for (const key of keys) unmatched.delete(key);
    return true;
  });
  const gathered = new Map<string, RuleTarget[]>();
  for (const target of unmatched.values()) {
    const { protocol, from, to, description } = target;
    const key = JSON.stringify([protocol, from, to, description]);
    gathered.set(key, [...(gathered.get(key) ?? []), target]);
  }
  return [...remaining, ...[...gathered.values()].map((targets) => ruleOf(targets, group))];
}

function ruleOf(targets: readonly RuleTarget[], group: string): InlineRule {
  const [first] = targets;
  const values = (kind: RuleTarget['kind']): string[] =>
    targets.filter((each) => each.kind === kind).map(({ value }) => value);
  const groups = values('group');
  return {
    cidr_blocks: values('cidr'),
    description: first?.description ?? '',
    from_port: first?.from ?? 0,
    ipv6_cidr_blocks: values('cidr6'),
    prefix_list_ids: values('prefix'),
    protocol: first?.protocol ?? '',
    security_groups: groups.filter((each) => each !== group),
    self: groups.includes(group),
    to_port: first?.to ?? 0,
  };
}
