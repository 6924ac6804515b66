// Contract violations of the test provider, and the command that each occurs in.
import { BREAKAGES } from './breaker-provider.ts';

/** One way to break the contract. */
export interface BreakerCase {
  readonly name: string;
  /** what is applied before, without being looked at */
  readonly before: string;
  readonly config: string;
  readonly command: readonly string[];
}

const HEAD = `terraform {
  required_providers {
    breaker = { source = "acme/breaker" }
  }
}
`;

/** An object that exists before anything is broken. */
export const GOOD: string = `${HEAD}
resource "breaker_thing" "good" {
  name = "good"
}
`;

function bad(rule: string, more = ''): string {
  return `${GOOD}
resource "breaker_thing" "bad" {
  rule = ${JSON.stringify(rule)}
  name = "bad"
  tags = { a = "1" }
  box  = { width = 3 }
  part {
    label = "one"
  }
${more}}
`;
}

const APPLY = ['apply', '-auto-approve', '-json'] as const;

function caseOf(rule: string): BreakerCase {
  const fresh = { name: rule, before: GOOD, config: bad(rule), command: APPLY };
  if (rule.startsWith('plan: the second plan')) {
    const late = `  late = breaker_thing.first.token\n`;
    const first = `\nresource "breaker_thing" "first" {\n  name = "first"\n}\n`;
    return { ...fresh, config: bad(rule, late) + first };
  }
  if (rule.startsWith('plan: prior') || rule.startsWith('plan: replacement')) {
    const changed = bad(rule).replace('"bad"\n  tags', '"changed"\n  tags');
    return { ...fresh, before: bad(rule), config: changed };
  }
  if (rule === 'apply: write-only value returned') {
    return { ...fresh, config: bad(rule, `  secret = "s3cret"\n`) };
  }
  if (rule.startsWith('read')) return { ...fresh, before: bad(rule), config: bad(rule) };
  if (rule.startsWith('destroy')) {
    return { ...fresh, before: bad(rule), config: GOOD };
  }
  if (rule.startsWith('data') || rule.startsWith('open')) {
    const kind = rule.startsWith('data') ? 'data "breaker_data"' : 'ephemeral "breaker_open"';
    const block = `${kind} "bad" {\n  rule = ${JSON.stringify(rule)}\n  name = "bad"\n}\n`;
    return { ...fresh, config: `${GOOD}\n${block}` };
  }
  return fresh;
}

/** The same rules where an object that exists is changed. */
const UPDATES = [
  'apply: planned value changed',
  'apply: unknown value left',
  'apply: null instead of an object',
  'apply: throws',
  'apply: fails with a part of the object',
  'apply: fails without an object',
  'apply: wrong type',
];

/** All of them. */
export const CASES: readonly BreakerCase[] = [
  ...Object.keys(BREAKAGES).map(caseOf),
  ...UPDATES.map((rule) => ({
    name: `${rule}, in an update`,
    before: bad('none'),
    config: bad(rule),
    command: APPLY,
  })),
  ...UPDATES.map((rule) => ({
    name: `${rule}, in a replacement`,
    before: bad('none', '  kind = "a"\n'),
    config: bad(rule, '  kind = "b"\n'),
    command: APPLY,
  })),
];
