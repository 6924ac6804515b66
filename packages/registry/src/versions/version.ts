import { quoteText } from '@terrane/cty';
import { scanConstraint, wildcardName } from './scan-constraint.ts';

/** A version of a provider, by the rules of go-versions. `text` is its canonical form. */
export interface Version {
  readonly major: bigint;
  readonly minor: bigint;
  readonly patch: bigint;
  readonly prerelease: string;
  /** ignored by the order of versions, but part of their identity */
  readonly metadata: string;
  readonly text: string;
}

/** Creates a version from its parts. */
export function makeVersion(
  major: bigint,
  minor: bigint,
  patch: bigint,
  prerelease: string,
  metadata: string,
): Version {
  const extra = prerelease === '' ? '' : `-${prerelease}`;
  const build = metadata === '' ? '' : `+${metadata}`;
  const text = `${major}.${minor}.${patch}${extra}${build}`;
  return { major, minor, patch, prerelease, metadata, text };
}

/** Parses an exact version; `error` has the message of go-versions. */
export function parseVersion(text: string): Version | { readonly error: string } {
  if (text.trim() === '') return { error: 'empty specification' };
  const { raw, rest } = scanConstraint(text);
  const operator = raw.operator.trim();
  if (/^(?:[><]=?|!=?|~>?|\^)$/.test(operator)) {
    return {
      error: `can't use constraint operator ${quoteText(raw.operator)}; an exact version is required`,
    };
  }
  if (operator !== '') {
    return { error: `invalid sequence ${quoteText(raw.operator)} at start of specification` };
  }
  if (raw.separator !== '') return { error: 'extraneous spaces at start of specification' };
  if (rest !== '') return { error: restError(text, rest.trim()) };
  if (raw.count > 3) {
    return { error: 'too many numbered portions; only three are allowed (major, minor, patch)' };
  }
  const wildcard = wildcardName(raw);
  if (wildcard !== undefined) {
    return { error: `can't use wildcard for ${wildcard} number; an exact version is required` };
  }
  const [major = '0', minor = '0', patch = '0'] = raw.numbers;
  return makeVersion(BigInt(major), BigInt(minor), BigInt(patch), raw.prerelease, raw.metadata);
}

function restError(text: string, rest: string): string {
  if (rest === '') return 'extraneous spaces at end of specification';
  if (text.startsWith('v')) return 'a "v" prefix should not be used';
  if (/^[,|]/.test(rest)) {
    return "can't specify multiple versions; a single exact version is required";
  }
  if (rest.startsWith('-')) {
    return "can't specify version range; a single exact version is required";
  }
  if (text.trim().startsWith(rest)) {
    return 'invalid specification; required format is three positive integers separated by periods';
  }
  return `invalid characters ${quoteText(rest)}`;
}

/** Compares two versions by precedence, ignoring metadata. */
export function comparePrecedence(a: Version, b: Version): number {
  for (const part of ['major', 'minor', 'patch'] as const) {
    if (a[part] !== b[part]) return a[part] < b[part] ? -1 : 1;
  }
  if (a.prerelease === b.prerelease) return 0;
  if (a.prerelease === '') return 1;
  if (b.prerelease === '') return -1;
  return extraIsLess(a.prerelease, b.prerelease) ? -1 : 1;
}

/** Returns the valid versions among texts, sorted by precedence. */
export function validVersions(texts: readonly string[]): Version[] {
  const versions = texts.flatMap((text) => {
    const version = parseVersion(text);
    return 'error' in version ? [] : [version];
  });
  return versions.sort(comparePrecedence);
}

/** Returns true if a prerelease (or metadata) sorts before another: fewer dots first, then part by part. */
export function extraIsLess(a: string, b: string): boolean {
  if (a === b) return false;
  const left = a.split('.');
  const right = b.split('.');
  const shorter = Math.min(left.length, right.length);
  for (let i = 0; i < shorter; i++) {
    const x = left[i] ?? '';
    const y = right[i] ?? '';
    const lastOfOne = i === left.length - 1 || i === right.length - 1;
    if (lastOfOne && left.length !== right.length) return left.length < right.length;
    if (x !== y) return partIsLess(x, y);
  }
  return false;
}

function partIsLess(a: string, b: string): boolean {
  const aNumeric = /^[0-9]*$/.test(a);
  const bNumeric = /^[0-9]*$/.test(b);
  if (aNumeric !== bNumeric) return aNumeric;
  if (aNumeric && a.length !== b.length) return a.length < b.length;
  return a < b;
}
