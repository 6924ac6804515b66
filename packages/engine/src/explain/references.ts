import {
  type Expression,
  functionCalls,
  type Range,
  type Traversal,
  variables,
} from '@terrane/hcl';
import type { Cause } from './model.ts';

/** Functions whose result differs in every run. */
const IMPURE: ReadonlySet<string> = new Set(['timestamp', 'plantimestamp', 'uuid', 'bcrypt']);

/** Returns the distinct references of an expression. */
export function traversalsIn(expression: Expression): readonly Traversal[] {
  const uniqueTexts = new Set<string>();
  return variables(expression).filter((traversal) => {
    const text = traversal.range.text();
    if (uniqueTexts.has(text)) return false;
    uniqueTexts.add(text);
    return true;
  });
}

/** Returns the names of called functions without namespace, and the ranges of the calls. */
export function calledNames(expression: Expression): readonly (readonly [string, Range])[] {
  return functionCalls(expression).map(({ name, range }) => [name.replace(/^core::/, ''), range]);
}

/** Returns the calls of impure functions as causes. */
export function impureCalls(expression: Expression): readonly Cause[] {
  return calledNames(expression)
    .filter(([name]) => IMPURE.has(name))
    .map(([name, range]): Cause => ({ kind: 'function', name, range, causes: [] }));
}
