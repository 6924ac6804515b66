import {
  compareText,
  DYNAMIC,
  functionReturnType,
  STRING,
  type FunctionSpec,
  type Parameter,
  type Type,
  unknownOf,
} from '@terrane/cty';
import { EXPRESSION_CLOSURE, TYPE_ARGUMENT } from '@terrane/hcl';

/** A parameter of a function, for documentation and editors. */
export interface ParameterSignature {
  readonly name: string;
  readonly description: string | undefined;
  readonly isNullable: boolean;
  /** the constraint for arguments; dynamic for any value, and for parameters that take an expression or a type */
  readonly type: Type;
}

/** The signature and description of a function, for documentation and editors. */
export interface FunctionSignature {
  readonly name: string;
  readonly description: string;
  /** the result type if only the parameters' types are known */
  readonly returns: Type;
  readonly parameters: readonly ParameterSignature[];
  readonly variadic: ParameterSignature | undefined;
}

/** Removed functions whose error message names the replacement. */
const REMOVED: ReadonlySet<string> = new Set(['list', 'map']);

/** Returns the signatures of the functions in a table, except removed ones, sorted by name. */
export function functionSignatures(
  table: ReadonlyMap<string, FunctionSpec>,
): readonly FunctionSignature[] {
  return [...table]
    .filter(([, spec]) => !REMOVED.has(spec.name))
    .sort(([a], [b]) => compareText(a, b))
    .map(([name, spec]) => signatureOf(name, spec));
}

function signatureOf(name: string, spec: FunctionSpec): FunctionSignature {
  const { description, parameters, variadic } = spec;
  return {
    name,
    description,
    returns: returnsOf(spec),
    parameters: parameters.map(parameterSignature),
    variadic: variadic === undefined ? undefined : parameterSignature(variadic),
  };
}

function returnsOf(spec: FunctionSpec): Type {
  // The result can have another type only in OpenTofu's files, if the argument contains a template.
  if (spec.name === 'templatestring') return STRING;
  const all = spec.variadic === undefined ? [] : [spec.variadic];
  const parameters = [...spec.parameters, ...all];
  // Without the expression or type argument, the result type cannot be derived.
  if (spec.name === 'can' || parameters.some(({ type }) => type.kind === 'capsule')) {
    return typeof spec.returnType === 'function' ? DYNAMIC : spec.returnType;
  }
  return functionReturnType(
    spec,
    parameters.map(({ type }) => unknownOf(type)),
  );
}

function parameterSignature(parameter: Parameter): ParameterSignature {
  const { name, description, allowNull } = parameter;
  return { name, description, isNullable: allowNull === true, type: shownType(parameter.type) };
}

function shownType(type: Type): Type {
  if (type === EXPRESSION_CLOSURE) return STRING;
  return type === TYPE_ARGUMENT ? DYNAMIC : type;
}
