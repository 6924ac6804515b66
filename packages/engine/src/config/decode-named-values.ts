import {
  asKeyword,
  errorDiagnostic,
  evaluate,
  hasErrors,
  isValidIdentifier,
  parseTypeExpression,
} from '@terrane/hcl';
import { ignoredInDefault } from './ignored-attributes.ts';
import type { Attribute, Block, BodySchema, Diagnostic, Expression, Range } from '@terrane/hcl';
import {
  CtyError,
  DYNAMIC,
  UNKNOWN,
  applyDefaults,
  convert,
  listType,
  mapType,
  withoutOptional,
} from '@terrane/cty';
import type { Defaults, Type, Value } from '@terrane/cty';
import { formatCtyError } from '../lang/format-error.ts';
import { checkVariableCondition, decodeCheckRule } from './decode-check-rule.ts';
import { decodeDependsOn } from './decode-depends-on.ts';
import { dialectRules } from './dialect.ts';
import type { CheckRule, Local, Output, Variable } from './model.ts';
import { BAD_IDENTIFIER, isQuotedString } from './static-value.ts';
import { staticBool, staticString } from './static-value.ts';

/** Names with a special meaning inside module blocks. */
const MODULE_ARGUMENTS = ['source', 'version', 'count', 'for_each', 'depends_on', 'providers'];
const MODULE_BLOCKS = ['_', 'lifecycle', 'locals', 'provider'];

/** A decoded `variable` block; arguments that an override file omits are absent. */
export interface DecodedVariable {
  readonly name: string;
  readonly range: Variable['range'];
  description?: string;
  type?: Type;
  constraint?: Type;
  defaults?: Defaults;
  default?: Value;
  sensitive?: boolean;
  ephemeral?: boolean;
  nullable?: boolean;
  const?: boolean;
  parsing?: 'literal' | 'hcl';
  deprecated?: string;
  deprecatedRange?: Variable['range'];
  readonly validations: CheckRule[];
}

const VARIABLE_SCHEMA: BodySchema = {
  attributes: [
    { name: 'description' },
    { name: 'default' },
    { name: 'type' },
    { name: 'sensitive' },
    { name: 'ephemeral' },
    { name: 'nullable' },
    { name: 'deprecated', unsuggested: true },
    { name: 'const', unsuggested: true },
  ],
  blocks: [{ type: 'validation' }],
};

/** Decodes a `variable` block. */
export function decodeVariable(
  block: Block,
  override: boolean,
  diagnostics: Diagnostic[],
): DecodedVariable {
  const name = block.labels[0] ?? '';
  const v: DecodedVariable = { name, range: block.defRange, validations: [] };
  if (!override) {
    v.type = DYNAMIC;
    v.constraint = DYNAMIC;
    v.parsing = 'literal';
  }
  const { content, diagnostics: schemaProblems } = block.body.content(VARIABLE_SCHEMA);
  diagnostics.push(...schemaProblems);
  checkVariableName(name, block, diagnostics);
  const description = content.attributes.get('description');
  if (description !== undefined) {
    v.description = staticString(description.expression, diagnostics) ?? '';
  }
  const type = content.attributes.get('type');
  if (type !== undefined) decodeType(v, type.expression, diagnostics);
  for (const flag of ['sensitive', 'ephemeral', 'nullable', 'const'] as const) {
    const attribute = content.attributes.get(flag);
    if (attribute === undefined) continue;
    v[flag] = staticBool(attribute.expression, diagnostics) ?? false;
  }
  decodeDeprecated(
    content.attributes.get('deprecated'),
    {
      summary: 'Invalid `deprecated` value',
      what: 'variable',
      range: block.labelRanges[0] ?? block.defRange,
    },
    v,
    diagnostics,
  );
  if (v.const === true && dialectRules(block.defRange).constRefusesSecrets) {
    for (const flag of ['sensitive', 'ephemeral'] as const) {
      if (v[flag] !== true) continue;
      diagnostics.push(
        errorDiagnostic(
          `Const variable cannot be ${flag}`,
          `A variable that is marked as "const" cannot also be marked as "${flag}".`,
          block.defRange,
        ),
      );
    }
  }
  const defaultAttribute = content.attributes.get('default');
  if (defaultAttribute !== undefined)
    v.default = decodeDefault(v, defaultAttribute.expression, diagnostics);
  for (const inner of content.blocks) {
    const problems: Diagnostic[] = [];
    const rule = decodeCheckRule(inner, override, problems);
    diagnostics.push(...problems);
    if (rule.condition !== undefined) checkVariableCondition(name, rule.condition, diagnostics);
    if (rule.complete !== undefined) v.validations.push(rule.complete);
  }
  return v;
}

/** Decodes `deprecated`, which OpenTofu requires to be non-empty. */
function decodeDeprecated(
  attribute: Attribute | undefined,
  wording: { readonly summary: string; readonly what: string; readonly range: Range },
  into: { deprecated?: string; deprecatedRange?: Range },
  diagnostics: Diagnostic[],
): void {
  if (attribute === undefined) return;
  const problems: Diagnostic[] = [];
  into.deprecated = staticString(attribute.expression, problems) ?? '';
  into.deprecatedRange = attribute.range;
  diagnostics.push(...problems);
  if (hasErrors(problems) || into.deprecated.trim() !== '') return;
  if (dialectRules(attribute.range).deprecatedMayBeEmpty) return;
  diagnostics.push(
    errorDiagnostic(
      wording.summary,
      `The "deprecated" argument must not be empty, and should provide instructions on how to migrate away from usage of this deprecated ${wording.what}.`,
      wording.range,
    ),
  );
}

function checkVariableName(name: string, block: Block, diagnostics: Diagnostic[]): void {
  if (!isValidIdentifier(name)) {
    diagnostics.push(
      errorDiagnostic('Invalid variable name', BAD_IDENTIFIER, block.labelRanges[0]),
    );
  }
  if (MODULE_ARGUMENTS.includes(name) || MODULE_BLOCKS.includes(name)) {
    diagnostics.push(
      errorDiagnostic(
        'Invalid variable name',
        `The variable name "${name}" is reserved due to its special meaning inside module blocks.`,
        block.labelRanges[0],
      ),
    );
  }
}

function decodeDefault(v: DecodedVariable, e: Expression, diagnostics: Diagnostic[]): Value {
  let value = evaluate(e, undefined, diagnostics);
  if (v.constraint !== undefined) {
    try {
      if (v.defaults !== undefined && !value.isNull) value = applyDefaults(v.defaults, value);
      value = convert(value, v.constraint);
    } catch (error) {
      if (!(error instanceof CtyError)) throw error;
      diagnostics.push(
        errorDiagnostic(
          'Invalid default value for variable',
          `This default value is not compatible with the variable's type constraint: ${formatCtyError(error)}.`,
          e.range,
        ),
      );
      value = UNKNOWN;
    }
    diagnostics.push(...ignoredInDefault(e, v.constraint));
  }
  if (v.nullable === false && value.isNull) {
    diagnostics.push(
      errorDiagnostic(
        'Invalid default value for variable',
        'A null default value is not valid when nullable=false.',
        e.range,
      ),
    );
  }
  return value;
}

const QUOTED_TYPES =
  'Terraform 0.11 and earlier required type constraints to be given in quotes, but that form is now deprecated and will be removed in a future version of Terraform. Remove the quotes around';

const QUOTED_TYPE_ENDINGS: ReadonlyMap<string, string> = new Map([
  ['string', '"string".'],
  [
    'list',
    '"list" and write list(string) instead to explicitly indicate that the list elements are strings.',
  ],
  [
    'map',
    '"map" and write map(string) instead to explicitly indicate that the map elements are strings.',
  ],
]);

function decodeType(v: DecodedVariable, e: Expression, diagnostics: Diagnostic[]): void {
  const problems: Diagnostic[] = [];
  const decoded = typeOf(e, problems);
  diagnostics.push(...problems);
  v.constraint = decoded.type;
  v.type = withoutOptional(decoded.type);
  v.parsing = decoded.parsing;
  if (decoded.defaults !== undefined) v.defaults = decoded.defaults;
}

function typeOf(
  e: Expression,
  diagnostics: Diagnostic[],
): {
  readonly type: Type;
  readonly defaults?: Defaults | undefined;
  readonly parsing: 'literal' | 'hcl';
} {
  if (isQuotedString(e)) {
    const value = evaluate(e, undefined, diagnostics);
    if (hasErrors(diagnostics)) return { type: DYNAMIC, parsing: 'hcl' };
    const text = value.unmark().asString();
    const quotedEnding = QUOTED_TYPE_ENDINGS.get(text);
    diagnostics.push(
      quotedEnding === undefined
        ? errorDiagnostic(
            'Invalid legacy variable type hint',
            'To provide a full type expression, remove the surrounding quotes and give the type expression directly.',
            e.range,
          )
        : errorDiagnostic(
            'Invalid quoted type constraints',
            `${QUOTED_TYPES} ${quotedEnding}`,
            e.range,
          ),
    );
    return { type: DYNAMIC, parsing: text === 'string' ? 'literal' : 'hcl' };
  }
  // Terraform 0.11's abbreviations, still understood.
  switch (asKeyword(e)) {
    case 'list':
      return { type: listType(DYNAMIC), parsing: 'hcl' };
    case 'map':
      return { type: mapType(DYNAMIC), parsing: 'hcl' };
    default:
  }
  const parsed = parseTypeExpression(e, { allowDefaults: true });
  diagnostics.push(...parsed.diagnostics);
  if (hasErrors(parsed.diagnostics)) return { type: DYNAMIC, parsing: 'hcl' };
  const kind = parsed.type.kind;
  const isPrimitive = kind === 'string' || kind === 'number' || kind === 'bool';
  return {
    type: parsed.type,
    defaults: parsed.defaults,
    parsing: isPrimitive ? 'literal' : 'hcl',
  };
}

/** A decoded `output` block; arguments that an override file omits are absent. */
export interface DecodedOutput {
  readonly name: string;
  readonly range: Output['range'];
  description?: string;
  expression?: Expression;
  sensitive?: boolean;
  ephemeral?: boolean;
  dependsOn: Output['dependsOn'];
  deprecated?: string;
  deprecatedRange?: Output['range'];
  constraint?: Type;
  defaults?: Defaults;
  readonly preconditions: CheckRule[];
}

function outputSchema(valueRequired: boolean): BodySchema {
  return {
    attributes: [
      { name: 'description' },
      { name: 'value', required: valueRequired },
      { name: 'depends_on' },
      { name: 'sensitive' },
      { name: 'ephemeral' },
      { name: 'deprecated', unsuggested: true },
      { name: 'type', unsuggested: true },
    ],
    blocks: [{ type: 'precondition' }, { type: 'postcondition' }],
  };
}

const OUTPUT_SCHEMA = outputSchema(true);
const OUTPUT_OVERRIDE_SCHEMA = outputSchema(false);

/** Decodes an `output` block. */
export function decodeOutput(
  block: Block,
  override: boolean,
  diagnostics: Diagnostic[],
): DecodedOutput {
  const name = block.labels[0] ?? '';
  const output: DecodedOutput = { name, range: block.defRange, dependsOn: [], preconditions: [] };
  const { content, diagnostics: schemaProblems } = block.body.content(
    override ? OUTPUT_OVERRIDE_SCHEMA : OUTPUT_SCHEMA,
  );
  diagnostics.push(...schemaProblems);
  if (!isValidIdentifier(name)) {
    diagnostics.push(errorDiagnostic('Invalid output name', BAD_IDENTIFIER, block.labelRanges[0]));
  }
  const description = content.attributes.get('description');
  if (description !== undefined) {
    output.description = staticString(description.expression, diagnostics) ?? '';
  }
  const value = content.attributes.get('value');
  if (value !== undefined) output.expression = value.expression;
  const type = content.attributes.get('type');
  if (type !== undefined) {
    const parsed = parseTypeExpression(type.expression, { allowDefaults: true });
    diagnostics.push(...parsed.diagnostics);
    output.constraint = hasErrors(parsed.diagnostics) ? DYNAMIC : parsed.type;
    if (parsed.defaults !== undefined) output.defaults = parsed.defaults;
  }
  const deprecated = content.attributes.get('deprecated');
  decodeDeprecated(
    deprecated,
    {
      summary: 'Invalid `deprecated` attribute',
      what: 'output value',
      range: deprecated?.expression.range ?? block.defRange,
    },
    output,
    diagnostics,
  );
  for (const flag of ['sensitive', 'ephemeral'] as const) {
    const attribute = content.attributes.get(flag);
    if (attribute === undefined) continue;
    output[flag] = staticBool(attribute.expression, diagnostics) ?? false;
  }
  output.dependsOn = decodeDependsOn(content, diagnostics);
  for (const inner of content.blocks) {
    if (inner.type === 'postcondition') {
      diagnostics.push(
        errorDiagnostic(
          'Postconditions are not allowed',
          'Output values can only have preconditions, not postconditions.',
          inner.typeRange,
        ),
      );
      continue;
    }
    const rule = decodeCheckRule(inner, override, diagnostics);
    if (rule.complete !== undefined) output.preconditions.push(rule.complete);
  }
  return output;
}

/** Decodes a `locals` block, in source order. */
export function decodeLocals(block: Block, diagnostics: Diagnostic[]): Local[] {
  const { attributes, diagnostics: schemaProblems } = block.body.justAttributes();
  diagnostics.push(...schemaProblems);
  const locals: Local[] = [];
  for (const [name, attribute] of attributes) {
    if (!isValidIdentifier(name)) {
      diagnostics.push(
        errorDiagnostic('Invalid local value name', BAD_IDENTIFIER, attribute.nameRange),
      );
    }
    locals.push({ name, expression: attribute.expression, range: attribute.range });
  }
  return locals;
}
