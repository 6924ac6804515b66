import {
  applyDefaults,
  convert,
  CtyError,
  DYNAMIC,
  EMPTY_OBJECT_VALUE,
  EMPTY_TUPLE_VALUE,
  list,
  listType,
  map,
  mapType,
  object,
  objectType,
  tuple,
  type Type,
  unknownOf,
  type Value,
  withoutOptional,
} from '@terrane/cty';
import { type Diagnostic, errorDiagnostic, type Scope } from '@terrane/hcl';
import { formatCtyError } from '../lang/format-error.ts';
import { takeAllDeprecations, takeDeprecations, takeDeprecationsAt } from './deprecations.ts';
import type { Module, Output } from './model.ts';

/** The type that an output's value has for certain: dynamic where none is declared. */
export function typeOfOutput({ constraint }: Output): Type {
  return constraint === undefined ? DYNAMIC : withoutOptional(constraint);
}

/** Returns the value of an output converted to its declared type; unknown after an error. */
export function outputValue(
  output: Output,
  value: Value,
  scope: Scope,
  diagnostics: Diagnostic[],
): Value {
  const { constraint, defaults, expression } = output;
  if (constraint === undefined) return value;
  try {
    return convert(defaults === undefined ? value : applyDefaults(defaults, value), constraint);
  } catch (error) {
    if (!(error instanceof CtyError)) throw error;
    diagnostics.push(
      errorDiagnostic(
        'Invalid output value',
        `The value expression does not match this output value's type constraint: ${formatCtyError(error)}.`,
        expression.range,
        { expression, scope },
      ),
    );
    return unknownOf(typeOfOutput(output));
  }
}

/**
 * Removes deprecation marks from an output and warns of them: of all in the root module, elsewhere of those on the
 * whole value. Marks in a deprecated output cause no warning.
 */
export function takeOutputDeprecations(
  output: Output,
  value: Value,
  isRoot: boolean,
  module: Module | undefined,
  diagnostics: Diagnostic[],
): Value {
  const { expression } = output;
  if (output.deprecated !== undefined) return takeDeprecationsAt(value, () => {});
  return isRoot
    ? takeAllDeprecations(value, expression, module, diagnostics)
    : takeDeprecations(value, expression.range, module, diagnostics);
}

/** The type of one instance of a module, where all its outputs are of types that are wholly declared. */
function exactType(child: Module): Type | undefined {
  const types = new Map<string, Type>();
  for (const [name, output] of child.outputs) {
    const type = typeOfOutput(output);
    if (hasDynamic(type)) return undefined;
    types.set(name, type);
  }
  // Without outputs, no types are declared.
  return types.size === 0 ? undefined : objectType(types);
}

function hasDynamic(type: Type): boolean {
  switch (type.kind) {
    case 'dynamic':
      return true;
    case 'list':
    case 'set':
    case 'map':
      return hasDynamic(type.element);
    case 'tuple':
      return type.elements.some(hasDynamic);
    case 'object':
      return type.types.some(hasDynamic);
    default:
      return false;
  }
}

/** Returns the instances of a module with `count`: a list if their type is declared, otherwise a tuple. */
export function listOfInstances(child: Module, instances: readonly Value[]): Value {
  const type = exactType(child);
  if (type !== undefined) return list(type, instances);
  return instances.length === 0 ? EMPTY_TUPLE_VALUE : tuple(instances);
}

/** Returns the instances of a module with `for_each`: a map if their type is declared, otherwise an object. */
export function mapOfInstances(child: Module, instances: ReadonlyMap<string, Value>): Value {
  const type = exactType(child);
  if (type !== undefined) return map(type, instances);
  return instances.size === 0 ? EMPTY_OBJECT_VALUE : object(instances);
}

/** Returns the value of a repeated module whose instances are unknown. */
export function unknownInstances(child: Module, by: 'count' | 'forEach'): Value {
  const exact = exactType(child);
  const outputs = [...child.outputs.values()];
  // Instances of different types do not form a collection; without declared types the value is never one.
  if (exact === undefined && outputs.some(({ constraint }) => constraint !== undefined))
    return unknownOf(DYNAMIC);
  const type = exact ?? objectType(new Map(outputs.map(({ name }) => [name, DYNAMIC])));
  return unknownOf(by === 'count' ? listType(type) : mapType(type));
}
