import { locationText } from '../location.ts';
import type {
  AppliedRule,
  DriftedAttribute,
  DriftEntry,
  DriftLevel,
  DriftReport,
  ReportedValue,
} from '../model.ts';

/** The greatest length of a value in a text. */
const MAX_VALUE_LENGTH = 80;
/** The number of references that a text names. */
const MAX_REFERENCES = 3;

/** Describes an entry without its address, as the end of a sentence. */
export function headlineOf({ kind, isVanished, level }: DriftEntry): string {
  if (isVanished) return 'does not exist any more';
  if (kind === 'record') return 'has other stored data of its provider';
  if (kind === 'output') return 'has another value';
  return LEVEL_WORDS[level];
}

const LEVEL_WORDS: Readonly<Record<DriftLevel, string>> = {
  vanished: 'does not exist any more',
  configured: 'has a configured argument with another value',
  referenced: 'has another value that the configuration refers to',
  noise: 'has other values that nothing depends on',
};

/** Formats a value on one line. */
export function valueWords(value: ReportedValue): string {
  switch (value.kind) {
    case 'absent':
      return '(not set)';
    case 'sensitive':
      return '(sensitive value)';
    case 'unknown':
      return '(known after apply)';
    case 'known':
      return value.json.length > MAX_VALUE_LENGTH
        ? `${value.json.slice(0, MAX_VALUE_LENGTH)}…`
        : value.json;
  }
}

/** Formats the change of an attribute: `name: "a" -> "b"`. */
export function changeWords({ path, before, after }: DriftedAttribute): string {
  const change = `${valueWords(before)} -> ${valueWords(after)}`;
  return path === '' ? change : `${path}: ${change}`;
}

/** Describes why a change has its level; empty for noise. */
export function basisWords(change: DriftedAttribute): string {
  const { configuredAt, isIgnoredByConfiguration, references } = change;
  const reasons: string[] = [];
  if (isIgnoredByConfiguration) reasons.push('in ignore_changes');
  else if (configuredAt !== undefined) reasons.push(`set at ${locationText(configuredAt)}`);
  if (references.length > 0) {
    const named = references
      .slice(0, MAX_REFERENCES)
      .map(({ from, location }) => `${from} (${locationText(location)})`);
    const rest = references.length - named.length;
    const more = rest > 0 ? ` and ${rest} more` : '';
    reasons.push(`used by ${named.join(', ')}${more}`);
  }
  return reasons.join('; ');
}

/** Describes an ignore rule. */
export function ruleWords({ location, owner, reason, until }: AppliedRule): string {
  return `${locationText(location)}, until ${until}, ${owner}: ${reason}`;
}

/** Describes an entry in sentences, for formats with one message for each result. */
export function messageOf(entry: DriftEntry): string {
  const { address, changes, prediction } = entry;
  const lines = [`${address} ${headlineOf(entry)}.`];
  for (const change of changes) {
    const basis = basisWords(change);
    const ignored = change.ignoredBy === undefined ? '' : ' (ignored)';
    lines.push(`- ${changeWords(change)}${basis === '' ? '' : ` [${basis}]`}${ignored}`);
  }
  lines.push(`${prediction.summary}.`);
  for (const each of prediction.consequences) lines.push(`- ${each.address}: ${each.action}`);
  return lines.join('\n');
}

/** Counts the entries of a report. */
export function countsOf({ entries, alarms }: DriftReport): {
  readonly alarms: number;
  readonly ignored: number;
  readonly below: number;
} {
  const ignored = entries.filter(({ isIgnored }) => isIgnored).length;
  return { alarms: alarms.length, ignored, below: entries.length - alarms.length - ignored };
}

/** The rules that ignore an entry or parts of it, each once. */
export function rulesOf({ ignoredBy, changes }: DriftEntry): readonly AppliedRule[] {
  const rules = new Map<string, AppliedRule>();
  for (const rule of [ignoredBy, ...changes.map((change) => change.ignoredBy)])
    if (rule !== undefined) rules.set(locationText(rule.location), rule);
  return [...rules.values()];
}
