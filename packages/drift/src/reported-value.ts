import { SENSITIVE_MARKS, type Value } from '@terrane/cty';
import { type Schema, sensitivePaths } from '@terrane/provider';
import { valueJson } from '@terrane/render';
import type { ReportedValue } from './model.ts';

/** Converts a value for a report. A value with any sensitive or ephemeral part is replaced as a whole. */
export function reportedValue(value: Value | undefined, isSecret: boolean): ReportedValue {
  if (isSecret) return { kind: 'sensitive' };
  if (value === undefined) return { kind: 'absent' };
  if (hasSecrets(value)) return { kind: 'sensitive' };
  const plain = value.unmarkDeep().value;
  const json = plain.isWhollyKnown() ? valueJson(plain) : undefined;
  return json === undefined ? { kind: 'unknown' } : { kind: 'known', json };
}

/** Returns true if a value has any sensitive or ephemeral part. */
export function hasSecrets(value: Value | undefined): boolean {
  return value?.hasMarkDeep('sensitive') === true || value?.hasMarkDeep('ephemeral') === true;
}

/** Returns an object with the sensitive marks of its schema in addition to its own. */
export function withSchemaMarks(value: Value, schema: Schema | undefined): Value {
  if (schema === undefined || value.isNull) return value;
  const paths = sensitivePaths(schema.block, value);
  return value.markWithPaths(paths.map((path) => ({ path, marks: SENSITIVE_MARKS })));
}
