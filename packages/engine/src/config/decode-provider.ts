import { parseProviderPart, parseVersionConstraint, ProviderSource } from '@terrane/addresses';
import {
  asMap,
  asTraversal,
  errorDiagnostic,
  evaluate,
  hasErrors,
  isValidIdentifier,
  mergeBodies,
  warningDiagnostic,
} from '@terrane/hcl';
import type {
  Attribute,
  Block,
  Body,
  BodyContent,
  BodySchema,
  Diagnostic,
  Expression,
  Range,
} from '@terrane/hcl';
import { STRING, type Value } from '@terrane/cty';
import { constantForEach } from './constant/constant-for-each.ts';
import type { ConstantModule } from './constant/constant-module.ts';
import { decodeVersionConstraint } from './decode-version.ts';
import type { ProviderBlock, ProviderMetaBlock, RequiredProvider, RootConstants } from './model.ts';
import { checkProviderName } from './provider-ref.ts';
import { duplicateEscape, isFirst, reportReservedBlock } from './repeated-blocks.ts';
import type { TestProvider } from './test/model.ts';
import { BAD_IDENTIFIER, staticList, staticString } from './static-value.ts';

const PROVIDER_SCHEMA: BodySchema = {
  attributes: [
    { name: 'alias' },
    { name: 'version' },
    { name: 'count' },
    { name: 'depends_on' },
    { name: 'for_each' },
    { name: 'source' },
  ],
  blocks: [{ type: '_' }, { type: 'lifecycle' }, { type: 'locals' }],
};

function reportReservedArguments(content: BodyContent, diagnostics: Diagnostic[]): void {
  for (const reserved of ['count', 'depends_on', 'source']) {
    const attribute = content.attributes.get(reserved);
    if (attribute === undefined) continue;
    diagnostics.push(
      errorDiagnostic(
        'Reserved argument name in provider block',
        `The provider argument name "${reserved}" is reserved for use by Terraform in a future version.`,
        attribute.nameRange,
      ),
    );
  }
}

/** Decodes a `provider` block; those of test files may not constrain versions. */
export function decodeProvider(
  block: Block,
  diagnostics: Diagnostic[],
  inTestFile: boolean = false,
): ProviderBlock | undefined {
  const {
    content,
    remain,
    diagnostics: schemaProblems,
  } = block.body.partialContent(PROVIDER_SCHEMA);
  diagnostics.push(...schemaProblems);
  const name = block.labels[0] ?? '';
  if (!checkProviderName(name, block.defRange, diagnostics)) return undefined;
  const alias = decodeAlias(content.attributes.get('alias'), diagnostics);
  const versionAttribute = content.attributes.get('version');
  let version: string | undefined;
  if (versionAttribute !== undefined) {
    diagnostics.push(
      inTestFile
        ? versionInTestFile(versionAttribute.expression.range)
        : warningDiagnostic(
            'Version constraints inside provider configuration blocks are deprecated',
            'Terraform 0.13 and earlier allowed provider version constraints inside the provider configuration block, but that is now deprecated and will be removed in a future version of Terraform. To silence this warning, move the provider version constraint into the required_providers block.',
            versionAttribute.expression.range,
          ),
    );
    version = decodeVersionConstraint(versionAttribute, diagnostics);
  }
  const forEach = content.attributes.get('for_each')?.expression;
  if (forEach !== undefined && alias === undefined) {
    diagnostics.push(aliasRequired(forEach));
  }
  reportReservedArguments(content, diagnostics);
  let body: Body = remain;
  const firstBlocks = new Map<string, Block>();
  for (const inner of content.blocks) {
    if (inner.type !== '_') reportReservedBlock(inner, 'provider', diagnostics);
    else if (
      isFirst(inner, firstBlocks, duplicateEscape('provider-specific', 'provider'), diagnostics)
    ) {
      body = mergeBodies([body, inner.body]);
    }
  }
  return {
    name,
    body,
    range: block.defRange,
    ...(alias === undefined ? {} : { alias }),
    ...(forEach === undefined ? {} : { forEach }),
    ...(version === undefined ? {} : { version }),
    ...(versionAttribute === undefined ? {} : { versionRange: versionAttribute.range }),
  };
}

/** Returns the error for a provider with instances but without an alias to refer to them. */
export function aliasRequired(forEach: Expression): Diagnostic {
  return errorDiagnostic(
    'Alias required when using "for_each"',
    'The for_each argument is allowed only for provider configurations with an alias.',
    forEach.range,
  );
}

function versionInTestFile(range: Range): Diagnostic {
  return errorDiagnostic(
    'Version constraints are not allowed in test files',
    'Version constraints inside provider configuration blocks are not allowed in test files. To silence this error, move the provider version constraint into the required_providers block of the configuration that uses this provider.',
    range,
  );
}

function decodeAlias(
  attribute: Attribute | undefined,
  diagnostics: Diagnostic[],
): string | undefined {
  if (attribute === undefined) return undefined;
  const alias = staticString(attribute.expression, diagnostics) ?? '';
  if (!isValidIdentifier(alias)) {
    diagnostics.push(
      errorDiagnostic(
        'Invalid provider configuration alias',
        `An alias must be a valid name. ${BAD_IDENTIFIER}`,
      ),
    );
  }
  return alias === '' ? undefined : alias;
}

/** Evaluates the instances of a provider block with `for_each`, once the module is complete. */
export function decodeProviderInstances(
  block: ProviderBlock,
  constants: ConstantModule,
  diagnostics: Diagnostic[],
): ProviderBlock {
  const { forEach, name, alias = '' } = block;
  if (forEach === undefined) return block;
  const use = constants.use(`provider.${name}.${alias}.for_each`, forEach.range);
  const instances = constantForEach(forEach, constants, use, diagnostics);
  return { ...block, instances: instances ?? new Map() };
}

/** Decodes `for_each` of a test file's provider if it is constant. */
export function testProviderInstances(
  { name, alias = '', forEach }: TestProvider,
  constants: RootConstants | undefined,
  diagnostics: Diagnostic[],
): Pick<ProviderBlock, 'forEach' | 'instances'> {
  if (forEach === undefined) return {};
  const use = { name: `provider.${name}.${alias}.for_each`, range: forEach.range };
  const instances = constants && constantForEach(forEach, constants, use, diagnostics);
  return { forEach, instances: instances ?? new Map() };
}

/** A decoded `provider_meta` block. */
export interface DecodedProviderMeta extends ProviderMetaBlock {
  readonly provider: string;
  readonly range: Range;
}

/** Decodes a `provider_meta` block of a `terraform` block. */
export function decodeProviderMeta(
  block: Block,
  diagnostics: Diagnostic[],
): DecodedProviderMeta | undefined {
  const { attributes, diagnostics: schemaProblems } = block.body.justAttributes();
  diagnostics.push(...schemaProblems);
  if (hasErrors(schemaProblems)) return undefined;
  for (const attribute of attributes.values()) {
    evaluate(attribute.expression, undefined, diagnostics);
  }
  const provider = block.labels[0] ?? '';
  if (!checkProviderName(provider, block.defRange, diagnostics)) return undefined;
  const nameRange = block.labelRanges[0] ?? block.defRange;
  return { provider, body: block.body, nameRange, range: block.defRange };
}

/** A decoded `required_providers` block. */
export interface DecodedRequiredProviders {
  readonly providers: readonly RequiredProvider[];
  readonly range: Range;
}

/** Decodes a `required_providers` block of a `terraform` block. */
export function decodeRequiredProviders(
  block: Block,
  diagnostics: Diagnostic[],
): DecodedRequiredProviders | undefined {
  const { attributes, diagnostics: schemaProblems } = block.body.justAttributes();
  diagnostics.push(...schemaProblems);
  if (hasErrors(schemaProblems)) return undefined;
  const problems: Diagnostic[] = [];
  const providers: RequiredProvider[] = [];
  for (const attribute of attributes.values()) {
    const decoded = decodeRequirement(attribute, problems);
    if (decoded !== undefined) providers.push(decoded);
  }
  diagnostics.push(...problems);
  return { providers, range: block.defRange };
}

interface RequirementParts {
  source?: ProviderSource;
  explicitHost?: boolean;
  constraint?: string;
  constraintRange?: Range;
  readonly aliases: string[];
}

function decodeRequirement(
  attribute: Attribute,
  diagnostics: Diagnostic[],
): RequiredProvider | undefined {
  const { name, expression } = attribute;
  const value = literalValue(expression);
  const kind = value?.type.kind;
  if (kind === 'string' || kind === 'number' || kind === 'bool') {
    const constraint = decodeVersionConstraint(attribute, diagnostics);
    const parts: RequirementParts = { aliases: [] };
    if (constraint !== undefined) parts.constraint = constraint;
    return finish(attribute, parts, attribute.range, diagnostics);
  }
  if (!checkProviderName(name, expression.range, diagnostics)) return undefined;
  const pairs = asMap(expression);
  if (pairs === undefined) {
    diagnostics.push(
      errorDiagnostic(
        'Invalid required_providers object',
        'required_providers entries must be strings or objects.',
        expression.range,
      ),
    );
    return undefined;
  }
  const parts: RequirementParts = { aliases: [] };
  for (const pair of pairs) {
    if (!decodePart(name, pair.key, pair.value, parts, diagnostics)) break;
  }
  if (hasErrors(diagnostics)) return undefined;
  return finish(attribute, parts, attribute.range, diagnostics);
}

function finish(
  attribute: Attribute,
  parts: RequirementParts,
  constraintRange: Range,
  diagnostics: Diagnostic[],
): RequiredProvider | undefined {
  const { name, expression } = attribute;
  let source = parts.source;
  if (source === undefined) {
    const normal = parseProviderPart(name);
    if (typeof normal !== 'string') {
      diagnostics.push(errorDiagnostic('Invalid provider name', normal.error, expression.range));
      return undefined;
    }
    source = ProviderSource.implied(normal);
  }
  return {
    name,
    source,
    explicitHost: parts.explicitHost === true,
    constraint: parts.constraint ?? '',
    aliases: parts.aliases,
    range: expression.range,
    ...(parts.constraint === undefined ? {} : { constraintRange }),
  };
}

function decodeConstraint(
  expression: Expression,
  parts: RequirementParts,
  diagnostics: Diagnostic[],
): void {
  const { range } = expression;
  const text = stringValue(expression);
  if (text === undefined) {
    diagnostics.push(
      errorDiagnostic(
        'Invalid version constraint',
        'Version must be specified as a string.',
        range,
      ),
    );
  } else if (parseVersionConstraint(text).error !== undefined) {
    diagnostics.push(
      errorDiagnostic(
        'Invalid version constraint',
        'This string does not use correct version constraint syntax.',
        range,
      ),
    );
  } else parts.constraint = text;
}

function decodeSource(
  expression: Expression,
  parts: RequirementParts,
  diagnostics: Diagnostic[],
): void {
  const { range } = expression;
  const text = stringValue(expression);
  if (text === undefined) {
    diagnostics.push(
      errorDiagnostic('Invalid source', 'Source must be specified as a string.', range),
    );
    return;
  }
  const source = ProviderSource.parse(text);
  if (source instanceof ProviderSource) {
    parts.source = source;
    parts.explicitHost = text.split('/').length === 3;
  } else diagnostics.push(errorDiagnostic(source.summary, source.error, range));
}

/** Decodes a part of the requirement. Returns false if decoding must stop. */
function decodePart(
  providerName: string,
  keyExpression: Expression,
  valueExpression: Expression,
  parts: RequirementParts,
  diagnostics: Diagnostic[],
): boolean {
  const keyDiagnostics: Diagnostic[] = [];
  const key = evaluate(keyExpression, undefined, keyDiagnostics);
  if (hasErrors(keyDiagnostics)) {
    diagnostics.push(...keyDiagnostics);
    return true;
  }
  switch (key.type === STRING && !key.isNull ? key.unmark().asString() : undefined) {
    case 'version':
      decodeConstraint(valueExpression, parts, diagnostics);
      return true;
    case 'source':
      decodeSource(valueExpression, parts, diagnostics);
      return true;
    case 'configuration_aliases':
      decodeAliases(providerName, valueExpression, parts.aliases, diagnostics);
      return true;
    default:
      diagnostics.push(
        errorDiagnostic(
          'Invalid required_providers object',
          'required_providers objects can only contain "version", "source" and "configuration_aliases" attributes. To configure a provider, use a "provider" block.',
          keyExpression.range,
        ),
      );
      return false;
  }
}

function decodeAliases(
  providerName: string,
  list: Expression,
  aliases: string[],
  diagnostics: Diagnostic[],
): void {
  const summary = 'Invalid configuration_aliases value';
  for (const element of staticList(list, diagnostics)) {
    const steps = asTraversal(element)?.steps;
    const [root, alias] = steps ?? [];
    if (steps === undefined || root?.kind !== 'root') {
      diagnostics.push(
        errorDiagnostic(
          'Invalid expression',
          'A single static variable reference is required: only attribute access and indexing with constant keys. No calculations, function calls, template expressions, etc are allowed here.',
          element.range,
        ),
      );
    } else if (alias !== undefined && alias.kind !== 'attr') {
      diagnostics.push(
        errorDiagnostic(
          summary,
          'Configuration aliases can only contain references to local provider configuration names in the format of provider.alias',
          list.range,
        ),
      );
    } else if (root.name !== providerName) {
      diagnostics.push(
        errorDiagnostic(
          summary,
          `Configuration aliases must be prefixed with the provider name. Expected "${providerName}", but found "${root.name}".`,
          list.range,
        ),
      );
    } else if (alias !== undefined) aliases.push(alias.name);
  }
}

function literalValue(e: Expression): Value | undefined {
  const diagnostics: Diagnostic[] = [];
  const value = evaluate(e, undefined, diagnostics);
  return hasErrors(diagnostics) ? undefined : value;
}

function stringValue(e: Expression): string | undefined {
  const value = literalValue(e);
  return value === undefined || value.type !== STRING || value.isNull || !value.isKnown
    ? undefined
    : value.unmark().asString();
}
