import { fields } from '../http/request.ts';

/** The replacement for sensitive values. */
const REPLACEMENT = '(sensitive value)';

/**
 * Converts a plan in JSON to the form that clients render: with the schemas of its providers, and without sensitive
 * values. The paths of sensitive values are kept, so that clients can mark them.
 */
export function redactedPlan(plan: unknown, schemas: unknown): Readonly<Record<string, unknown>> {
  const source = fields(plan);
  const changesOf = (name: string): readonly unknown[] => {
    const list = source[name];
    return (Array.isArray(list) ? (list as readonly unknown[]) : []).map((each) => {
      const change = fields(each);
      return { ...change, change: redactedChange(change['change']) };
    });
  };
  const outputs = Object.entries(fields(source['output_changes'])).map(([name, change]) => [
    name,
    redactedChange(change),
  ]);
  return {
    plan_format_version: source['format_version'],
    output_changes: Object.fromEntries(outputs),
    resource_changes: changesOf('resource_changes'),
    resource_drift: changesOf('resource_drift'),
    relevant_attributes: source['relevant_attributes'] ?? [],
    provider_format_version: fields(schemas)['format_version'],
    provider_schemas: fields(schemas)['provider_schemas'] ?? {},
  };
}

/** Replaces the values of a change that `before_sensitive` and `after_sensitive` mark, at any depth. */
export function redactedChange(value: unknown): Readonly<Record<string, unknown>> {
  const change = fields(value);
  return {
    ...change,
    before: redacted(change['before'], change['before_sensitive']),
    after: redacted(change['after'], change['after_sensitive']),
  };
}

function redacted(value: unknown, sensitive: unknown): unknown {
  if (value === null || value === undefined) return value;
  if (sensitive === true) return REPLACEMENT;
  if (Array.isArray(value)) {
    const marks: readonly unknown[] = Array.isArray(sensitive) ? sensitive : [];
    return value.map((each: unknown, index) => redacted(each, marks[index]));
  }
  if (typeof value === 'object') {
    const marks = fields(sensitive);
    return Object.fromEntries(
      Object.entries(value).map(([name, each]) => [name, redacted(each, marks[name])]),
    );
  }
  return value;
}
