import {
  type Block,
  type BodySchema,
  type Diagnostic,
  errorDiagnostic,
  evaluate,
  type Expression,
  hasErrors,
  isValidIdentifier,
} from '@terrane/hcl';
import { collectLocals } from './decode-locals.ts';
import type { Enforcement, Policy, PolicyKind, PolicyOperation } from './model.ts';

const POLICY_SCHEMA: BodySchema = {
  attributes: [{ name: 'filter' }, { name: 'enforcement_level' }],
  blocks: [{ type: 'locals' }, { type: 'enforce' }],
};

const RESOURCE_POLICY_SCHEMA: BodySchema = {
  ...POLICY_SCHEMA,
  attributes: [...POLICY_SCHEMA.attributes, { name: 'operations' }],
};

const ENFORCE_SCHEMA: BodySchema = {
  attributes: [
    { name: 'condition', required: true },
    { name: 'error_message' },
    { name: 'info_message' },
  ],
  blocks: [],
};

const OPERATIONS: readonly PolicyOperation[] = ['create', 'update', 'delete'];
const DEFAULT_OPERATIONS: ReadonlySet<PolicyOperation> = new Set(['create', 'update']);

/** Decodes a policy block. */
export function decodePolicy(block: Block, diagnostics: Diagnostic[]): Policy {
  const [target = '', name = ''] = block.labels;
  const kind = block.type.slice(0, -'_policy'.length) as PolicyKind; // the file's schema has only these blocks
  const schema = kind === 'resource' ? RESOURCE_POLICY_SCHEMA : POLICY_SCHEMA;
  const { content, diagnostics: problems } = block.body.content(schema);
  diagnostics.push(...problems);
  if (!isValidIdentifier(name)) {
    const detail =
      'A name must start with a letter or underscore and may contain only letters, digits, underscores, and dashes.';
    diagnostics.push(errorDiagnostic('Invalid policy name', detail, block.labelRanges[1]));
  }
  const locals = new Map<string, Expression>();
  const enforcements: Enforcement[] = [];
  for (const part of content.blocks) {
    if (part.type === 'locals') collectLocals(part.body, locals, diagnostics);
    else enforcements.push(decodeEnforcement(part, enforcements.length, diagnostics));
  }
  if (enforcements.length === 0) {
    diagnostics.push(
      errorDiagnostic(
        'Missing enforce block',
        'A policy needs at least one enforce block with a condition.',
        block.defRange,
      ),
    );
  }
  const filter = content.attributes.get('filter')?.expression;
  const level = content.attributes.get('enforcement_level')?.expression;
  const operations = content.attributes.get('operations')?.expression;
  return {
    kind,
    target,
    name,
    address: `${block.type}.${target}.${name}`,
    range: block.defRange,
    locals,
    enforcements,
    operations:
      operations === undefined ? DEFAULT_OPERATIONS : decodeOperations(operations, diagnostics),
    ...(filter === undefined ? {} : { filter }),
    ...(level === undefined ? {} : { enforcementLevel: level }),
  };
}

function decodeEnforcement(block: Block, index: number, diagnostics: Diagnostic[]): Enforcement {
  const { content, diagnostics: problems } = block.body.content(ENFORCE_SCHEMA);
  diagnostics.push(...problems);
  const errorMessage = content.attributes.get('error_message')?.expression;
  const infoMessage = content.attributes.get('info_message')?.expression;
  return {
    index,
    range: block.defRange,
    condition: content.attributes.get('condition')?.expression ?? MISSING(block),
    ...(errorMessage === undefined ? {} : { errorMessage }),
    ...(infoMessage === undefined ? {} : { infoMessage }),
  };
}

/** The placeholder of a missing condition, which was reported. */
const MISSING = (block: Block): Expression => ({
  kind: 'syntaxError',
  range: block.defRange,
  diagnostics: [],
});

function decodeOperations(
  expression: Expression,
  diagnostics: Diagnostic[],
): ReadonlySet<PolicyOperation> {
  const before = diagnostics.length;
  const value = evaluate(expression, undefined, diagnostics);
  if (hasErrors(diagnostics, before)) return DEFAULT_OPERATIONS;
  const isList = value.isKnown && !value.isNull && value.type.kind === 'tuple';
  const operations = new Set<PolicyOperation>();
  for (const element of isList ? value.elements() : []) {
    const text =
      element.isKnown && !element.isNull && element.type.kind === 'string'
        ? element.asString()
        : '';
    const operation = OPERATIONS.find((each) => each === text);
    if (operation === undefined) {
      diagnostics.push(
        errorDiagnostic(
          'Invalid operation',
          'The operations of a policy are "create", "update" and "delete".',
          expression.range,
        ),
      );
      return DEFAULT_OPERATIONS;
    }
    operations.add(operation);
  }
  if (operations.size === 0) {
    diagnostics.push(
      errorDiagnostic(
        'Invalid operations',
        'The argument needs a list with at least one of "create", "update" and "delete". Remove it to apply the policy to creations and updates.',
        expression.range,
      ),
    );
    return DEFAULT_OPERATIONS;
  }
  return operations;
}
