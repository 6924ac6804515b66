import type { ActionInstanceAddr } from '@terrane/addresses';
import { nullOf, type Value } from '@terrane/cty';
import { type Diagnostic, errorDiagnostic, hasErrors, type Range } from '@terrane/hcl';
import { type Awaitable, impliedType, type Schema } from '@terrane/provider';
import type { ActionBlock } from '../config/model.ts';
import { evaluateBody } from './body.ts';
import type { EvaluationPass } from '../config/evaluation-pass.ts';
import type { Evaluation } from './evaluation.ts';
import { evaluateExpansion } from './expansion.ts';
import type { ActionNode } from './node.ts';
import { hasInstance, repetitionOf } from './repetition.ts';

/** Works out which instances an action has in every instance of its module. */
export function expandAction(
  evaluation: Evaluation,
  { module, action }: ActionNode,
  pass: EvaluationPass,
): void {
  for (const cells of evaluation.instancesOf(module)) {
    const scope = evaluation.scope(cells);
    const expansion = evaluateExpansion(
      action,
      scope,
      false,
      pass.diagnostics,
      evaluation.deferring,
    );
    if (expansion !== undefined) pass.commit(() => cells.setAction(action.addr.text, expansion));
  }
}

/**
 * Evaluates the configuration of an action instance: null without a `config` block, undefined after errors.
 * `caller` is the object that triggers the action, `at` the source range of the reference to it.
 */
export function actionConfig(
  evaluation: Evaluation,
  addr: ActionInstanceAddr,
  { action, schema }: { readonly action: ActionBlock; readonly schema: Schema },
  caller: Value | undefined,
  at: Range | undefined,
  diagnostics: Diagnostic[],
): Awaitable<Value | undefined> {
  const cells = evaluation.find(addr.module);
  const expansion = cells?.actions.get(addr.action.text);
  if (cells === undefined || expansion === undefined || !hasInstance(expansion, addr.key)) {
    const actionAddress = addr.action.inModule(addr.module.path);
    const detail = `The address ${addr.text} does not identify an instance of ${actionAddress}`;
    diagnostics.push(errorDiagnostic('Reference to non-existent action instance', detail, at));
    return undefined;
  }
  if (action.config === undefined) return nullOf(impliedType(schema.block));
  const scope = evaluation.actionScope(cells, repetitionOf(expansion, addr.key), caller);
  const body = action.config;
  return evaluation.evaluate(diagnostics, (pass) => {
    const before = pass.diagnostics.length;
    const value = evaluateBody(body, schema.block, scope, addr.text, pass.diagnostics);
    return hasErrors(pass.diagnostics, before) ? undefined : value;
  });
}
