import {
  type ActionAddr,
  type InstanceKey,
  instanceKeyText,
  parseReference,
} from '@terrane/addresses';
import type { Value } from '@terrane/cty';
import { asRelativeTraversal, errorDiagnostic } from '@terrane/hcl';
import type { Diagnostic, Expression, Range, TraversalStep } from '@terrane/hcl';
import type { ActionBlock } from './model.ts';

/** The values of `count.index` and `each.key` at the position of a reference; undefined where they are unavailable. */
export interface ReferenceKeys {
  readonly countIndex?: Value;
  readonly eachKey?: Value;
}

/** Some instance of the action, which one is not known yet. */
export const SOME_KEY: unique symbol = Symbol('some instance');

/** The action that an element of an action trigger's `actions` names. */
export interface NamedAction {
  readonly action: ActionAddr;
  readonly key: InstanceKey | typeof SOME_KEY;
}

/**
 * The action that an element of `actions` names, once `count.index` and `each.key` in its index are
 * filled in. Undefined, with a diagnostic, where it is no such reference.
 */
export function namedAction(
  expression: Expression,
  keys: ReferenceKeys,
  diagnostics: Diagnostic[],
): NamedAction | undefined {
  const before = diagnostics.length;
  const traversed = stepsOf(expression, keys, diagnostics);
  if (traversed === undefined || diagnostics.length > before) return undefined;
  const { steps, some } = traversed;
  const { reference, diagnostics: problems } = parseReference({ steps, range: expression.range });
  diagnostics.push(...problems);
  if (reference?.subject.kind !== 'action') return undefined;
  const { action, key } = reference.subject;
  return { action, key: some ? SOME_KEY : key };
}

interface Steps {
  readonly steps: readonly TraversalStep[];
  /** true if an index with an unknown key follows */
  readonly some: boolean;
}

function stepsOf(
  expression: Expression,
  keys: ReferenceKeys,
  diagnostics: Diagnostic[],
): Steps | undefined {
  switch (expression.kind) {
    case 'scopeTraversal':
      return { steps: expression.traversal.steps, some: false };
    case 'relativeTraversal': {
      const source = stepsOf(expression.source, keys, diagnostics);
      if (source === undefined) return undefined;
      return { ...source, steps: [...source.steps, ...expression.traversal.steps] };
    }
    case 'index': {
      const collection = stepsOf(expression.collection, keys, diagnostics);
      const key = collection === undefined ? undefined : keyOf(expression.key, keys, diagnostics);
      if (collection === undefined || key === undefined) return undefined;
      if (!key.isKnown) return { ...collection, some: true };
      const step = { kind: 'index', key, range: expression.key.range } as const;
      return { ...collection, steps: [...collection.steps, step] };
    }
    default:
      diagnostics.push(
        errorDiagnostic(
          'Invalid instance reference',
          'Only object references with dynamic indexes are allowed in this context.',
          expression.range,
        ),
      );
      return undefined;
  }
}

function keyOf(e: Expression, keys: ReferenceKeys, diagnostics: Diagnostic[]): Value | undefined {
  const reject = (summary: string, detail: string): undefined => {
    diagnostics.push(errorDiagnostic(summary, detail, e.range));
    return undefined;
  };
  const names = asRelativeTraversal(e)?.steps.map((step) =>
    step.kind === 'attr' || step.kind === 'root' ? step.name : '',
  );
  switch (names?.join('.')) {
    case 'count.index':
      return (
        keys.countIndex ??
        reject(
          'Reference to "count" in non-counted context',
          'The "count" object can only be used in "resource" blocks when the "count" argument is set.',
        )
      );
    case 'each.key':
      return (
        keys.eachKey ??
        reject(
          'Reference to "each" in context without for_each',
          'The "each" object can be used only in "resource" blocks when the "for_each" argument is set.',
        )
      );
    default:
      return reject(
        'Invalid index expression',
        'Only constant values, count.index or each.key are allowed in index expressions.',
      );
  }
}

/** Returns the error of the key in an action reference, given the repetition of the action. */
export function actionKeyProblem(
  action: Pick<ActionBlock, 'count' | 'forEach'>,
  key: NamedAction['key'],
  at: Range,
): Diagnostic | undefined {
  const invalid = (detail: string): Diagnostic => errorDiagnostic('Invalid index', detail, at);
  const missing = (detail: string): Diagnostic => errorDiagnostic('Missing index', detail, at);
  if (action.count !== undefined) {
    if (typeof key === 'string')
      return invalid(`Invalid string key ${instanceKeyText(key)} for action with count`);
    return key === undefined
      ? missing('An action with count must be referenced via an integer key')
      : undefined;
  }
  if (action.forEach !== undefined) {
    if (typeof key === 'number') return invalid(`Invalid key ${key} for action with for_each`);
    return key === undefined
      ? missing('An action with for_each must be referenced via a string key')
      : undefined;
  }
  if (key === undefined) return undefined;
  const location =
    key === SOME_KEY ? '[*]' : typeof key === 'number' ? String(key) : instanceKeyText(key);
  return invalid(`Unexpanded action referenced with instance key ${location}`);
}
