import { compareText, STRING, unknownOf } from '@terrane/cty';
import {
  type Diagnostic,
  errorDiagnostic,
  isValidIdentifier,
  traverseRelative,
  type TraversalStep,
  warningDiagnostic,
} from '@terrane/hcl';
import { attributeType, type BlockSchema, type NestedBlock } from '@terrane/provider';
import { didYouMean } from '../../lang/did-you-mean.ts';

/**
 * Validates steps into an object of a schema without its value: names of missing attributes, indexes instead of
 * attributes (Block.StaticValidateTraversal).
 */
export function schemaTraversalProblems(
  block: BlockSchema,
  steps: readonly TraversalStep[],
): Diagnostic[] {
  const step = steps[0];
  if (step === undefined) return [];
  if (step.kind !== 'attr' && step.kind !== 'root') return [notAnAttribute(step)];
  const { name } = step;
  const attribute = Object.hasOwn(block.attributes, name) ? block.attributes[name] : undefined;
  if (attribute !== undefined) {
    const problems: Diagnostic[] = [];
    if (attribute.deprecated === true) {
      problems.push(
        warningDiagnostic(
          'Deprecated attribute',
          `The attribute "${name}" is deprecated. Refer to the provider documentation for details.`,
          step.range,
        ),
      );
    }
    if (steps.length > 1) traverseRelative(unknownOf(attributeType(attribute)), steps, problems, 1);
    return problems;
  }
  const nested = Object.hasOwn(block.blocks, name) ? block.blocks[name] : undefined;
  if (nested !== undefined) return nestedProblems(name, nested, steps.slice(1));
  const names = [...Object.keys(block.attributes), ...Object.keys(block.blocks)].sort(compareText);
  return [
    errorDiagnostic(
      'Unsupported attribute',
      `This object has no argument, nested block, or exported attribute named "${name}".${didYouMean(name, names)}`,
      step.range,
    ),
  ];
}

function notAnAttribute(step: TraversalStep): Diagnostic {
  if (step.kind !== 'index') {
    const detail = 'Only attribute access is allowed here, using the dot operator.';
    return errorDiagnostic('Invalid operation', detail, step.range);
  }
  const { key } = step;
  const name = key.type === STRING && key.isKnown && !key.isNull ? key.asString() : '';
  const detail = isValidIdentifier(name)
    ? `Only attribute access is allowed here. Did you mean to access attribute "${name}" using the dot operator?`
    : 'Only attribute access is allowed here, using the dot operator.';
  return errorDiagnostic('Invalid index operation', detail, step.range);
}

function nestedProblems(
  name: string,
  nested: NestedBlock,
  steps: readonly TraversalStep[],
): Diagnostic[] {
  const [step, ...rest] = steps;
  if (step === undefined) return [];
  switch (nested.nesting) {
    case 'single':
    case 'group':
      return schemaTraversalProblems(nested.block, steps);
    case 'map':
      return schemaTraversalProblems(nested.block, rest);
    case 'list':
      if (step.kind === 'index') return schemaTraversalProblems(nested.block, rest);
      return [
        errorDiagnostic(
          'Invalid operation',
          `Block type "${name}" is represented by a list of objects, so it must be indexed using a numeric key, like .${name}[0].`,
          step.range,
        ),
      ];
    case 'set':
      return [
        errorDiagnostic(
          'Cannot index a set value',
          `Block type "${name}" is represented by a set of objects, and set elements do not have addressable keys. To find elements matching specific criteria, use a "for" expression with an "if" clause.`,
          step.range,
        ),
      ];
  }
}
