import { nullOf, transform, type Value } from '@terrane/cty';
import { comparisonOf, type Diagnostic } from '@terrane/hcl';
import { JsonMembers } from './json-text.ts';
import { sensitiveJson, unknownJson, valueJson } from './value-json.ts';

/**
 * Formats the differences of a failed assertion as OpenTofu's JSON: the left side as the value before a change, the
 * right side as the value after it. Sensitive parts are null.
 */
export function differenceJson(diagnostic: Diagnostic): string | undefined {
  const compared = comparisonOf(diagnostic);
  if (compared?.isShownInFull !== true) return undefined;
  const { left, right } = compared;
  return new JsonMembers()
    .add('before', valueJson(withoutSensitive(left)))
    .add('after', valueJson(withoutSensitive(right)))
    .add('after_unknown', right.isWhollyKnown() ? 'false' : unknownJson(right))
    .add('before_sensitive', sensitiveJson(left))
    .add('after_sensitive', sensitiveJson(right))
    .text();
}

function withoutSensitive(root: Value): Value {
  if (!root.hasMarkDeep('sensitive')) return root;
  return transform(root, (_path, value) =>
    value.hasMark('sensitive') ? nullOf(value.type) : value,
  );
}
