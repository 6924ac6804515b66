import { ConfigResource, type InstanceAddr, UNKNOWN_KEY } from '@terrane/addresses';
import { DYNAMIC, objectType, STRING, type Type, type Value } from '@terrane/cty';
import {
  type Diagnostic,
  errorDiagnostic,
  evaluate,
  type Expression,
  hasErrors,
  type Scope,
} from '@terrane/hcl';
import { impliedType, type Schema } from '@terrane/provider';
import { dialectOf } from '../config/dialect.ts';
import type { Configuration, Import, Module, Resource } from '../config/model.ts';
import { referencesInExpression } from '../lang/references.ts';
import { evaluateAs } from './evaluate-as.ts';
import {
  type AddressSettings,
  importAddress,
  isOpenAddress,
  UNKNOWN_EACH,
} from './import-address.ts';
import { NO_REPETITION, type Repetition } from './repetition.ts';
import { unknownKeysDetail } from './unknown-repetition.ts';

/** An object to import, as requested by an `import` block. */
export interface ImportTarget {
  readonly addr: InstanceAddr;
  /** The id of the object, a string, or its identity. Either may be unknown during validation. */
  readonly by: { readonly id: Value } | { readonly identity: Value };
}

/** Settings for evaluating import blocks. */
export interface ImportSettings extends AddressSettings {
  /** The declaration of the resource; undefined where it is still to be generated. */
  readonly resource: Resource | undefined;
  /** Schema of the identity of its type, where the provider has one. */
  readonly identity: Schema | undefined;
  /** True if unknown IDs and keys are allowed, as during validation. */
  readonly allowUnknown: boolean;
  /** Called with the address pattern of a block whose `for_each` or key is unknown, if that is allowed. */
  readonly onUnknownForEach?: (pattern: InstanceAddr) => void;
}

/** An import block and its module. */
export interface PlacedImport {
  readonly module: Module;
  readonly block: Import;
}

/** The import blocks of a configuration, by the resource that they are for. */
export function importsByResource(
  configuration: Configuration,
): ReadonlyMap<ConfigResource, readonly PlacedImport[]> {
  const byResource = new Map<ConfigResource, PlacedImport[]>();
  for (const module of configuration.modules.values()) {
    for (const block of module.imports) {
      const resource = importedResource({ module, block });
      const imports = byResource.get(resource);
      if (imports === undefined) byResource.set(resource, [{ module, block }]);
      else imports.push({ module, block });
    }
  }
  return byResource;
}

/** The resource that an import block is for. */
export function importedResource({ module, block }: PlacedImport): ConfigResource {
  let path = module.path;
  for (const name of block.toModule.names) path = path.child(name);
  return ConfigResource.of(path, block.toResource);
}

/**
 * Evaluates the import blocks of one module for one resource. Returns undefined after errors. For a block with an
 * unknown `for_each` or address, if that is allowed, the address pattern is passed to `onUnknownForEach` instead.
 */
export function evaluateImports(
  blocks: readonly Import[],
  settings: ImportSettings,
  diagnostics: Diagnostic[],
): readonly ImportTarget[] | undefined {
  const targets: ImportTarget[] = [];
  for (const block of blocks) {
    const before = diagnostics.length;
    diagnostics.push(...selfReferences(block));
    if (hasErrors(diagnostics, before)) return undefined;
    const repetitions =
      block.forEach === undefined
        ? [NO_REPETITION]
        : evaluateForEach(block.forEach, settings, diagnostics);
    if (repetitions === undefined) return undefined;
    if (repetitions === 'unknown') {
      const open = { ...settings, allowUnknown: true };
      const pattern = importAddress(block.to, UNKNOWN_EACH, open, diagnostics);
      if (pattern === undefined) return undefined;
      settings.onUnknownForEach?.(pattern);
      continue;
    }
    for (const repetition of repetitions) {
      const target = evaluateTarget(block, repetition, settings, diagnostics);
      if (target === undefined || hasErrors(diagnostics, before)) return undefined;
      if (isOpenAddress(target.addr)) settings.onUnknownForEach?.(target.addr);
      else targets.push(target);
    }
  }
  return targets;
}

function evaluateTarget(
  block: Import,
  repetition: Repetition,
  settings: ImportSettings,
  diagnostics: Diagnostic[],
): ImportTarget | undefined {
  const addr = importAddress(block.to, repetition, settings, diagnostics);
  if (addr === undefined) return undefined;
  diagnostics.push(...keyProblems(settings.resource, addr, block.to));
  const scope = settings.scope(repetition);
  if (block.identity !== undefined) {
    const identity = evaluateIdentity(block.identity, addr, scope, settings, diagnostics);
    return identity === undefined ? undefined : { addr, by: { identity } };
  }
  if (block.id === undefined) return undefined;
  const id = evaluateId(block.id, scope, settings.allowUnknown, diagnostics);
  return id === undefined ? undefined : { addr, by: { id } };
}

/**
 * Returns errors for references of an import block to its own resource: those of the ID, otherwise those of `for_each`,
 * which OpenTofu allows.
 */
function selfReferences(block: Import): readonly Diagnostic[] {
  const { id, forEach } = block;
  const problems =
    id === undefined ? [] : selfReferencesIn(block, id, 'Invalid import id argument', 'import ID');
  if (problems.length > 0 || forEach === undefined) return problems;
  return dialectOf(forEach.range) === 'terraform'
    ? selfReferencesIn(block, forEach, 'Invalid for_each argument', 'for_each expression')
    : [];
}

function selfReferencesIn(
  block: Import,
  expression: Expression,
  summary: string,
  subject: string,
): readonly Diagnostic[] {
  // A resource in another module than the block's has another address here.
  if (!block.toModule.isRoot) return [];
  return referencesInExpression(expression)
    .references.filter(
      (reference) =>
        reference.subject.kind === 'resource' && reference.subject.resource === block.toResource,
    )
    .map(({ range }) =>
      errorDiagnostic(
        summary,
        `The ${subject} cannot reference the resource being imported.`,
        range,
      ),
    );
}

function evaluateForEach(
  expression: Expression,
  { scope, allowUnknown }: ImportSettings,
  diagnostics: Diagnostic[],
): readonly Repetition[] | 'unknown' | undefined {
  const root = scope(NO_REPETITION);
  const fail = (detail: string, extra?: Diagnostic['extra']): undefined => {
    const more = extra === undefined ? {} : { extra };
    diagnostics.push(
      errorDiagnostic('Invalid for_each argument', detail, expression.range, {
        expression,
        scope: root,
        ...more,
      }),
    );
    return undefined;
  };
  const before = diagnostics.length;
  const value = evaluate(expression, root, diagnostics);
  if (hasErrors(diagnostics, before)) return undefined;
  const plainly = value.unmarkDeep().value;
  const inTerraform = dialectOf(expression.range) === 'terraform';
  // OpenTofu only has to know the keys here.
  const isEnough =
    inTerraform || plainly.type.kind === 'set' ? plainly.isWhollyKnown() : plainly.isKnown;
  if (!isEnough) {
    if (allowUnknown) return 'unknown';
    return fail(
      inTerraform
        ? 'The "for_each" expression includes values derived from other resource attributes that cannot be determined until apply, and so Terraform cannot determine the full set of values that might be used to import this resource.'
        : unknownKeysDetail(value.type, expression.range, undefined),
      { kind: 'unknown' },
    );
  }
  if (value.hasMark('ephemeral')) {
    return fail(
      'The given "for_each" value is derived from an ephemeral value, which means that Terraform cannot persist it between plan/apply rounds. Use only non-ephemeral values to specify a resource\'s instance keys.',
      { kind: 'ephemeral' },
    );
  }
  const plain = value.unmark();
  if (plain.isNull) return [];
  switch (plain.type.kind) {
    case 'list':
    case 'set':
    case 'tuple':
    case 'map':
    case 'object':
      return [...plain.entries()].map(([eachKey, element]) => ({
        eachKey,
        eachValue: element.withMarks(value.marks),
      }));
    default:
      return fail('The "for_each" expression must be a collection.');
  }
}

function keyProblems(
  resource: Resource | undefined,
  { key }: InstanceAddr,
  to: Expression,
): readonly Diagnostic[] {
  if (key === UNKNOWN_KEY) return [];
  const problem = (detail: string): Diagnostic =>
    errorDiagnostic("Invalid import 'to' expression", detail, to.range);
  const hasForEach = resource?.forEach !== undefined;
  const hasCount = resource?.count !== undefined;
  if (typeof key === 'string')
    return hasForEach ? [] : [problem('The target resource does not use for_each.')];
  if (typeof key === 'number')
    return hasCount ? [] : [problem('The target resource does not use count.')];
  if (hasForEach) return [problem('The target resource is using for_each.')];
  return hasCount ? [problem('The target resource is using count.')] : [];
}

function evaluateId(
  expression: Expression,
  scope: Scope,
  allowUnknown: boolean,
  diagnostics: Diagnostic[],
): Value | undefined {
  const fail = (detail: string, more?: Partial<Diagnostic>): undefined => {
    diagnostics.push(errorDiagnostic('Invalid import id argument', detail, expression.range, more));
    return undefined;
  };
  const value = evaluateAs(expression, STRING, scope, diagnostics);
  if (value === undefined) return undefined;
  if (value.isNull) return fail('The import ID cannot be null.');
  if (!value.isKnown) {
    if (allowUnknown) return value;
    return fail(
      'The import block "id" argument depends on resource attributes that cannot be determined until apply, so Terraform cannot plan to import this resource.',
      { extra: { kind: 'unknown' } },
    );
  }
  const plain = value.unmark();
  if (plain.asString() === '') {
    return fail(
      'The import ID value evaluates to an empty string, please provide a non-empty value.',
    );
  }
  return plain;
}

function evaluateIdentity(
  expression: Expression,
  addr: InstanceAddr,
  scope: Scope,
  { identity, allowUnknown }: ImportSettings,
  diagnostics: Diagnostic[],
): Value | undefined {
  const fail = (detail: string, more?: Partial<Diagnostic>): undefined => {
    diagnostics.push(
      errorDiagnostic('Invalid import identity argument', detail, expression.range, more),
    );
    return undefined;
  };
  if (identity === undefined) {
    return fail(
      'The provider of the target resource does not support importing by identity. Use the "id" argument instead.',
    );
  }
  const value = evaluateAs(expression, identityType(identity), scope, diagnostics);
  if (value === undefined) return undefined;
  if (value.isNull) return fail('The import identity cannot be null.');
  const { value: plain, marks } = value.unmark().unmarkDeep();
  if (plain.containsInfinity()) return fail('The import identity cannot contain infinite numbers.');
  if (allowUnknown) return plain;
  for (const mark of ['sensitive', 'ephemeral'] as const) {
    if (!marks.has(mark)) continue;
    const detail = `Import identity for ${addr.text} must not contain ${mark} values\n`;
    diagnostics.push(errorDiagnostic('Invalid import identity', detail));
    return undefined;
  }
  if (plain.isWhollyKnown()) return plain;
  return fail(
    'The import block "identity" argument depends on resource attributes that cannot be determined until apply, so Terraform cannot plan to import this resource.',
    { extra: { kind: 'unknown' } },
  );
}

/** The type of an identity. Attributes that the schema does not require are optional. */
function identityType({ block }: Schema): Type {
  const type = impliedType(block);
  if (type.kind !== 'object') return type;
  const optional = type.names.filter((name) => block.attributes[name]?.required !== true);
  const attributes = new Map(type.names.map((name, i) => [name, type.types[i] ?? DYNAMIC]));
  return objectType(attributes, optional);
}
