import {
  DYNAMIC,
  object,
  objectType,
  str,
  STRING,
  type Type,
  unknownOf,
  type Value,
} from '@terrane/cty';
import {
  type Diagnostic,
  errorDiagnostic,
  evaluate,
  type Expression,
  hasErrors,
  iterationScope,
  type Scope,
  type TraversalStep,
} from '@terrane/hcl';
import { impliedType, type Schema } from '@terrane/provider';
import { parseInstanceTraversal } from '../addrs/parse-address.ts';
import { type InstanceKey, UNKNOWN_KEY } from '../addrs/instance-key.ts';
import { type ModuleInstance, ROOT_INSTANCE } from '../addrs/module-path.ts';
import { AbsResource, ConfigResource, type InstanceAddr } from '../addrs/resource-addr.ts';
import type { Configuration, Import, Module, Resource } from '../config/model.ts';
import { referencesInExpression } from '../lang/references.ts';
import { evaluateAs } from './evaluate-as.ts';
import { NO_REPETITION, type Repetition } from './repetition.ts';

/** One object to adopt, as an `import` block asks for it. */
export interface ImportTarget {
  readonly addr: InstanceAddr;
  /** What the object is known by: its id, a string, or its identity; may be unknown while validating. */
  readonly by: { readonly id: Value } | { readonly identity: Value };
}

/** What import blocks are evaluated with. */
export interface ImportSettings {
  /** The declaration of the resource; undefined where it is still to be generated. */
  readonly resource: Resource | undefined;
  /** Schema of the identity of its type, where the provider has one. */
  readonly identity: Schema | undefined;
  /** The instance of the module that the blocks stand in. */
  readonly instance: ModuleInstance;
  /** That module, with a meaning of `each`. */
  readonly scope: (repetition: Repetition) => Scope;
  /** Whether unknown ids are in order: they are while validating. */
  readonly allowUnknown: boolean;
  /** Is told of blocks whose `for_each` is unknown, where that is in order: for what they may be. */
  readonly onUnknownForEach?: (pattern: InstanceAddr) => void;
}

/** An import block and the module that it stands in. */
export interface PlacedImport {
  readonly module: Module;
  readonly block: Import;
}

/** The import blocks of a configuration, by the resource that they are for. */
export function importsByResource(
  configuration: Configuration,
): ReadonlyMap<ConfigResource, readonly PlacedImport[]> {
  const found = new Map<ConfigResource, PlacedImport[]>();
  for (const module of configuration.modules.values()) {
    for (const block of module.imports) {
      const resource = importedResource({ module, block });
      const known = found.get(resource);
      if (known === undefined) found.set(resource, [{ module, block }]);
      else known.push({ module, block });
    }
  }
  return found;
}

/** The resource that an import block is for. */
export function importedResource({ module, block }: PlacedImport): ConfigResource {
  let path = module.path;
  for (const name of block.toModule.names) path = path.child(name);
  return ConfigResource.of(path, block.toResource);
}

/** An address as seen from the root, of one that is relative to an instance of a module. */
function addressIn(module: ModuleInstance, relative: InstanceAddr): InstanceAddr {
  let instance = module;
  const inner = relative.resource.module;
  for (const [index, name] of inner.path.names.entries())
    instance = instance.child(name, inner.keys[index]);
  return AbsResource.of(instance, relative.resource.resource).instance(relative.key);
}

/**
 * What the import blocks of one module ask for, for one resource. Undefined after errors. Of blocks whose `for_each` is
 * unknown, where that is allowed, it is only told what they may be for.
 */
export function evaluateImports(
  blocks: readonly Import[],
  settings: ImportSettings,
  diagnostics: Diagnostic[],
): readonly ImportTarget[] | undefined {
  const targets: ImportTarget[] = [];
  for (const block of blocks) {
    const before = diagnostics.length;
    if (block.id !== undefined) diagnostics.push(...selfReferences(block, block.id));
    if (hasErrors(diagnostics, before)) return undefined;
    const repetitions =
      block.forEach === undefined
        ? [NO_REPETITION]
        : evaluateForEach(block.forEach, settings, diagnostics);
    if (repetitions === undefined) return undefined;
    if (repetitions === 'unknown') {
      const pattern = patternOf(block, settings.instance, diagnostics);
      if (pattern === undefined) return undefined;
      settings.onUnknownForEach?.(pattern);
      continue;
    }
    for (const repetition of repetitions) {
      const target = evaluateTarget(block, repetition, settings, diagnostics);
      if (target === undefined || hasErrors(diagnostics, before)) return undefined;
      targets.push(target);
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
  const relative = evaluateAddress(block.to, repetition, diagnostics);
  if (relative === undefined) return undefined;
  const addr = addressIn(settings.instance, relative);
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

function selfReferences(block: Import, id: Expression): readonly Diagnostic[] {
  // A resource of another module than the block's goes by another name here.
  return referencesInExpression(id)
    .references.filter(
      ({ subject }) =>
        subject.kind === 'resource' &&
        subject.resource === block.toResource &&
        block.toModule.isRoot,
    )
    .map(({ range }) =>
      errorDiagnostic(
        'Invalid import id argument',
        'The import ID cannot reference the resource being imported.',
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
  if (!value.unmarkDeep().value.isWhollyKnown()) {
    if (allowUnknown) return 'unknown';
    return fail(
      'The "for_each" expression includes values derived from other resource attributes that cannot be determined until apply, and so Terraform cannot determine the full set of values that might be used to import this resource.',
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

const UNKNOWN_EACH: Repetition = { eachKey: unknownOf(DYNAMIC), eachValue: unknownOf(DYNAMIC) };

/** The address that a block is for, with {@link UNKNOWN_KEY} for what depends on `each`. */
function patternOf(
  { to }: Import,
  module: ModuleInstance,
  diagnostics: Diagnostic[],
): InstanceAddr | undefined {
  const steps = stepsOf(to, UNKNOWN_EACH, diagnostics);
  if (steps === undefined) return undefined;
  const keys = steps.flatMap((step) => (step.kind === 'index' ? [step.key] : []));
  const parsed = parseInstanceTraversal({
    // What stands for an unknown key has to be one.
    steps: steps.map((step) =>
      step.kind === 'index' && !step.key.isKnown ? { ...step, key: str('*') } : step,
    ),
    range: to.range,
  });
  diagnostics.push(...parsed.diagnostics);
  if (parsed.address === undefined) return undefined;
  let position = 0;
  const opened = (key: InstanceKey): InstanceKey =>
    key === undefined || keys[position++]?.isKnown !== false ? key : UNKNOWN_KEY;
  const { resource, key } = parsed.address;
  let inner = ROOT_INSTANCE;
  for (const [at, name] of resource.module.path.names.entries())
    inner = inner.child(name, opened(resource.module.keys[at]));
  return addressIn(module, AbsResource.of(inner, resource.resource).instance(opened(key)));
}

/** Whether an instance is one of those that an address with unknown keys stands for. */
export function isMeantBy(addr: InstanceAddr, pattern: InstanceAddr): boolean {
  if (addr.config !== pattern.config) return false;
  const keysOf = ({ resource, key }: InstanceAddr): readonly InstanceKey[] => [
    ...resource.module.keys,
    key,
  ];
  const wanted = keysOf(pattern);
  return keysOf(addr).every(
    (key, at) => key === wanted[at] || (key !== undefined && wanted[at] === UNKNOWN_KEY),
  );
}

function evaluateAddress(
  to: Expression,
  repetition: Repetition,
  diagnostics: Diagnostic[],
): InstanceAddr | undefined {
  const steps = stepsOf(to, repetition, diagnostics);
  if (steps === undefined) return undefined;
  const parsed = parseInstanceTraversal({ steps, range: to.range });
  diagnostics.push(...parsed.diagnostics);
  return parsed.address;
}

/** The steps of an address once `each.key` and `each.value` are filled in. */
function stepsOf(
  expression: Expression,
  repetition: Repetition,
  diagnostics: Diagnostic[],
): readonly TraversalStep[] | undefined {
  switch (expression.kind) {
    case 'scopeTraversal':
      return expression.traversal.steps;
    case 'relativeTraversal': {
      const source = stepsOf(expression.source, repetition, diagnostics);
      return source === undefined ? undefined : [...source, ...expression.traversal.steps];
    }
    case 'index': {
      const collection = stepsOf(expression.collection, repetition, diagnostics);
      const key = evaluateKey(expression.key, repetition, diagnostics);
      if (collection === undefined || key === undefined) return undefined;
      return [...collection, { kind: 'index', key, range: expression.key.range }];
    }
    default:
      diagnostics.push(
        errorDiagnostic(
          "Invalid import 'to' expression",
          "The import block 'to' argument does not resolve to a single resource instance.",
          expression.range,
        ),
      );
      return undefined;
  }
}

function evaluateKey(
  expression: Expression,
  { eachKey, eachValue }: Repetition,
  diagnostics: Diagnostic[],
): Value | undefined {
  const names = new Map<string, Value>();
  if (eachKey !== undefined && eachValue !== undefined) {
    names.set('each', object({ key: eachKey, value: eachValue }));
  }
  const found: Diagnostic[] = [];
  const key = evaluate(expression, iterationScope(undefined, names), found);
  for (const one of found) {
    const isUnknownName = one.summary === 'Unknown variable';
    diagnostics.push(isUnknownName ? { ...one, detail: one.detail + ONLY_EACH } : one);
  }
  if (hasErrors(found)) return undefined;
  if (!key.hasMark('sensitive')) return key;
  diagnostics.push(
    errorDiagnostic(
      'Invalid index expression',
      'Import address index expression cannot be sensitive.',
      expression.range,
    ),
  );
  return undefined;
}

const ONLY_EACH =
  'Only "each.key" and "each.value" can be used in import address index expressions.';

function keyProblems(
  resource: Resource | undefined,
  { key }: InstanceAddr,
  to: Expression,
): readonly Diagnostic[] {
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

/** What may be left out of an identity is optional. */
function identityType({ block }: Schema): Type {
  const type = impliedType(block);
  if (type.kind !== 'object') return type;
  const optional = type.names.filter((name) => block.attributes[name]?.required !== true);
  const attributes = new Map(type.names.map((name, i) => [name, type.types[i] ?? DYNAMIC]));
  return objectType(attributes, optional);
}
