import { conformanceErrors } from './conformance.ts';
import { Bug } from './bug.ts';
import { limitError } from './limit-error.ts';
import { type Marks, NO_MARKS, unionMarks } from './marks.ts';
import type { Path } from './path-step.ts';
import { refine } from './refine.ts';
import { DYNAMIC, type Type } from './type.ts';
import { typeToString } from './type-name.ts';
import type { Refinement } from './unknown.ts';
import { plainUnknown, type Value } from './value.ts';

/** A parameter of a function. {@link callFunction} handles the values that it does not allow. */
export interface Parameter {
  readonly name: string;
  /** The constraint for arguments; dynamic parts accept any type. */
  readonly type: Type;
  readonly description?: string;
  /** True if null may be passed; otherwise it is an error. */
  readonly allowNull?: boolean;
  /** True if unknown values may be passed; otherwise the result is unknown without a call. */
  readonly allowUnknown?: boolean;
  /** True if values of dynamic type may be passed; otherwise the result is unknown and of dynamic type. */
  readonly allowDynamic?: boolean;
  /** True if marked values may be passed; otherwise marks are removed at all depths and added to the result. */
  readonly allowMarked?: boolean;
}

/** A function of the language. */
export interface FunctionSpec {
  readonly name: string;
  readonly description: string;
  readonly parameters: readonly Parameter[];
  /** The parameter of all arguments beyond the positional ones. */
  readonly variadic?: Parameter;
  /** The type of the result, or a function that derives it from the arguments, which may be unknown. It may throw. */
  readonly returnType: Type | ((args: readonly Value[]) => Type);
  /** A refinement of every result, which also narrows unknown results. */
  readonly refineResult?: (args: readonly Value[]) => Refinement;
  /** Computes the result. The arguments satisfy the parameters. It may throw CtyError and ArgumentError. */
  readonly implementation: (args: readonly Value[], returnType: Type) => Value;
  /** `try` and `can` are expressions, not functions: the evaluator handles them. */
  readonly lazy?: never;
}

/** The error for an argument that a function rejects. `index` counts from 0, `path` leads into the argument. */
export class ArgumentError extends Error {
  override readonly name: string = 'ArgumentError';
  readonly index: number;
  readonly path: Path;

  constructor(index: number, message: string, path: Path = []) {
    super(message);
    this.index = index;
    this.path = path;
  }
}

interface Prepared {
  readonly type: Type;
  /** True if an argument of dynamic type was passed to a parameter that requires a type. */
  readonly untyped: boolean;
}

function parameterOf(f: FunctionSpec, i: number): Parameter {
  const parameter = f.parameters[i] ?? f.variadic;
  if (parameter === undefined) throw new Bug(`${f.name} has no parameter ${i}`);
  return parameter;
}

function checkCount(f: FunctionSpec, count: number): void {
  const needed = f.parameters.length;
  if (f.variadic === undefined ? count === needed : count >= needed) return;
  const qualifier = f.variadic === undefined ? '' : 'at least ';
  throw new ArgumentCountError(
    `wrong number of arguments (${qualifier}${needed} required; ${count} given)`,
  );
}

/** A call with too few or too many arguments. */
export class ArgumentCountError extends Error {
  override readonly name: string = 'ArgumentCountError';
}

function prepare(f: FunctionSpec, args: readonly Value[]): Prepared {
  checkCount(f, args.length);
  let plain = args;
  for (let i = 0; i < args.length; i++) {
    const parameter = parameterOf(f, i);
    const arg = args[i] as Value;
    if (arg.containsMarked() && parameter.allowMarked !== true) {
      const copy = plain.slice();
      copy[i] = arg.unmarkDeep().value;
      plain = copy;
    }
    if (arg.isNull && parameter.allowNull !== true) {
      throw new ArgumentError(i, 'argument must not be null');
    }
    if (arg.type === DYNAMIC) {
      if (parameter.allowDynamic !== true) return { type: DYNAMIC, untyped: true };
      continue;
    }
    const error = conformanceErrors(arg.type, parameter.type)[0];
    if (error !== undefined) throw new ArgumentError(i, error.message, error.path);
  }
  const { returnType } = f;
  const type =
    typeof returnType === 'function' ? withinLimits(() => returnType(plain)) : returnType;
  return { type, untyped: false };
}

/**
 * Returns the type of the result for arguments that may be unknown; dynamic if an argument has no type. Throws like
 * {@link callFunction}.
 */
export function functionReturnType(f: FunctionSpec, args: readonly Value[]): Type {
  return prepare(f, args).type;
}

/**
 * Calls a function by the protocol for null, unknown, untyped and marked arguments that the parameters declare.
 * Arguments must have been converted to the parameter types. Throws ArgumentError for a rejected argument,
 * ArgumentCountError for a wrong number of arguments, and the errors of the implementation.
 */
export function callFunction(f: FunctionSpec, args: readonly Value[]): Value {
  const { type, untyped } = prepare(f, args);
  let marks: Marks = NO_MARKS;
  let passed = args;
  let unknown = untyped;
  for (let i = 0; i < args.length; i++) {
    const parameter = parameterOf(f, i);
    const arg = args[i] as Value;
    if (!arg.isKnown && parameter.allowUnknown !== true) unknown = true;
    if (parameter.allowMarked === true || !arg.containsMarked()) continue;
    const stripped = arg.unmarkDeep();
    marks = unionMarks(marks, stripped.marks);
    if (passed === args) passed = args.slice();
    (passed as Value[])[i] = stripped.value;
  }
  const result = unknown ? plainUnknown(type) : withinLimits(() => f.implementation(passed, type));
  if (!unknown) checkResult(f, result, type);
  const marked = result.withMarks(marks);
  if (result.isKnown || untyped || f.refineResult === undefined || result.type === DYNAMIC) {
    return marked;
  }
  return refine(marked, f.refineResult(passed));
}

/** Calls `run`. Converts errors about exceeded runtime limits to CtyError, so that `try` can handle them. */
function withinLimits<T>(run: () => T): T {
  try {
    return run();
  } catch (error) {
    throw limitError(error) ?? error;
  }
}

function checkResult(f: FunctionSpec, result: Value, type: Type): void {
  if (result.type === type || type === DYNAMIC) return;
  const error = conformanceErrors(result.type, type)[0];
  if (error !== undefined) {
    const actual = typeToString(result.type);
    throw new Bug(
      `${f.name} returned ${actual} instead of ${typeToString(type)}: ${error.message}`,
    );
  }
}
