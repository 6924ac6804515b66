import type { Reference } from '@terrane/addresses';
import type { DeprecationMark, Mark, Marks, Path, Value } from '@terrane/cty';
import {
  asList,
  asMap,
  type Diagnostic,
  evaluate,
  type Expression,
  hasErrors,
  type Range,
  type Scope,
  warningDiagnostic,
} from '@terrane/hcl';
import type { Module, Output } from './model.ts';

/** A scope that knows in which module the use of deprecated values is warned of; undefined: in none. */
export interface WarningScope extends Scope {
  readonly warnsFor?: Module | undefined;
  /** Returns the static errors of a reference in this scope. */
  readonly staticProblems?: (reference: Reference) => readonly Diagnostic[];
}

/** The value of an output as the calling module sees it: marked where the output is deprecated. */
export function asReferred(child: Module, output: Output, value: Value): Value {
  if (output.deprecated === undefined) return value;
  const origin = `${child.path.text}.${output.name}`;
  const mark: DeprecationMark = {
    kind: 'deprecated',
    message: output.deprecated,
    origin,
    isRemote: isFromElsewhere(child),
  };
  return value.withMarks(new Set<Mark>([mark]));
}

/**
 * Removes the deprecation marks of a value itself, and warns of each at `range` of a module. Parts of the value keep
 * their marks, as they may be unused.
 */
export function takeDeprecations(
  value: Value,
  range: Range | undefined,
  module: Module | undefined,
  diagnostics: Diagnostic[],
): Value {
  if (!value.hasMark('deprecated')) return value;
  const { deprecated, others } = divide(value.marks);
  if (isWarned(module)) {
    for (const mark of deprecated) diagnostics.push(deprecationWarning(mark, range));
  }
  return value.unmark().withMarks(others);
}

/** Removes the deprecation marks of all parts of a value and warns at the expression of each part. */
export function takeAllDeprecations(
  value: Value,
  expression: Expression,
  module: Module | undefined,
  diagnostics: Diagnostic[],
): Value {
  return takeDeprecationsAt(value, (path, mark) => {
    if (isWarned(module)) diagnostics.push(deprecationWarning(mark, rangeInside(expression, path)));
  });
}

/** Removes all deprecation marks of a value and reports each with its path. */
export function takeDeprecationsAt(
  value: Value,
  report: (path: Path, mark: DeprecationMark) => void,
): Value {
  if (!value.hasMarkDeep('deprecated')) return value;
  const { value: plain, paths } = value.unmarkDeepWithPaths();
  const keptPaths = paths.map(({ path, marks }) => {
    const { deprecated, others } = divide(marks);
    for (const mark of deprecated) report(path, mark);
    return { path, marks: others };
  });
  return plain.markWithPaths(keptPaths.filter(({ marks }) => marks.size > 0));
}

/** Returns true if uses in a module cause warnings: no call above it suppresses them. */
export function isWarned(module: Module | undefined): module is Module {
  for (let at = module; at !== undefined; at = at.parent) {
    if (at.call?.ignoreNestedDeprecations === true) return false;
  }
  return module !== undefined;
}

/** Returns true if a module is in a remote package, or is called from one: its authors are different. */
function isFromElsewhere(module: Module): boolean {
  for (let at: Module | undefined = module; at?.call !== undefined; at = at.parent) {
    if (at.call.source?.kind !== 'local') return true;
  }
  return false;
}

/** Returns the warning about one use of a deprecated object. */
export function deprecationWarning(
  { message, origin, isRemote }: DeprecationMark,
  range: Range | undefined,
  address?: string,
): Diagnostic {
  return warningDiagnostic('Deprecated value used', message, range, {
    extra: { kind: 'deprecation', origin, isRemote },
    ...(address === undefined ? {} : { address }),
  });
}

/** Returns the warning for a deprecated variable of a module that is set. */
export function deprecatedVariable(
  message: string,
  module: Module,
  range: Range,
  context?: Range,
): Diagnostic {
  return warningDiagnostic('Deprecated variable got a value', message, range, {
    extra: { kind: 'deprecation', origin: '', isRemote: isFromElsewhere(module) },
    ...(context === undefined ? {} : { context }),
  });
}

function divide(marks: Marks): {
  readonly deprecated: readonly DeprecationMark[];
  readonly others: Marks;
} {
  const deprecated: DeprecationMark[] = [];
  const others = new Set<Mark>();
  for (const mark of marks) {
    if (typeof mark !== 'string' && mark.kind === 'deprecated') deprecated.push(mark);
    else others.add(mark);
  }
  return { deprecated, others };
}

/** Returns the range of the expression for a part of a value, as precise as the expression's syntax allows. */
export function rangeInside(root: Expression, path: Path): Range {
  let expression = root;
  for (const step of path) {
    const isIndex = step.kind === 'index' && step.key.type.kind === 'number';
    const next = isIndex
      ? asList(expression)?.[step.key.asInt()]
      : itemNamed(expression, step.kind === 'attr' ? step.name : step.key.asString());
    if (next === undefined) return expression.range;
    expression = next;
  }
  return expression.range;
}

function itemNamed(expression: Expression, name: string): Expression | undefined {
  for (const { key, value } of asMap(expression) ?? []) {
    const problems: Diagnostic[] = [];
    const evaluated = evaluate(key, undefined, problems);
    if (hasErrors(problems) || evaluated.type.kind !== 'string' || evaluated.isNull)
      return undefined;
    if (evaluated.asString() === name) return value;
  }
  return undefined;
}
