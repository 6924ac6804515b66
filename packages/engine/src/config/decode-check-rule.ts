import { parseReference, type ResourceAddr } from '@terrane/addresses';
import { errorDiagnostic, variables } from '@terrane/hcl';
import type { Block, BodySchema, Diagnostic, Expression } from '@terrane/hcl';
import type { CheckRule } from './model.ts';

const RULE_SCHEMA: BodySchema = {
  attributes: [
    { name: 'condition', required: true },
    { name: 'error_message', required: true },
  ],
  blocks: [],
};

/** Parts of a rule that were there, and the rule if all were. */
export interface DecodedRule {
  readonly condition?: Expression;
  readonly errorMessage?: Expression;
  readonly complete?: CheckRule;
}

/** Decodes a `validation`, `precondition`, `postcondition` or `assert` block. */
export function decodeCheckRule(
  block: Block,
  override: boolean,
  diagnostics: Diagnostic[],
): DecodedRule {
  if (override) {
    diagnostics.push(
      errorDiagnostic(
        `Can't override ${block.type} blocks`,
        `Override files cannot override "${block.type}" blocks.`,
        block.defRange,
      ),
    );
    return {};
  }
  const { content, diagnostics: schemaProblems } = block.body.content(RULE_SCHEMA);
  diagnostics.push(...schemaProblems);
  const condition = content.attributes.get('condition')?.expression;
  const errorMessage = content.attributes.get('error_message')?.expression;
  if (condition !== undefined && variables(condition).length === 0) {
    diagnostics.push(
      errorDiagnostic(
        `Invalid ${block.type} expression`,
        'The condition expression must refer to at least one object from elsewhere in the configuration, or else its result would not be checking anything.',
        condition.range,
      ),
    );
  }
  if (condition !== undefined && errorMessage !== undefined) {
    const complete = { condition, errorMessage, range: block.defRange };
    return { condition, errorMessage, complete };
  }
  return {
    ...(condition === undefined ? {} : { condition }),
    ...(errorMessage === undefined ? {} : { errorMessage }),
  };
}

/** Validates that a condition refers to its own variable. */
export function checkVariableCondition(
  name: string,
  condition: Expression,
  diagnostics: Diagnostic[],
): void {
  for (const traversal of variables(condition)) {
    const subject = parseReference(traversal).reference?.subject;
    if (subject?.kind === 'variable' && subject.name === name) return;
  }
  diagnostics.push(
    errorDiagnostic(
      'Invalid variable validation condition',
      `The condition for variable "${name}" must refer to var.${name} in order to test incoming values.`,
      condition.range,
    ),
  );
}

/** A resource's conditions may not refer to the resource by its address (`self` is for that). */
export function checkSelfReferences(
  rule: DecodedRule,
  type: string,
  addr: ResourceAddr,
  diagnostics: Diagnostic[],
): void {
  for (const e of [rule.condition, rule.errorMessage]) {
    if (e === undefined) continue;
    const refersToItself = variables(e).some((traversal) => {
      const subject = parseReference(traversal).reference?.subject;
      return subject?.kind === 'resource' && subject.resource === addr;
    });
    if (refersToItself) {
      diagnostics.push(
        errorDiagnostic(
          `Invalid reference in ${type}`,
          `Configuration for ${addr.text} may not refer to itself.`,
          e.range,
        ),
      );
    }
  }
}
