import { CtyError, convert, DYNAMIC, type Type, type Value, withoutOptional } from '@terrane/cty';
import { parseVersionConstraint } from '@terrane/addresses';
import { TERRAFORM_VERSION } from '@terrane/engine';
import {
  type Block,
  type BodySchema,
  type Diagnostic,
  errorDiagnostic,
  evaluate,
  type Expression,
  hasErrors,
  isValidIdentifier,
  parseTypeExpression,
} from '@terrane/hcl';
import { collectLocals } from './decode-locals.ts';
import { decodePolicy } from './decode-policy.ts';
import { fileContent } from './file-content.ts';
import type { Policy, PolicyFile, PolicyInput, RequiredProvider } from './model.ts';

/** The largest policy or test file that is read, in bytes. */
export const MAX_FILE_SIZE: number = 4 * 1024 * 1024;

const FILE_SCHEMA: BodySchema = {
  attributes: [],
  blocks: [
    { type: 'policy' },
    { type: 'input', labelNames: ['name'] },
    { type: 'locals' },
    { type: 'resource_policy', labelNames: ['resource type', 'name'] },
    { type: 'provider_policy', labelNames: ['provider type', 'name'] },
    { type: 'module_policy', labelNames: ['module source', 'name'] },
  ],
};

const SETTINGS_SCHEMA: BodySchema = {
  attributes: [{ name: 'enforcement_level' }],
  blocks: [{ type: 'terraform_config' }, { type: 'plugins' }, { type: 'required_providers' }],
};

const INPUT_SCHEMA: BodySchema = {
  attributes: [
    { name: 'type', required: true },
    { name: 'description' },
    { name: 'default' },
    { name: 'sensitive' },
    { name: 'nullable' },
  ],
  blocks: [],
};

/** A decoded file; incomplete if there are errors. */
export interface DecodedPolicyFile {
  readonly file: PolicyFile;
  readonly diagnostics: readonly Diagnostic[];
}

/** Parses and decodes a policy file. */
export function decodePolicyFile(path: string, bytes: Uint8Array): DecodedPolicyFile {
  const { source, content, diagnostics } = fileContent(path, bytes, FILE_SCHEMA);
  const inputs = new Map<string, PolicyInput>();
  const locals = new Map<string, Expression>();
  const policies: Policy[] = [];
  const requiredProviders = new Map<string, RequiredProvider>();
  let enforcementLevel: Expression | undefined;
  let settings: Block | undefined;
  for (const block of content.blocks) {
    switch (block.type) {
      case 'policy':
        if (settings !== undefined) {
          diagnostics.push(duplicate('policy block', 'A file has one policy block.', block));
          break;
        }
        settings = block;
        enforcementLevel = decodeSettings(block, requiredProviders, diagnostics);
        break;
      case 'input':
        decodeInput(block, inputs, diagnostics);
        break;
      case 'locals':
        collectLocals(block.body, locals, diagnostics);
        break;
      default: {
        const policy = decodePolicy(block, diagnostics);
        if (policies.some(({ address }) => address === policy.address)) {
          const detail = `The file has another policy with the address ${policy.address}. Names of policies are unique in a file.`;
          diagnostics.push(duplicate('policy', detail, block));
        }
        for (const name of policy.locals.keys()) {
          if (!locals.has(name)) continue;
          const detail = `The name local.${name} of this policy is also that of a local value of the file. Rename one of them.`;
          diagnostics.push(duplicate('local value', detail, block));
        }
        policies.push(policy);
      }
    }
  }
  const file: PolicyFile = {
    path,
    source,
    inputs,
    locals,
    policies,
    requiredProviders,
    ...(enforcementLevel === undefined ? {} : { enforcementLevel }),
  };
  return { file, diagnostics };
}

function duplicate(subject: string, detail: string, block: Block): Diagnostic {
  return errorDiagnostic(`Duplicate ${subject}`, detail, block.defRange);
}

function decodeSettings(
  block: Block,
  requiredProviders: Map<string, RequiredProvider>,
  diagnostics: Diagnostic[],
): Expression | undefined {
  const { content, diagnostics: problems } = block.body.content(SETTINGS_SCHEMA);
  diagnostics.push(...problems);
  for (const part of content.blocks) {
    if (part.type === 'terraform_config') checkCoreVersion(part, diagnostics);
    else if (part.type === 'required_providers')
      decodeProviders(part, requiredProviders, diagnostics);
    else diagnostics.push(unsupportedPlugins(part));
  }
  return content.attributes.get('enforcement_level')?.expression;
}

/** The error for a `plugins` block, whose programs only HashiCorp's policy engine can call. */
export function unsupportedPlugins(block: Block): Diagnostic {
  return errorDiagnostic(
    'Policy plugins are not supported',
    'Terrane calls the functions of the language and those of Terraform Policy, but no plugins. Remove the block and express the check with these functions, or run the program as an external checker (checker block of the CLI configuration).',
    block.defRange,
  );
}

/** Reports a `required_version` that excludes the Terraform release whose behavior this program has. */
export function checkCoreVersion(block: Block, diagnostics: Diagnostic[]): void {
  const { content, diagnostics: problems } = block.body.content({
    attributes: [{ name: 'required_version' }],
    blocks: [],
  });
  diagnostics.push(...problems);
  const attribute = content.attributes.get('required_version');
  if (attribute === undefined) return;
  const text = staticText(attribute.expression, diagnostics);
  if (text === undefined) return;
  // Terraform evaluates policies since 1.16. A lower bound of that kind is about this ability, which Terrane has.
  const { error, terms } = parseVersionConstraint(text);
  if (error !== undefined) {
    diagnostics.push(
      errorDiagnostic('Invalid version constraint', `${error}.`, attribute.expression.range),
    );
    return;
  }
  const upper = terms?.filter(({ operator }) => ['<', '<=', '!='].includes(operator)) ?? [];
  if (upper.every((term) => term.allows(TERRAFORM_VERSION))) return;
  diagnostics.push(
    errorDiagnostic(
      'Unsupported Terraform version',
      `The policies of this file require Terraform ${text}. This program behaves as Terraform ${TERRAFORM_VERSION}. Change required_version if the policies work with it.`,
      attribute.expression.range,
    ),
  );
}

function decodeProviders(
  block: Block,
  providers: Map<string, RequiredProvider>,
  diagnostics: Diagnostic[],
): void {
  const { attributes, diagnostics: problems } = block.body.justAttributes();
  diagnostics.push(...problems);
  for (const { name, expression } of attributes.values()) {
    const before = diagnostics.length;
    const value = evaluate(expression, undefined, diagnostics);
    if (hasErrors(diagnostics, before)) continue;
    const source = textAttribute(value, 'source');
    if (source === undefined) {
      diagnostics.push(
        errorDiagnostic(
          'Invalid required_providers object',
          `The entry ${JSON.stringify(name)} needs an object with the argument "source", such as "hashicorp/${name}", and optionally "version".`,
          expression.range,
        ),
      );
      continue;
    }
    const version = textAttribute(value, 'version');
    const { error } = version === undefined ? {} : parseVersionConstraint(version);
    if (error !== undefined) {
      diagnostics.push(
        errorDiagnostic('Invalid version constraint', `${error}.`, expression.range),
      );
    }
    providers.set(name, { source, ...(version === undefined ? {} : { version }) });
  }
}

function textAttribute(value: Value, name: string): string | undefined {
  if (value.isNull || !value.isKnown || value.type.kind !== 'object') return undefined;
  const attribute = value.get(name);
  if (attribute?.type.kind !== 'string') return undefined;
  return attribute.isKnown && !attribute.isNull ? attribute.asString() : undefined;
}

function decodeInput(
  block: Block,
  inputs: Map<string, PolicyInput>,
  diagnostics: Diagnostic[],
): void {
  const name = block.labels[0] ?? '';
  const { content, diagnostics: problems } = block.body.content(INPUT_SCHEMA);
  diagnostics.push(...problems);
  if (!isValidIdentifier(name)) {
    const detail =
      'A name must start with a letter or underscore and may contain only letters, digits, underscores, and dashes.';
    diagnostics.push(errorDiagnostic('Invalid input name', detail, block.labelRanges[0]));
  }
  if (inputs.has(name)) {
    const detail = `An input named ${JSON.stringify(name)} is declared already. Names of inputs are unique in a file.`;
    diagnostics.push(duplicate('input', detail, block));
    return;
  }
  const typeExpression = content.attributes.get('type')?.expression;
  const type = typeExpression === undefined ? DYNAMIC : typeOf(typeExpression, diagnostics);
  const description = content.attributes.get('description')?.expression;
  const sensitive = staticFlag(content.attributes.get('sensitive')?.expression, diagnostics);
  const nullable = staticFlag(content.attributes.get('nullable')?.expression, diagnostics);
  const initial = content.attributes.get('default')?.expression;
  const value = initial === undefined ? undefined : defaultOf(initial, type, diagnostics);
  inputs.set(name, {
    name,
    range: block.defRange,
    type,
    description: description === undefined ? '' : (staticText(description, diagnostics) ?? ''),
    sensitive: sensitive ?? false,
    nullable: nullable ?? true,
    ...(value === undefined ? {} : { default: value }),
  });
}

function typeOf(expression: Expression, diagnostics: Diagnostic[]): Type {
  const parsed = parseTypeExpression(expression, { allowDefaults: false });
  diagnostics.push(...parsed.diagnostics);
  return withoutOptional(parsed.type);
}

function defaultOf(
  expression: Expression,
  type: Type,
  diagnostics: Diagnostic[],
): Value | undefined {
  const before = diagnostics.length;
  const value = evaluate(expression, undefined, diagnostics);
  if (hasErrors(diagnostics, before)) return undefined;
  try {
    return convert(value, type);
  } catch (error) {
    if (!(error instanceof CtyError)) throw error;
    diagnostics.push(
      errorDiagnostic(
        'Invalid default value for input',
        `This default value is not compatible with the input's type: ${error.message}.`,
        expression.range,
      ),
    );
    return undefined;
  }
}

function staticText(expression: Expression, diagnostics: Diagnostic[]): string | undefined {
  const before = diagnostics.length;
  const value = evaluate(expression, undefined, diagnostics);
  if (hasErrors(diagnostics, before)) return undefined;
  if (value.isKnown && !value.isNull && value.type.kind === 'string') return value.asString();
  diagnostics.push(
    errorDiagnostic('Invalid value', 'A literal string is required here.', expression.range),
  );
  return undefined;
}

function staticFlag(
  expression: Expression | undefined,
  diagnostics: Diagnostic[],
): boolean | undefined {
  if (expression === undefined) return undefined;
  const before = diagnostics.length;
  const value = evaluate(expression, undefined, diagnostics);
  if (hasErrors(diagnostics, before)) return undefined;
  if (value.isKnown && !value.isNull && value.type.kind === 'bool') return value.asBool();
  diagnostics.push(
    errorDiagnostic('Invalid value', 'The value must be true or false.', expression.range),
  );
  return undefined;
}
