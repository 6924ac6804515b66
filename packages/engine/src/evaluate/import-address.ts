// The addresses of import blocks: a key in them may depend on the instance of the block, and in OpenTofu's files on any
// reference.
import {
  AbsResource,
  type InstanceAddr,
  type InstanceKey,
  type ModuleInstance,
  parseInstanceTraversal,
  ROOT_INSTANCE,
  UNKNOWN_KEY,
} from '@terrane/addresses';
import { DYNAMIC, object, str, unknownOf, type Value } from '@terrane/cty';
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
import { dialectRules } from '../config/dialect.ts';
import type { Repetition } from './repetition.ts';

/** Settings for evaluating the addresses of import blocks. */
export interface AddressSettings {
  /** The module instance that contains the blocks. */
  readonly instance: ModuleInstance;
  /** Returns the scope of that module with the given values of `each`. */
  readonly scope: (repetition: Repetition) => Scope;
  /** True if unknown keys are allowed. */
  readonly allowUnknown: boolean;
}

/** The repetition of a block whose `for_each` is unknown. */
export const UNKNOWN_EACH: Repetition = {
  eachKey: unknownOf(DYNAMIC),
  eachValue: unknownOf(DYNAMIC),
};

/**
 * Returns the absolute target address of a block, with {@link UNKNOWN_KEY} for each unknown key, if these are allowed.
 * Undefined after errors.
 */
export function importAddress(
  to: Expression,
  repetition: Repetition,
  settings: AddressSettings,
  diagnostics: Diagnostic[],
): InstanceAddr | undefined {
  const keyOf = (key: Expression): Value | undefined =>
    dialectRules(key.range).importKeysAreExpressions
      ? anyKey(key, settings.scope(repetition), settings.allowUnknown, diagnostics)
      : eachKey(key, repetition, diagnostics);
  const steps = stepsOf(to, keyOf, diagnostics);
  if (steps === undefined) return undefined;
  const keys = steps.flatMap((step) => (step.kind === 'index' ? [step.key] : []));
  const parsed = parseInstanceTraversal({
    // The placeholder of an unknown key must be a valid key.
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
  return addressIn(
    settings.instance,
    AbsResource.of(inner, resource.resource).instance(opened(key)),
  );
}

/** Returns true if an instance key of the address is unknown. */
export function isOpenAddress(addr: InstanceAddr): boolean {
  return addr.key === UNKNOWN_KEY || addr.resource.module.keys.includes(UNKNOWN_KEY);
}

/** Returns true if the instance matches an address, whose unknown keys match any key. */
export function isMeantBy(addr: InstanceAddr, pattern: InstanceAddr): boolean {
  if (addr.config !== pattern.config) return false;
  const keysOf = ({ resource, key }: InstanceAddr): readonly InstanceKey[] => [
    ...resource.module.keys,
    key,
  ];
  const patternKeys = keysOf(pattern);
  return keysOf(addr).every(
    (key, at) => key === patternKeys[at] || (key !== undefined && patternKeys[at] === UNKNOWN_KEY),
  );
}

/** Converts an address relative to a module instance to an absolute one. */
function addressIn(module: ModuleInstance, relative: InstanceAddr): InstanceAddr {
  let instance = module;
  const inner = relative.resource.module;
  for (const [index, name] of inner.path.names.entries())
    instance = instance.child(name, inner.keys[index]);
  return AbsResource.of(instance, relative.resource.resource).instance(relative.key);
}

/** The steps of an address once the keys are filled in. */
function stepsOf(
  expression: Expression,
  keyOf: (key: Expression) => Value | undefined,
  diagnostics: Diagnostic[],
): readonly TraversalStep[] | undefined {
  switch (expression.kind) {
    case 'scopeTraversal':
      return expression.traversal.steps;
    case 'relativeTraversal': {
      const source = stepsOf(expression.source, keyOf, diagnostics);
      return source === undefined ? undefined : [...source, ...expression.traversal.steps];
    }
    case 'index': {
      const collection = stepsOf(expression.collection, keyOf, diagnostics);
      const key = keyOf(expression.key);
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

/** A key in Terraform's files, which may refer to `each` only. */
function eachKey(
  expression: Expression,
  { eachKey, eachValue }: Repetition,
  diagnostics: Diagnostic[],
): Value | undefined {
  const names = new Map<string, Value>();
  if (eachKey !== undefined && eachValue !== undefined) {
    names.set('each', object({ key: eachKey, value: eachValue }));
  }
  const keyProblems: Diagnostic[] = [];
  const key = evaluate(expression, iterationScope(undefined, names), keyProblems);
  for (const problem of keyProblems) {
    const isUnknownName = problem.summary === 'Unknown variable';
    diagnostics.push(isUnknownName ? { ...problem, detail: problem.detail + ONLY_EACH } : problem);
  }
  if (hasErrors(keyProblems)) return undefined;
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

/** A key in OpenTofu's files, which may be any expression. */
function anyKey(
  expression: Expression,
  scope: Scope,
  allowUnknown: boolean,
  diagnostics: Diagnostic[],
): Value | undefined {
  const before = diagnostics.length;
  const key = evaluate(expression, scope, diagnostics);
  if (hasErrors(diagnostics, before)) return undefined;
  const fail = (detail: string, extra?: Diagnostic['extra']): undefined => {
    const summary = "Import block 'to' address contains an invalid key";
    const more = extra === undefined ? {} : { extra };
    diagnostics.push(errorDiagnostic(summary, detail, expression.range, more));
    return undefined;
  };
  const contained = 'Import block contained a resource address using an index';
  if (!key.isKnown) {
    if (allowUnknown) return key.unmark();
    return fail(
      `${contained} that will only be known after apply. Please ensure to use expressions that are known at plan time for the index of an import target address`,
      { kind: 'unknown' },
    );
  }
  if (key.isNull)
    return fail(
      `${contained} which is null. Please ensure the expression for the index is not null`,
    );
  if (key.type.kind !== 'string' && key.type.kind !== 'number') {
    return fail(
      `${contained} which is not valid for a resource instance (not a string or a number). Please ensure the expression for the index is correct, and returns either a string or a number`,
    );
  }
  for (const mark of ['sensitive', 'ephemeral'] as const) {
    if (!key.hasMark(mark)) continue;
    return fail(
      `${contained} which is ${mark}. Please ensure indexes used in the resource address of an import target are not ${mark}`,
    );
  }
  return key.unmark();
}
