import { type InstanceAddr, referenceText } from '@terrane/addresses';
import { BOOL, convert, CtyError, UNKNOWN, type Value } from '@terrane/cty';
import {
  type Diagnostic,
  errorDiagnostic,
  evaluate,
  type Expression,
  hasErrors,
  type Scope,
} from '@terrane/hcl';
import type { Awaitable } from '@terrane/provider';
import type { Resource } from '../config/model.ts';
import { referencesInExpression } from '../lang/references.ts';
import { isReplace } from '../objects/decide.ts';
import type { PlannedChange } from '../objects/change.ts';
import type { PlanRun } from './run.ts';

/** An object that must not be destroyed is not planned to be. */
export function checkPreventDestroy(
  run: PlanRun,
  wanted: { readonly addr: InstanceAddr; readonly resource: Resource | undefined },
  change: PlannedChange,
  diagnostics: Diagnostic[],
): Awaitable<void> {
  const { resource, addr } = wanted;
  if (resource === undefined || run.choices.ignorePreventDestroy) return;
  if (resource.preventDestroyExpression !== undefined) {
    const expression = resource.preventDestroyExpression;
    return run.evaluation.evaluate(diagnostics, (pass) => {
      pass.diagnostics.push(...dynamicProblems(run, { addr, resource, expression }, change));
    });
  }
  if (!resource.preventDestroy) return;
  if (change.action !== 'delete' && !isReplace(change.action)) return;
  diagnostics.push(
    errorDiagnostic(
      'Instance cannot be destroyed',
      `Resource ${addr.text} has lifecycle.prevent_destroy set, but the plan calls for this resource to be destroyed. To avoid this error and continue with the plan, either disable lifecycle.prevent_destroy or reduce the scope of the plan using the -target option.`,
      resource.range,
    ),
  );
}

interface Dynamic {
  readonly addr: InstanceAddr;
  readonly resource: Resource;
  readonly expression: Expression;
}

/**
 * Validates a dynamic value by OpenTofu's rules. Permanent errors are always reported; an unknown or null value only if
 * an object would be destroyed.
 */
function dynamicProblems(
  run: PlanRun,
  { addr, resource, expression }: Dynamic,
  change: PlannedChange,
): readonly Diagnostic[] {
  const { references, diagnostics: malformed } = referencesInExpression(expression);
  const problems: Diagnostic[] = [...malformed];
  for (const reference of references) {
    const { kind } = reference.subject;
    if (kind !== 'each' && kind !== 'count') continue;
    problems.push(
      errorDiagnostic(
        'Invalid reference in prevent_destroy',
        `A prevent_destroy argument cannot refer to ${referenceText(reference)}, because OpenTofu needs to evaluate this argument for instances that have already been removed from the configuration and so whose per-instance data is no longer available.`,
        reference.range,
      ),
    );
  }
  if (hasErrors(problems)) return problems;
  const cells = run.evaluation.find(addr.resource.module);
  const scope = cells === undefined ? NOTHING_KNOWN : run.evaluation.scope(cells);
  const fail = (reason: string, extra?: Diagnostic['extra']): void => {
    problems.push(
      errorDiagnostic(
        'Invalid value for prevent_destroy',
        `Resource instance ${addr.text} has ${reason}`,
        expression.range,
        { expression, scope, ...(extra === undefined ? {} : { extra }) },
      ),
    );
  };
  const value = valueOf(expression, scope, problems, fail);
  if (value === undefined) return problems;
  // Forgetting does not change the object.
  const isDestroyed =
    change.action === 'delete' ||
    (isReplace(change.action) && change.action !== 'forget-then-create');
  if (!isDestroyed) return [];
  const resourceText = addr.resource.text;
  if (!value.isKnown) {
    fail(
      `a prevent_destroy argument but its value will not be known until the apply step, so OpenTofu can't predict whether destroying this is acceptable.\n\nTo proceed, exclude instances of this resource from this round using:\n    -exclude="${resourceText}"`,
      { kind: 'unknown' },
    );
  } else if (value.isNull) {
    fail(
      'prevent_destroy set to null. When making a dynamic decision to allow destroy, use false instead.',
    );
  } else if (value.asBool()) {
    problems.push(
      errorDiagnostic(
        'Resource instance cannot be destroyed',
        `Resource instance ${addr.text} has prevent_destroy set, but the plan calls for it to be destroyed.\n\nTo proceed, either disable prevent_destroy for this resource or exclude instances of this resource from this round using:\n    -exclude="${resourceText}"`,
        resource.range,
      ),
    );
  }
  return problems;
}

/** Returns the unmarked value; undefined, with errors, if it is invalid. */
function valueOf(
  expression: Expression,
  scope: Scope,
  problems: Diagnostic[],
  fail: (reason: string, extra?: Diagnostic['extra']) => void,
): Value | undefined {
  const evaluated = evaluate(expression, scope, problems);
  if (hasErrors(problems)) return undefined;
  let value: Value;
  try {
    value = convert(evaluated, BOOL);
  } catch (error) {
    if (!(error instanceof CtyError)) throw error;
    fail(`an invalid value for its prevent_destroy argument: ${error.message}.`);
    return undefined;
  }
  if (value.hasMark('sensitive')) {
    fail(
      'a sensitive value for its prevent_destroy argument, which is invalid because it would cause OpenTofu to disclose the sensitive value by whether deletion is blocked.\n\nIf you know this value is not sensitive in practice, consider using the nonsensitive function to declare that.',
      { kind: 'sensitive' },
    );
  }
  if (value.hasMark('ephemeral')) {
    fail(
      "an ephemeral value for its prevent_destroy argument, which is invalid because the decision for whether it's okay to destroy instances of this resource instance must stay consistent between plan and apply.",
    );
  }
  return hasErrors(problems) ? undefined : value.unmark();
}

/** The scope of an instance of a removed module, without any values. */
const NOTHING_KNOWN: Scope = {
  resolve: (traversal) => ({ value: UNKNOWN, consumed: traversal.steps.length }),
  functionNamed: () => undefined,
  functionNames: () => [],
  rootNames: () => [],
};
