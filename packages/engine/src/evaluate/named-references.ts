import type { Diagnostic, Expression } from '@terrane/hcl';
import { referenceProblems } from '../config/check/static-reference.ts';
import type { Module, Schemas } from '../config/model.ts';
import { referencesInExpression } from '../lang/references.ts';
import type { NamedNode } from './named-values.ts';

/** What is wrong with the references of a node whatever values there are. */
export function namedReferenceProblems(node: NamedNode, schemas: Schemas): readonly Diagnostic[] {
  const { module, expressions } = expressionsOf(node);
  const found: Diagnostic[] = [];
  for (const expression of expressions) {
    const { references, diagnostics } = referencesInExpression(expression);
    found.push(...diagnostics);
    for (const one of references) found.push(...referenceProblems(one, module, schemas, {}));
  }
  return found;
}

/** The expressions of a node, and the module in which they are evaluated. */
function expressionsOf(node: NamedNode): {
  readonly module: Module;
  readonly expressions: readonly Expression[];
} {
  const { module } = node;
  switch (node.kind) {
    case 'local':
      return { module, expressions: [node.local.expression] };
    case 'output': {
      const { expression, preconditions } = node.output;
      const conditions = preconditions.flatMap((rule) => [rule.condition, rule.errorMessage]);
      return { module, expressions: [...conditions, expression] };
    }
    case 'validation':
      return {
        module,
        expressions: node.rules.flatMap((rule) => [rule.condition, rule.errorMessage]),
      };
    case 'call': {
      const { count, forEach, enabled } = node.call;
      const expressions = [count, forEach, enabled].filter((one) => one !== undefined);
      return { module, expressions };
    }
    case 'variable': {
      const given = module.call?.body.justAttributes().attributes.get(node.variable.name);
      return given === undefined || module.parent === undefined
        ? { module, expressions: [] }
        : { module: module.parent, expressions: [given.expression] };
    }
  }
}
