// The constraint language of hashicorp/go-version, which Terraform uses for required_version and providers.

const OPERATORS = '!=|>=|<=|~>|=|>|<|';
const VERSION =
  'v?([0-9]+(?:\\.[0-9]+)*?)' +
  '(?:-([0-9]+[0-9A-Za-z\\-~]*(?:\\.[0-9A-Za-z\\-~]+)*)|(?:-?([A-Za-z\\-~]+[0-9A-Za-z\\-~]*(?:\\.[0-9A-Za-z\\-~]+)*)))?' +
  '(?:\\+([0-9A-Za-z\\-~]+(?:\\.[0-9A-Za-z\\-~]+)*))?';
const CONSTRAINT_PATTERN = new RegExp(`^\\s*(${OPERATORS})\\s*(${VERSION})\\s*$`);
const VERSION_PATTERN = new RegExp(`^${VERSION}$`);

interface Version {
  /** padded with zeros to at least three */
  readonly segments: readonly bigint[];
  /** the number of segments before padding */
  readonly specifiedCount: number;
  readonly prerelease: string;
}

/** A term of a version constraint, such as `~> 1.2`. */
export interface ConstraintTerm {
  readonly operator: '=' | '!=' | '>' | '<' | '>=' | '<=' | '~>';
  /** true if the version of the term is a prerelease */
  readonly prerelease: boolean;
  /** the term as written, including white space */
  readonly text: string;
  allows(version: string): boolean;
}

/** A parsed constraint: `allows` and `terms`, or `error`. */
export interface VersionConstraint {
  /** returns true if all terms hold; false for an invalid version */
  readonly allows?: (version: string) => boolean;
  readonly terms?: readonly ConstraintTerm[];
  readonly error?: string;
}

/** A comma-separated list of terms, as go-version reads it. */
export function parseVersionConstraint(text: string): VersionConstraint {
  const terms: ConstraintTerm[] = [];
  for (const part of text.split(',')) {
    const match = CONSTRAINT_PATTERN.exec(part);
    const constraintVersion = match === null ? undefined : parseVersion(match[2] ?? '');
    if (match === null || constraintVersion === undefined)
      return { error: `Malformed constraint: ${part}` };
    const operator = operatorOf(match[1] ?? '');
    terms.push({
      operator,
      prerelease: constraintVersion.prerelease !== '',
      text: part,
      allows(version) {
        const parsed = parseVersion(version);
        return parsed !== undefined && holds(operator, parsed, constraintVersion);
      },
    });
  }
  return { terms, allows: (version) => terms.every((term) => term.allows(version)) };
}

/** Compares two versions by go-version's rules; undefined if one is invalid. */
export function compareVersions(a: string, b: string): number | undefined {
  const left = parseVersion(a);
  const right = parseVersion(b);
  return left === undefined || right === undefined ? undefined : compare(left, right);
}

function operatorOf(text: string): ConstraintTerm['operator'] {
  switch (text) {
    case '!=':
    case '>':
    case '<':
    case '>=':
    case '<=':
    case '~>':
      return text;
    default:
      return '=';
  }
}

function parseVersion(text: string): Version | undefined {
  const match = VERSION_PATTERN.exec(text);
  if (match === null) return undefined;
  const segments = (match[1] ?? '').split('.').map((part) => BigInt(part));
  const specifiedCount = segments.length;
  while (segments.length < 3) segments.push(0n);
  // Build metadata is not compared.
  return { segments, specifiedCount, prerelease: match[2] ?? match[3] ?? '' };
}

function holds(operator: ConstraintTerm['operator'], v: Version, c: Version): boolean {
  switch (operator) {
    case '=':
      return compare(v, c) === 0;
    case '!=':
      return compare(v, c) !== 0;
    case '>':
      return prereleaseFits(v, c) && compare(v, c) > 0;
    case '<':
      return prereleaseFits(v, c) && compare(v, c) < 0;
    case '>=':
      return prereleaseFits(v, c) && compare(v, c) >= 0;
    case '<=':
      return prereleaseFits(v, c) && compare(v, c) <= 0;
    case '~>':
      return pessimistic(v, c);
  }
}

function prereleaseFits(v: Version, c: Version): boolean {
  if (v.prerelease === '') return true;
  return c.prerelease !== '' && compareSegments(v, c) === 0;
}

function pessimistic(v: Version, c: Version): boolean {
  if (!prereleaseFits(v, c) || (c.prerelease !== '' && v.prerelease === '')) return false;
  if (compare(v, c) < 0 || c.segments.length > v.segments.length) return false;
  for (let i = 0; i < c.specifiedCount - 1; i++) {
    if (v.segments[i] !== c.segments[i]) return false;
  }
  const last = c.segments.length - 1;
  return (c.segments[last] ?? 0n) <= (v.segments[last] ?? 0n);
}

function compareSegments(a: Version, b: Version): number {
  const length = Math.max(a.segments.length, b.segments.length);
  for (let i = 0; i < length; i++) {
    const x = a.segments[i] ?? 0n;
    const y = b.segments[i] ?? 0n;
    if (x !== y) return x < y ? -1 : 1;
  }
  return 0;
}

function compare(a: Version, b: Version): number {
  const bySegments = compareSegments(a, b);
  if (bySegments !== 0 || a.prerelease === b.prerelease) return bySegments;
  if (a.prerelease === '') return 1;
  if (b.prerelease === '') return -1;
  const x = a.prerelease.split('.');
  const y = b.prerelease.split('.');
  for (let i = 0; i < Math.max(x.length, y.length); i++) {
    const byPart = comparePart(x[i] ?? '', y[i] ?? '');
    if (byPart !== 0) return byPart;
  }
  return 0;
}

function comparePart(a: string, b: string): number {
  if (a === b) return 0;
  const aNumeric = /^[0-9]+$/.test(a);
  const bNumeric = /^[0-9]+$/.test(b);
  // An absent part sorts before a number and after a word, as in go-version.
  if (a === '') return bNumeric ? -1 : 1;
  if (b === '') return aNumeric ? 1 : -1;
  if (aNumeric && bNumeric) return BigInt(a) < BigInt(b) ? -1 : 1;
  if (aNumeric !== bNumeric) return aNumeric ? -1 : 1;
  return a < b ? -1 : 1;
}
