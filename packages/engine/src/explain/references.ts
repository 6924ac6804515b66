import {
  type Expression,
  functionCalls,
  type Range,
  type Traversal,
  variables,
} from '@terrane/hcl';
import type { Cause } from './model.ts';

/** Functions that give something else each time. */
const IMPURE: ReadonlySet<string> = new Set(['timestamp', 'plantimestamp', 'uuid', 'bcrypt']);

/** The references of an expression, each once. */
export function traversalsIn(expression: Expression): readonly Traversal[] {
  const seen = new Set<string>();
  return variables(expression).filter((traversal) => {
    const text = traversal.range.text();
    if (seen.has(text)) return false;
    seen.add(text);
    return true;
  });
}

/** The functions that an expression calls, without their namespace, and where. */
export function calledNames(expression: Expression): readonly (readonly [string, Range])[] {
  return functionCalls(expression).map(({ name, range }) => [name.replace(/^core::/, ''), range]);
}

/** The calls in an expression that give something else each time, as causes. */
export function impureCalls(expression: Expression): readonly Cause[] {
  return calledNames(expression)
    .filter(([name]) => IMPURE.has(name))
    .map(([name, range]): Cause => ({ kind: 'function', name, range, causes: [] }));
}
