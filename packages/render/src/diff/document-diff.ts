import type { Change } from './change.ts';
import type { Diff } from './diff.ts';
import { jsonDiff } from './json-diff.ts';
import { isPolicy, POLICY_PAIRING } from './policy-pairing.ts';

/**
 * Returns the diff of JSON documents in strings. Policies are compared semantically if that makes the diff smaller: a
 * moved statement, or another order of actions, is not a change.
 */
export function documentDiff(change: Change): Diff {
  const plain = jsonDiff(change);
  if (plain.action !== 'update' || !isPolicy(change.before) || !isPolicy(change.after))
    return plain;
  const policy = jsonDiff(change, POLICY_PAIRING);
  // The strings differ, so the diff must show a change.
  if (policy.action === 'no-op') return plain;
  return changedParts(policy) < changedParts(plain) ? policy : plain;
}

/** Returns the number of values that a diff adds, removes or changes. */
function changedParts({ action, view }: Diff): number {
  if (action === 'no-op') return 0;
  switch (view.kind) {
    case 'list':
    case 'set':
      return view.elements.reduce((sum, each) => sum + changedParts(each), 0);
    case 'map':
    case 'object': {
      let sum = 0;
      const parts = view.kind === 'map' ? view.elements : view.attributes;
      for (const each of parts.values()) sum += changedParts(each);
      return sum;
    }
    case 'type-change':
      return changedParts(view.before) + changedParts(view.after);
    default:
      return 1;
  }
}
