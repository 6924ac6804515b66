import {
  AbsResource,
  type InstanceAddr,
  instanceKeyText,
  parseReference,
  type Referenceable,
} from '@terrane/addresses';
import { attrStep, indexStep, type Path, type Value, valueAt } from '@terrane/cty';
import {
  asTraversal,
  type Diagnostic,
  errorDiagnostic,
  type Expression,
  hasErrors,
  type Traversal,
  type TraversalStep,
} from '@terrane/hcl';
import type { ModuleCells } from '../evaluate/module-cells.ts';
import type { Repetition } from '../evaluate/repetition.ts';
import type { State } from '../state/model.ts';
import type { Deferrals } from '../objects/deferral.ts';
import type { PlannedChange } from '../objects/change.ts';

/** The sources for resolving replace triggers. */
export interface TriggerSources {
  readonly changes: ReadonlyMap<InstanceAddr, PlannedChange>;
  /** the previous state; changes of orphans are planned later */
  readonly previous: State;
  /** deferrals, which change nothing in this plan */
  readonly deferrals?: Pick<Deferrals, 'holdsBack'>;
}

/** Returns true if any reference in `replace_triggered_by` has a change that triggers replacement. */
export function isReplaceTriggered(
  expressions: readonly Expression[],
  cells: ModuleCells,
  repetition: Repetition,
  sources: TriggerSources,
  diagnostics: Diagnostic[],
): boolean {
  const before = diagnostics.length;
  for (const expression of expressions) {
    const traversal = traversalOf(expression, repetition, diagnostics);
    if (traversal === undefined) continue;
    const triggered = isTriggeredBy(traversal, cells, sources, diagnostics);
    if (triggered && !hasErrors(diagnostics, before)) return true;
  }
  return false;
}

/** A change that triggers a replacement, and the part of it that the reference selects. */
export interface Triggering {
  readonly change: PlannedChange;
  readonly attribute: Path;
}

/** Returns the changes that trigger a replacement by one `replace_triggered_by` reference. */
export function replaceTriggersOf(
  expression: Expression,
  cells: ModuleCells,
  repetition: Repetition,
  sources: TriggerSources,
  diagnostics: Diagnostic[],
): readonly Triggering[] {
  const traversal = traversalOf(expression, repetition, diagnostics);
  if (traversal === undefined) return [];
  const referred = referredBy(traversal, cells, sources, diagnostics);
  if (referred === undefined) return [];
  const attribute = pathOf(referred.rest);
  return referred.changes
    .filter((change) => triggers(change, referred.rest))
    .map((change) => ({ change, attribute }));
}

function isTriggeredBy(
  traversal: Traversal,
  cells: ModuleCells,
  sources: TriggerSources,
  diagnostics: Diagnostic[],
): boolean {
  const referred = referredBy(traversal, cells, sources, diagnostics);
  return referred?.changes.some((change) => triggers(change, referred.rest)) === true;
}

/** The changes that a reference is about, and the steps into them; undefined after errors. */
function referredBy(
  traversal: Traversal,
  cells: ModuleCells,
  sources: TriggerSources,
  diagnostics: Diagnostic[],
):
  | { readonly changes: readonly PlannedChange[]; readonly rest: readonly TraversalStep[] }
  | undefined {
  const { reference, diagnostics: malformed } = parseReference(traversal);
  diagnostics.push(...malformed);
  if (reference?.subject.kind !== 'resource') return undefined;
  const { subject } = reference;
  const rest = traversal.steps.slice(reference.consumed);
  const moduleText = cells.instance.isRoot ? 'the root module' : cells.instance.text;
  if (!cells.module.resources.has(subject.resource.text)) {
    diagnostics.push(
      errorDiagnostic(
        'Reference to undeclared resource',
        `A resource ${subjectText(subject)} has not been declared in ${moduleText}`,
        traversal.range,
      ),
    );
    return undefined;
  }
  const changes = changesOf(subject, rest.length > 0, cells, sources);
  if (changes === undefined) {
    const summary = `no change found for ${subjectText(subject)} in ${moduleText}`;
    diagnostics.push(errorDiagnostic(summary, ''));
    return undefined;
  }
  return { changes, rest };
}

type ResourceSubject = Extract<Referenceable, { kind: 'resource' }>;

function subjectText({ resource, key, hasKey }: ResourceSubject): string {
  return hasKey ? `${resource.text}${instanceKeyText(key)}` : resource.text;
}

/** Returns the changes of the referenced instances; undefined if none are configured or stored. */
function changesOf(
  { resource, key, hasKey }: ResourceSubject,
  selects: boolean,
  cells: ModuleCells,
  { changes, previous, deferrals }: TriggerSources,
): readonly PlannedChange[] | undefined {
  const abs = AbsResource.of(cells.instance, resource);
  const storedInstances = previous.resourceInstances(abs);
  // Without a key, an attribute refers to the only instance.
  const isOne = hasKey || selects;
  const keys = isOne ? [key] : [...(cells.resources.get(resource.text)?.values.keys() ?? [])];
  const planned = keys.flatMap((instanceKey) => changes.get(abs.instance(instanceKey)) ?? []);
  if (planned.length > 0) return planned;
  const isStored = isOne ? storedInstances.has(key) : storedInstances.size > 0;
  const waits = deferrals?.holdsBack(() => [abs.config.text]) === true;
  return isStored || waits ? planned : undefined;
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

/** Returns the reference of an expression after substitution of `count.index` and `each.key`. */
function traversalOf(
  expression: Expression,
  repetition: Repetition,
  diagnostics: Diagnostic[],
): Traversal | undefined {
  const steps = stepsOf(expression, repetition, diagnostics);
  return steps === undefined ? undefined : { steps, range: expression.range };
}

function stepsOf(
  expression: Expression,
  repetition: Repetition,
  diagnostics: Diagnostic[],
): TraversalStep[] | undefined {
  switch (expression.kind) {
    case 'scopeTraversal':
      return [...expression.traversal.steps];
    case 'relativeTraversal': {
      const source = stepsOf(expression.source, repetition, diagnostics);
      return source === undefined ? undefined : [...source, ...expression.traversal.steps];
    }
    case 'index': {
      const collection = stepsOf(expression.collection, repetition, diagnostics);
      if (collection === undefined) return undefined;
      const key = keyOf(expression.key, repetition, diagnostics);
      if (key === undefined) return undefined;
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

/** Returns the key for `count.index` or `each.key`; other index expressions are not evaluated. */
function keyOf(
  expression: Expression,
  { countIndex, eachKey }: Repetition,
  diagnostics: Diagnostic[],
): Value | undefined {
  const fail = (summary: string, detail: string): undefined => {
    diagnostics.push(errorDiagnostic(summary, detail, expression.range));
  };
  const traversal = asTraversal(expression);
  if (traversal === undefined) {
    return fail(
      'Invalid expression',
      'A single static variable reference is required: only attribute access and indexing with constant keys. No calculations, function calls, template expressions, etc are allowed here.',
    );
  }
  const names = traversal.steps.map((step) => ('name' in step ? step.name : '*'));
  switch (names.join('.')) {
    case 'count.index':
      return (
        countIndex ??
        fail(
          'Reference to "count" in non-counted context',
          'The "count" object can only be used in "resource" blocks when the "count" argument is set.',
        )
      );
    case 'each.key':
      return (
        eachKey ??
        fail(
          'Reference to "each" in context without for_each',
          'The "each" object can be used only in "resource" blocks when the "for_each" argument is set.',
        )
      );
    default:
      return fail(
        'Invalid index expression',
        'Only constant values, count.index or each.key are allowed in index expressions.',
      );
  }
}
