import { SENSITIVE_MARKS, type Value } from '@terrane/cty';
import { type BlockSchema, containsSensitive, sensitivePaths } from '@terrane/provider';

/** Returns an object with the sensitive marks of its schema, in addition to its own. */
export function withSchemaMarks(value: Value, block: BlockSchema): Value {
  if (!containsSensitive(block)) return value;
  const plain = value.containsMarked() ? value.unmarkDeep().value : value;
  const paths = sensitivePaths(block, plain);
  if (paths.length === 0) return value;
  return value.markWithPaths(paths.map((path) => ({ path, marks: SENSITIVE_MARKS })));
}
