import type { RunResult } from './run-ways.ts';

interface Change {
  readonly address: string;
  readonly change: Readonly<Record<string, unknown>>;
}

interface Planned {
  readonly resource_changes?: readonly Change[];
  readonly output_changes?: unknown;
}

interface StoredResource extends Readonly<Record<string, unknown>> {
  readonly instances: readonly Readonly<Record<string, unknown>>[];
}

interface Stored {
  readonly resources: readonly StoredResource[];
  readonly outputs: unknown;
}

/** Identities of objects, which Terraform only stores and shows since 1.12. */
const IDENTITIES = ['identity', 'identity_schema_version', 'before_identity', 'after_identity'];

/**
 * Returns the reproducible part of a run: changes and objects, with numbers in order of appearance instead of the names
 * that the server generates.
 */
export function comparable({ plan, state }: RunResult): unknown {
  // Both are as Terraform documents them.
  const { resource_changes: changes = [], output_changes: outputs = {} } = plan as Planned;
  const stored = state as Stored;
  const byAddress = changes
    .map((each) => ({ ...each, change: withoutIdentity(each.change) }))
    .toSorted((a, b) => (a.address < b.address ? -1 : 1));
  const resources = stored.resources
    .map((each) => ({ ...each, instances: each.instances.map(withoutIdentity) }))
    .toSorted((a, b) => (nameOf(a) < nameOf(b) ? -1 : 1));
  const known = { resources, outputs: stored.outputs, changes: byAddress, planned: outputs };
  return withoutMadeUp(known);
}

function withoutIdentity(of: Readonly<Record<string, unknown>>): Readonly<Record<string, unknown>> {
  return Object.fromEntries(Object.entries(of).filter(([name]) => !IDENTITIES.includes(name)));
}

function nameOf({ mode, type, name }: Readonly<Record<string, unknown>>): string {
  return `${mode} ${type} ${name}`;
}

// "vpc-0a1b2c3d", UUIDs, unique ids of IAM ("AROA…"), addresses that the server makes up, and moments.
const MADE_UP =
  /\b(?:[a-z]+-)?[0-9a-f]{8}(?:[0-9a-f]{9}|(?:-[0-9a-f]{4}){3}-[0-9a-f]{12})?\b|\bA[A-Z]{3}[A-Z0-9]{12,17}\b|\b54([.-])214\1\d+\1\d+\b|\bip-10(?:-\d+){3}\b|(?<=")10(?:\.\d+){3}(?=")|\d{4}-\d\d-\d\d[T ]\d\d:\d\d:\d\d(?:\.\d+)?(?:Z|[+-]\d\d:?\d\d)?/g;

function withoutMadeUp(value: object): unknown {
  const numbers = new Map<string, string>();
  const text = JSON.stringify(value).replace(MADE_UP, (address) => {
    if (/^\d{4}-\d\d-\d\d/.test(address)) return 'moment';
    const known = numbers.get(address) ?? `made-up-${numbers.size + 1}`;
    numbers.set(address, known);
    return known;
  });
  return JSON.parse(text);
}
