/** The parts of one constraint or version, unparsed; see raw_scan.rl of go-versions. */
export interface RawConstraint {
  readonly operator: string;
  readonly separator: string;
  /** the first three */
  readonly numbers: readonly string[];
  /** the number of wildcards */
  readonly count: number;
  readonly prerelease: string;
  readonly metadata: string;
}

const EXTRA = /[A-Za-z0-9.-]+/y;

/** Scans one constraint at the start of a text, and returns the rest. */
export function scanConstraint(text: string): { raw: RawConstraint; rest: string } {
  let at = 0;
  const take = (pattern: RegExp): string => {
    pattern.lastIndex = at;
    const match = pattern.exec(text)?.[0] ?? '';
    at += match.length;
    return match;
  };
  const operator = take(/[^0-9A-Za-z\s.*]*/y);
  const separator = take(/\s*/y);
  const numbers: string[] = [];
  let count = 0;
  let prerelease = '';
  let metadata = '';
  for (;;) {
    const number = take(/[0-9]+|[*xX]/y);
    if (number === '') break;
    count++;
    if (numbers.length < 3) numbers.push(number);
    if (text[at] !== '.') break;
    at++;
  }
  if (count > 0 && text[at - 1] !== '.') {
    prerelease = extraAfter('-');
    metadata = extraAfter('+');
  }
  function extraAfter(sign: string): string {
    if (text[at] !== sign) return '';
    at++;
    return take(EXTRA);
  }
  // The scanner's result for an operator without a number.
  const lost = count === 0 && separator === '' ? operator : separator;
  return {
    raw: { operator, separator: lost, numbers, count, prerelease, metadata },
    rest: text.slice(at),
  };
}

const NUMBER_NAMES = ['major', 'minor', 'patch'] as const;

/** Returns the name of the first wildcard; undefined if there is none. */
export function wildcardName({ numbers }: RawConstraint): string | undefined {
  const index = numbers.findIndex((number) => /^[*xX]$/.test(number));
  return NUMBER_NAMES[index];
}
