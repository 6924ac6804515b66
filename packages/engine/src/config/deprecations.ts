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
  /** Returns the static errors of a reference made here. */
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
 * The value without the marks of what is deprecated as a whole, each of which is warned of where it is
 * used, at `range` of a module. Parts of the value keep theirs: they may not be used at all.
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
  const kept = paths.map(({ path, marks }) => {
    const { deprecated, others } = divide(marks);
    for (const mark of deprecated) report(path, mark);
    return { path, marks: others };
  });
  return plain.markWithPaths(kept.filter(({ marks }) => marks.size > 0));
}

/** Returns true if what a module uses is warned of: no call above it asks for silence. */
export function isWarned(module: Module | undefined): module is Module {
  for (let at = module; at !== undefined; at = at.parent) {
    if (at.call?.ignoreNestedDeprecations === true) return false;
  }
  return module !== undefined;
}

/** Returns true if a module is, or is called within, a package from elsewhere: other people write it. */
function isFromElsewhere(module: Module): boolean {
  for (let at: Module | undefined = module; at?.call !== undefined; at = at.parent) {
    if (at.call.source?.kind !== 'local') return true;
  }
  return false;
}

/** The warning about one use of something deprecated. */
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

/** The warning for a variable of a module that is set though it should not be any more. */
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

/** Returns the range of the expression for a part of a value, as precise as the expression's form allows. */
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
