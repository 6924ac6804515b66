import { hasDynamic } from '@terrane/cty';
import { blockLayout, nestedConstraint, nestedLayout } from './layout.ts';
import type { AttributeSchema, BlockSchema, NestedBlock, Schema } from './model.ts';

const VALID_NAME = /^[a-z0-9_]+$/;

/**
 * Returns the errors of a schema itself, one sentence each, prefixed with the path of the argument or block
 * (configschema `InternalValidate`). Empty for a valid schema.
 */
export function validateSchema(s: Schema): string[] {
  const problems: string[] = [];
  validateBlock(s.block, '', problems);
  return problems;
}

function validateBlock(b: BlockSchema, prefix: string, problems: string[]): void {
  for (const [name, attribute] of Object.entries(b.attributes)) {
    validateAttribute(attribute, name, prefix, problems);
  }
  for (const [name, nested] of Object.entries(b.blocks)) {
    const at = `${prefix}${name}`;
    if (Object.hasOwn(b.attributes, name)) {
      problems.push(`${at}: name defined as both attribute and child block type`);
    } else if (!VALID_NAME.test(name)) {
      problems.push(`${at}: name may contain only lowercase letters, digits and underscores`);
    }
    validateNesting(nested, at, problems);
    validateBlock(nested.block, `${at}.`, problems);
  }
}

function validateNesting(nested: NestedBlock, at: string, problems: string[]): void {
  const { nesting, block, minItems: min = 0, maxItems: max = 0 } = nested;
  if (min < 0 || max < 0) {
    problems.push(`${at}: MinItems and MaxItems must both be greater than zero`);
  }
  switch (nesting) {
    case 'single':
      if (min !== max) {
        problems.push(`${at}: MinItems and MaxItems must match in NestingSingle mode`);
      } else if (min < 0 || min > 1) {
        problems.push(
          `${at}: MinItems and MaxItems must be set to either 0 or 1 in NestingSingle mode`,
        );
      }
      break;
    case 'group':
      if (min !== 0 || max !== 0) {
        problems.push(`${at}: MinItems and MaxItems cannot be used in NestingGroup mode`);
      }
      break;
    case 'list':
    case 'set':
      if (min > max && max !== 0) {
        const mode = nesting === 'list' ? 'NestingList' : 'NestingSet';
        problems.push(`${at}: MinItems must be less than or equal to MaxItems in ${mode} mode`);
      }
      if (nesting === 'set') validateSet(block, at, problems);
      break;
    case 'map':
      if (min !== 0 || max !== 0) {
        problems.push(`${at}: MinItems and MaxItems must both be 0 in NestingMap mode`);
      }
      break;
  }
}

function validateSet(block: BlockSchema, at: string, problems: string[]): void {
  const layout = blockLayout(block);
  if (hasDynamic(layout.type)) {
    problems.push(`${at}: NestingSet blocks may not contain attributes of cty.DynamicPseudoType`);
  }
  if (layout.writeOnly) {
    problems.push(`${at}: NestingSet blocks may not contain WriteOnly attributes`);
  }
}

function validateAttribute(
  a: AttributeSchema,
  name: string,
  prefix: string,
  problems: string[],
): void {
  const at = `${prefix}${name}`;
  const { optional = false, required = false, computed = false } = a;
  if (!optional && !required && !computed) {
    problems.push(`${at}: must set Optional, Required or Computed`);
  }
  if (optional && required) problems.push(`${at}: cannot set both Optional and Required`);
  if (computed && required) problems.push(`${at}: cannot set both Computed and Required`);
  if (a.type === undefined && a.nested === undefined) {
    problems.push(`${at}: either Type or NestedType must be defined`);
  }
  if (a.type !== undefined && a.nested !== undefined) {
    problems.push(`${name}: Type and NestedType cannot both be set`);
  }
  if (a.nested === undefined) return;
  if (a.nested.nesting === 'set') {
    if (hasDynamic(nestedConstraint(a.nested))) {
      problems.push(
        `${at}: NestingSet attributes may not contain attributes of cty.DynamicPseudoType`,
      );
    }
    if (nestedLayout(a.nested).writeOnly) {
      problems.push(`${at}: NestingSet attributes may not contain WriteOnly attributes`);
    }
  }
  for (const [inner, schema] of Object.entries(a.nested.attributes)) {
    validateAttribute(schema, inner, prefix, problems);
  }
}
