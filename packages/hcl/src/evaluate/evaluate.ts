import { quoteText, tuple, UNKNOWN, Value } from '@terrane/cty';
import { errorDiagnostic } from '../diagnostic/diagnostic.ts';
import type { Diagnostic, Expression, Scope, ScopeTraversalExpr } from '../model.ts';
import { nameSuggestion } from '../source/suggestion.ts';
import { evaluateCall } from './call.ts';
import { evaluateConditional } from './conditional.ts';
import { faultMessage, reportFault } from './fault.ts';
import { evaluateFor } from './for.ts';
import { evaluateJson } from './json.ts';
import { evaluateObject, evaluateObjectKey } from './object.ts';
import { evaluateBinary, evaluateUnary } from './operators.ts';
import { iterationScope, lookUpInner, splatItemValue } from './scope.ts';
import { evaluateSplat } from './splat.ts';
import { evaluateTemplate, evaluateTemplateJoin } from './template.ts';
import { indexWithKey, traverseRelative } from './traverse.ts';

/**
 * Evaluates an expression. User errors are added to `diagnostics` and the result is unknown; they are never thrown.
 * Without a scope only constants can be evaluated, and strings of the JSON syntax are literals.
 */
export function evaluate(
  expression: Expression,
  scope: Scope | undefined,
  diagnostics: Diagnostic[],
): Value {
  try {
    switch (expression.kind) {
      case 'literal':
        return expression.value;
      case 'scopeTraversal':
        return evaluateReference(expression, scope, diagnostics);
      case 'template':
        return evaluateTemplate(expression, scope, diagnostics, evaluate);
      case 'templateWrap':
        return evaluate(expression.wrapped, scope, diagnostics);
      case 'parentheses':
        return evaluate(expression.inner, scope, diagnostics);
      case 'call':
        return evaluateCall(expression, scope, diagnostics, evaluate);
      case 'object':
        return evaluateObject(expression, scope, diagnostics, evaluate);
      case 'objectKey':
        return evaluateObjectKey(expression, scope, diagnostics, evaluate);
      case 'tuple': {
        const { elements } = expression;
        const values = new Array<Value>(elements.length);
        for (let i = 0; i < elements.length; i++) {
          values[i] = evaluate(elements[i] as Expression, scope, diagnostics);
        }
        return tuple(values);
      }
      case 'conditional':
        return evaluateConditional(expression, scope, diagnostics, evaluate);
      case 'binary':
        return evaluateBinary(expression, scope, diagnostics, evaluate);
      case 'unary':
        return evaluateUnary(expression, scope, diagnostics, evaluate);
      case 'relativeTraversal': {
        const source = evaluate(expression.source, scope, diagnostics);
        const { steps } = expression.traversal;
        return traverseRelative(source, steps, diagnostics, 0, expression, scope);
      }
      case 'index': {
        const collection = evaluate(expression.collection, scope, diagnostics);
        const key = evaluate(expression.key, scope, diagnostics);
        const range = expression.bracketRange;
        return indexWithKey(collection, key, range, diagnostics, expression, scope);
      }
      case 'for':
        return evaluateFor(expression, scope, diagnostics, evaluate);
      case 'splat':
        return evaluateSplat(expression, scope, diagnostics, evaluate);
      case 'splatItem':
        return splatItemValue(scope, expression) ?? UNKNOWN;
      case 'templateJoin':
        return evaluateTemplateJoin(expression, scope, diagnostics, evaluate);
      case 'syntaxError':
        diagnostics.push(...expression.diagnostics);
        return UNKNOWN;
      case 'json':
        return evaluateJson(expression, scope, diagnostics, evaluate);
      case 'iteration': {
        const inner =
          expression.iterators.size === 0 ? scope : iterationScope(scope, expression.iterators);
        return evaluate(expression.wrapped, inner, diagnostics).withMarks(expression.marks);
      }
      case 'blocks':
        return expression.decode(scope, diagnostics);
    }
  } catch (error) {
    const detail = `The value of this expression cannot be computed: ${faultMessage(error)}.`;
    const origin = { subject: expression.range, expression, scope };
    reportFault(diagnostics, 'Expression result out of bounds', detail, origin);
    return UNKNOWN;
  }
}

function evaluateReference(
  e: ScopeTraversalExpr,
  scope: Scope | undefined,
  diagnostics: Diagnostic[],
): Value {
  const { traversal } = e;
  const { steps } = traversal;
  const root = steps[0];
  if (root?.kind !== 'root') {
    return UNKNOWN;
  }
  const binding = lookUpInner(scope, root.name);
  if (binding instanceof Value) {
    return steps.length === 1
      ? binding
      : traverseRelative(binding, steps, diagnostics, 1, e, scope);
  }
  const resolution = binding?.resolve(traversal, diagnostics);
  if (resolution !== undefined) {
    const { value, consumed } = resolution;
    return consumed >= steps.length
      ? value
      : traverseRelative(value, steps, diagnostics, consumed, e, scope);
  }
  if (scope === undefined) {
    const detail = 'Variables may not be used here.';
    diagnostics.push(
      errorDiagnostic('Variables not allowed', detail, root.range, { expression: e }),
    );
    return UNKNOWN;
  }
  const suggestion = nameSuggestion(root.name, scope.rootNames());
  const hint = suggestion === undefined ? '' : ` Did you mean ${quoteText(suggestion)}?`;
  const detail = `There is no variable named ${quoteText(root.name)}.${hint}`;
  reportFault(diagnostics, 'Unknown variable', detail, {
    subject: root.range,
    expression: e,
    scope,
  });
  return UNKNOWN;
}
