import type { Diagnostic, Expression } from '@terrane/hcl';
import { referenceProblems } from '../config/check/static-reference.ts';
import type { Module, Schemas } from '../config/model.ts';
import { referencesInExpression } from '../lang/references.ts';
import type { NamedNode } from './named-values.ts';

/** Validates the references of a node statically, without values. */
export function namedReferenceProblems(node: NamedNode, schemas: Schemas): readonly Diagnostic[] {
  const { module, expressions } = expressionsOf(node);
  const problems: Diagnostic[] = [];
  for (const expression of expressions) {
    const { references, diagnostics } = referencesInExpression(expression);
    problems.push(...diagnostics);
    for (const reference of references)
      problems.push(...referenceProblems(reference, module, schemas, {}));
  }
  return problems;
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
      const expressions = [count, forEach, enabled].filter(
        (expression) => expression !== undefined,
      );
      return { module, expressions };
    }
    case 'variable': {
      const argument = module.call?.body.justAttributes().attributes.get(node.variable.name);
      return argument === undefined || module.parent === undefined
        ? { module, expressions: [] }
        : { module: module.parent, expressions: [argument.expression] };
    }
  }
}
