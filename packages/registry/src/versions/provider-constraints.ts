import { quoteText } from '@terrane/cty';
import { scanConstraint, wildcardName } from './scan-constraint.ts';
import { comparePrecedence, extraIsLess, makeVersion, type Version } from './version.ts';

type Operator = '>' | '>=' | '=' | '~>patch' | '~>minor' | '<=' | '<' | '!=';

interface Term {
  readonly operator: Operator;
  readonly boundary: Version;
}

/**
 * The version constraints of a provider; without terms all versions are allowed. Created by `parseProviderConstraints`.
 */
export interface ProviderConstraints {
  readonly terms: readonly Term[];
}

/** Returns the conjunction of constraints. */
export function joinConstraints(all: Iterable<ProviderConstraints>): ProviderConstraints {
  return { terms: [...all].flatMap(({ terms }) => terms) };
}

/**
 * Parses constraints as go-versions parses Ruby-style ones, which is stricter than the language; `error` has its
 * message.
 */
export function parseProviderConstraints(
  text: string,
): ProviderConstraints | { readonly error: string } {
  const terms: Term[] = [];
  let remain = text.trim();
  while (remain !== '') {
    const { term, rest } = parseTerm(remain);
    const consumed = remain.slice(0, remain.length - rest.length);
    if ('error' in term) {
      return { error: `invalid specification ${quoteText(consumed)}: ${term.error}` };
    }
    remain = rest.trim();
    if (remain !== '') {
      if (remain.startsWith('v')) return { error: 'a "v" prefix should not be used' };
      if (!remain.startsWith(',')) return { error: `missing comma after ${quoteText(consumed)}` };
      remain = remain.slice(1).trim();
    }
    terms.push(term);
  }
  return { terms };
}

function parseTerm(text: string): { term: Term | { readonly error: string }; rest: string } {
  const { raw, rest } = scanConstraint(text);
  const fail = (error: string): { term: { error: string }; rest: string } => ({
    term: { error },
    rest,
  });
  const operator = operatorOf(raw.operator, raw.count);
  if (operator === undefined) {
    const suggestion = raw.operator === '=<' ? '<=' : raw.operator === '=>' ? '>=' : undefined;
    const hint = suggestion === undefined ? '' : `; did you mean ${quoteText(suggestion)}?`;
    return fail(`invalid constraint operator ${quoteText(raw.operator)}${hint}`);
  }
  if (raw.separator !== '' && raw.operator === '') {
    return fail('extraneous spaces at start of specification');
  }
  if (raw.separator !== '' && raw.separator !== ' ') {
    return fail(`only one space is expected after the operator ${quoteText(raw.operator)}`);
  }
  if (raw.count > 3) {
    return fail('too many numbered portions; only three are allowed (major, minor, patch)');
  }
  const wildcard = wildcardName(raw);
  if (wildcard !== undefined) {
    return fail(
      `can't use wildcard for ${wildcard} number; omit segments that should be unconstrained`,
    );
  }
  const [major = '0', minor = '0', patch = '0'] = raw.numbers;
  const boundary = makeVersion(
    BigInt(major),
    BigInt(minor),
    BigInt(patch),
    raw.prerelease,
    raw.metadata,
  );
  return { term: { operator, boundary }, rest };
}

function operatorOf(text: string, numbers: number): Operator | undefined {
  switch (text) {
    case '':
      return '=';
    case '=':
    case '!=':
    case '>':
    case '>=':
    case '<':
    case '<=':
      return text;
    case '~>':
      return numbers === 3 ? '~>patch' : '~>minor';
    default:
      return undefined;
  }
}

/**
 * Returns true if a version can be selected: all terms hold, and a prerelease is requested exactly. Version 0.0.0
 * represents no version and is never selected.
 */
export function allowsVersion({ terms }: ProviderConstraints, version: Version): boolean {
  if (version.text === '0.0.0' || !terms.every((term) => holds(term, version))) return false;
  return (
    version.prerelease === '' ||
    terms.some(({ operator, boundary }) => operator === '=' && boundary.text === version.text)
  );
}

function holds({ operator, boundary }: Term, version: Version): boolean {
  switch (operator) {
    case '=':
      return version.text === boundary.text;
    case '!=':
      return version.text !== boundary.text;
    case '>':
      return comparePrecedence(version, boundary) > 0;
    case '>=':
      return comparePrecedence(version, boundary) >= 0;
    case '<':
      return comparePrecedence(version, boundary) < 0;
    case '<=':
      return comparePrecedence(version, boundary) <= 0;
    case '~>patch':
    case '~>minor': {
      const { major, minor } = boundary;
      const below =
        operator === '~>patch'
          ? makeVersion(major, minor + 1n, 0n, '', '')
          : makeVersion(major + 1n, 0n, 0n, '', '');
      return comparePrecedence(version, boundary) >= 0 && comparePrecedence(version, below) < 0;
    }
  }
}

const PRIORITY: readonly Operator[] = ['>', '>=', '=', '~>patch', '~>minor', '<=', '<', '!='];

/** The normal form that lock files and messages have: each term once, in order; empty for no terms. */
export function constraintsText({ terms }: ProviderConstraints): string {
  const distinct = new Map(terms.map((term) => [`${term.operator}${term.boundary.text}`, term]));
  return [...distinct.values()].sort(compareTerms).map(termText).join(', ');
}

function compareTerms(a: Term, b: Term): number {
  const byVersion = comparePrecedence(a.boundary, b.boundary);
  if (byVersion !== 0) return byVersion;
  const [x, y] = [a.boundary.metadata, b.boundary.metadata];
  if (x !== y) return extraIsLess(x, y) ? -1 : 1;
  return PRIORITY.indexOf(a.operator) - PRIORITY.indexOf(b.operator);
}

function termText({ operator, boundary }: Term): string {
  const { major, minor, prerelease, metadata, text } = boundary;
  switch (operator) {
    case '=':
      return text;
    case '~>patch':
      return `~> ${text}`;
    case '~>minor': {
      const extra = prerelease === '' ? '' : `-${prerelease}`;
      return `~> ${major}.${minor}${extra}${metadata === '' ? '' : `+${metadata}`}`;
    }
    default:
      return `${operator} ${text}`;
  }
}
