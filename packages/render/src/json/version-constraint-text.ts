import { compareText } from '@terrane/cty';

interface Term {
  readonly operator: string;
  readonly numbers: readonly [number, number, number];
  readonly prerelease: string;
  readonly metadata: string;
  /** "~> 1" and "~> 1.2": the minor number may grow; shown with two numbers */
  readonly minorOnly: boolean;
}

const TERM =
  /^(=|!=|>=|<=|>|<|~>)? *(\d+)(?:\.(\d+))?(?:\.(\d+))?(?:-([0-9A-Za-z.-]+))?(?:\+([0-9A-Za-z.-]+))?$/;

/** Lower bounds first, so that a range reads naturally. */
const OPERATOR_ORDER = ['>', '>=', '=', '~>patch', '~>minor', '<=', '<', '!='];

/**
 * Formats version constraints in canonical form: all segments written, no duplicates, sorted by version, then by
 * operator. Malformed terms are omitted.
 */
export function canonicalConstraints(constraints: Iterable<string>): string {
  const terms = new Map<string, Term>();
  for (const constraint of constraints) {
    for (const part of constraint.split(',')) {
      const term = parseTerm(part.trim());
      if (term !== undefined) terms.set(termText(term), term);
    }
  }
  return [...terms.values()].sort(compareTerms).map(termText).join(', ');
}

function parseTerm(text: string): Term | undefined {
  const match = TERM.exec(text);
  if (match === null) return undefined;
  const [, operator = '=', major = '0', minor, patch, prerelease = '', metadata = ''] = match;
  return {
    operator,
    numbers: [Number(major), Number(minor ?? 0), Number(patch ?? 0)],
    prerelease,
    metadata,
    minorOnly: operator === '~>' && patch === undefined,
  };
}

function termText(term: Term): string {
  const operator = term.operator === '=' ? '' : `${term.operator} `;
  const numbers = term.minorOnly ? term.numbers.slice(0, 2) : term.numbers;
  const prerelease = term.prerelease === '' ? '' : `-${term.prerelease}`;
  const metadata = term.metadata === '' ? '' : `+${term.metadata}`;
  return operator + numbers.join('.') + prerelease + metadata;
}

function compareTerms(a: Term, b: Term): number {
  for (let i = 0; i < 3; i++) {
    const difference = (a.numbers[i] ?? 0) - (b.numbers[i] ?? 0);
    if (difference !== 0) return difference;
  }
  // A release sorts after its prereleases.
  if (a.prerelease !== b.prerelease) {
    if (a.prerelease === '') return 1;
    if (b.prerelease === '') return -1;
    return compareExtras(a.prerelease, b.prerelease);
  }
  return compareExtras(a.metadata, b.metadata) || operatorOrder(a) - operatorOrder(b);
}

function compareExtras(a: string, b: string): number {
  const left = a.split('.');
  const right = b.split('.');
  for (let i = 0; i < Math.min(left.length, right.length); i++) {
    const x = left[i] ?? '';
    const y = right[i] ?? '';
    if (x === y) continue;
    const xNumber = /^\d+$/.test(x);
    const yNumber = /^\d+$/.test(y);
    if (xNumber && yNumber) return Number(x) - Number(y);
    if (xNumber !== yNumber) return xNumber ? -1 : 1;
    return compareText(x, y);
  }
  return left.length - right.length;
}

function operatorOrder(term: Term): number {
  const key = term.operator === '~>' ? `~>${term.minorOnly ? 'minor' : 'patch'}` : term.operator;
  return OPERATOR_ORDER.indexOf(key);
}
