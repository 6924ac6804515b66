import type { Expression } from '@terrane/hcl';
import { dialectRules } from './dialect.ts';

/** The keys in the address of an `import` block that may refer to other objects: in OpenTofu's files, all. */
export function importKeys(to: Expression): readonly Expression[] {
  return dialectRules(to.range).importKeysAreExpressions ? keysIn(to) : [];
}

function keysIn(to: Expression): readonly Expression[] {
  switch (to.kind) {
    case 'index':
      return [...keysIn(to.collection), to.key];
    case 'relativeTraversal':
      return keysIn(to.source);
    default:
      return [];
  }
}
