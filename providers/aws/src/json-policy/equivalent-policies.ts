/**
 * Compares two policies (JSON) by meaning. A text and a list with that text are equal; the order of lists, statements
 * and names, white space, and the form in which an account is named are ignored. The result is that of
 * hashicorp/awspolicyequivalence.
 */
export function equivalentPolicies(before: string, after: string): boolean {
  if (before === after) return true;
  const [a, b] = [parseFields(before), parseFields(after)];
  return a !== undefined && b !== undefined && canonical(a) === canonical(b);
}

type Fields = Readonly<Record<string, unknown>>;

function parseFields(text: string): Fields | undefined {
  try {
    const value: unknown = JSON.parse(text);
    return isFields(value) ? value : undefined;
  } catch {
    return undefined;
  }
}

function isFields(value: unknown): value is Fields {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function canonical(policy: Fields): string {
  const entries = Object.entries(policy).map(([name, value]) =>
    name === 'Statement' ? [name, listOf(value).map(statement).sort()] : [name, sorted(value)],
  );
  return JSON.stringify(entries.sort(byName));
}

/** Arguments of a statement that are sets of texts. */
const SETS: ReadonlySet<string> = new Set(['Action', 'NotAction', 'Resource', 'NotResource']);

function statement(value: unknown): string {
  if (!isFields(value)) return JSON.stringify(value);
  const entries = Object.entries(value)
    .filter(([name, member]) => !(name === 'Sid' && member === ''))
    .map(([name, member]) => [name, argument(name, member)] as const);
  return JSON.stringify(entries.sort(byName));
}

function argument(name: string, value: unknown): unknown {
  // Actions are the same in upper and lower case.
  if (name === 'Action' || name === 'NotAction') return texts(value, (text) => text.toLowerCase());
  if (SETS.has(name)) return texts(value);
  if (name === 'Principal' || name === 'NotPrincipal') return principals(value);
  if (name !== 'Condition' || !isFields(value)) return value;
  return Object.entries(value)
    .map(([operator, keys]) => [
      operator.toLowerCase(),
      isFields(keys)
        ? Object.entries(keys)
            .map(([key, content]) => [key.toLowerCase(), texts(content)] as const)
            .sort(byName)
        : keys,
    ])
    .sort(byName);
}

const ROOT = /^arn:[^:]*:iam::(\d{12}):root$/;

function principals(value: unknown): unknown {
  // Everybody is the same as every account.
  if (value === '*') return [['AWS', ['*']]];
  if (!isFields(value)) return value;
  return Object.entries(value)
    .map(([kind, content]) => [
      kind,
      texts(content, (text) => (kind === 'AWS' ? text.replace(ROOT, '$1') : text)),
    ])
    .sort(byName);
}

/** A text, number or boolean, or a list of them, as a sorted list of texts. */
function texts(value: unknown, same: (text: string) => string = (text) => text): readonly string[] {
  const all = listOf(value).map((each) =>
    same(typeof each === 'object' ? JSON.stringify(each) : String(each)),
  );
  return [...new Set(all)].sort();
}

function listOf(value: unknown): readonly unknown[] {
  if (value === undefined || value === null) return [];
  return Array.isArray(value) ? value : [value];
}

function sorted(value: unknown): unknown {
  if (!isFields(value)) return value;
  return Object.entries(value)
    .map(([name, content]) => [name, sorted(content)])
    .sort(byName);
}

function byName(a: readonly unknown[], b: readonly unknown[]): number {
  const [x, y] = [String(a[0]), String(b[0])];
  return x < y ? -1 : Number(x > y);
}
