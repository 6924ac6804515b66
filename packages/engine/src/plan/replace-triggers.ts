import { applyPath, attrStep, CtyError, indexStep, type Path, type Value } from '@terrane/cty';
import {
  type Diagnostic,
  errorDiagnostic,
  evaluate,
  type Expression,
  type Scope,
  type Traversal,
  type TraversalStep,
} from '@terrane/hcl';
import { parseReference } from '../addrs/reference.ts';
import { instanceKeyText } from '../addrs/instance-key.ts';
import { AbsResource, type InstanceAddr } from '../addrs/resource-addr.ts';
import type { ModuleCells } from '../evaluate/module-cells.ts';
import type { PlannedChange } from './model.ts';

/** Whether one of the `replace_triggered_by` references has a change that asks for replacement. */
export function isReplaceTriggered(
  expressions: readonly Expression[],
  cells: ModuleCells,
  scope: Scope,
  changes: ReadonlyMap<InstanceAddr, PlannedChange>,
  diagnostics: Diagnostic[],
): boolean {
  let triggered = false;
  for (const expression of expressions) {
    const traversal = traversalOf(expression, scope, diagnostics);
    if (traversal !== undefined && isTriggeredBy(traversal, cells, changes, diagnostics))
      triggered = true;
  }
  return triggered;
}

function isTriggeredBy(
  traversal: Traversal,
  cells: ModuleCells,
  changes: ReadonlyMap<InstanceAddr, PlannedChange>,
  diagnostics: Diagnostic[],
): boolean {
  const { reference } = parseReference(traversal);
  if (reference?.subject.kind !== 'resource') return false;
  const { resource, key, hasKey } = reference.subject;
  const abs = AbsResource.of(cells.instance, resource);
  const rest = traversal.steps.slice(reference.consumed);
  const single = cells.module.resources.get(resource.text);
  const repeats = single?.count !== undefined || single?.forEach !== undefined;
  // An attribute is one of one instance.
  const keys =
    hasKey || !repeats || rest.length > 0
      ? [key]
      : [...(cells.resources.get(resource.text)?.values.keys() ?? [])];
  const found = keys.flatMap((one) => changes.get(abs.instance(one)) ?? []);
  if (found.length === 0) {
    const what = `${resource.text}${instanceKeyText(key)}`;
    const where = cells.instance.isRoot ? 'the root module' : cells.instance.text;
    diagnostics.push(errorDiagnostic(`no change found for ${what} in ${where}`, ''));
  }
  return found.some((change) => triggers(change, rest));
}

function triggers(change: PlannedChange, rest: readonly TraversalStep[]): boolean {
  switch (change.action) {
    case 'update':
    case 'delete-then-create':
    case 'create-then-delete':
      break;
    default:
      return false;
  }
  if (rest.length === 0) return true;
  const path = pathOf(rest);
  const before = valueAt(change.before, path);
  const after = valueAt(change.after, path);
  if (before === undefined || after === undefined) return before !== after;
  return !before.rawEquals(after);
}

function pathOf(steps: readonly TraversalStep[]): Path {
  const path = [];
  for (const step of steps) {
    if (step.kind === 'attr') path.push(attrStep(step.name));
    else if (step.kind === 'index') path.push(indexStep(step.key));
  }
  return path;
}

function valueAt(value: Value, path: Path): Value | undefined {
  try {
    return applyPath(value, path);
  } catch (error) {
    if (error instanceof CtyError) return undefined;
    throw error;
  }
}

/** The reference that an expression stands for once `count.index` and `each.key` are filled in. */
function traversalOf(
  expression: Expression,
  scope: Scope,
  diagnostics: Diagnostic[],
): Traversal | undefined {
  const steps = stepsOf(expression, scope, diagnostics);
  return steps === undefined ? undefined : { steps, range: expression.range };
}

function stepsOf(
  expression: Expression,
  scope: Scope,
  diagnostics: Diagnostic[],
): TraversalStep[] | undefined {
  switch (expression.kind) {
    case 'scopeTraversal':
      return [...expression.traversal.steps];
    case 'relativeTraversal': {
      const source = stepsOf(expression.source, scope, diagnostics);
      return source === undefined ? undefined : [...source, ...expression.traversal.steps];
    }
    case 'index': {
      const collection = stepsOf(expression.collection, scope, diagnostics);
      if (collection === undefined) return undefined;
      const before = diagnostics.length;
      const key = evaluate(expression.key, scope, diagnostics);
      if (diagnostics.length > before) return undefined;
      return [...collection, { kind: 'index', key, range: expression.key.range }];
    }
    default:
      diagnostics.push(
        errorDiagnostic(
          'Invalid replace_triggered_by expression',
          'Unexpected expression found in replace_triggered_by.',
          expression.range,
        ),
      );
      return undefined;
  }
}
