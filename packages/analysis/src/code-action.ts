import { type Type, typeToString } from '@terrane/cty';
import { evaluate, type Expression, variables } from '@terrane/hcl';
import type { ModuleValues } from './analysis-context.ts';
import type { Changes, ChangeSet } from './edits.ts';
import { propertiesAt, jsonRoot } from './json-edits.ts';
import type { ModuleIndex } from './module-index.ts';
import type { FoundOccurrence, ProjectModel } from './project-model.ts';
import type { Span } from './symbol.ts';
import { spanOf } from './symbol-syntax.ts';
import { nodesAt } from './syntax-nodes.ts';

/** A proposed change. */
export interface CodeAction {
  readonly title: string;
  readonly kind: 'quickfix' | 'refactor.extract' | 'refactor.rewrite';
  readonly changes: Changes;
  readonly isPreferred?: true;
}

/** The greatest number of `moved` blocks that are written. */
export const MAX_MOVES = 200;

/** Block types from which values are extracted. */
export const EXTRACTED_FROM: ReadonlySet<string> = new Set([
  'resource',
  'data',
  'ephemeral',
  'module',
  'output',
  'locals',
  'provider',
]);

/** Arguments that are no values of the module. */
export const NOT_EXTRACTED: ReadonlySet<string> = new Set([
  'source',
  'version',
  'providers',
  'provider',
  'depends_on',
  'ignore_changes',
  'replace_triggered_by',
  'create_before_destroy',
  'prevent_destroy',
  'alias',
  'sensitive',
  'ephemeral',
  'description',
  'type',
  'when',
  'on_failure',
]);

/** Roots of references that have a value for each instance only. */
export const INSTANCE_ROOTS: ReadonlySet<string> = new Set(['each', 'count', 'self', 'caller']);

/** Returns a name of a variable or local value that is not taken, after an argument. */
export function uniqueName(module: ModuleIndex, root: 'var' | 'local', argument: string): string {
  const base = argument.replaceAll(/[^\p{ID_Continue}-]/gu, '_');
  for (let i = 1; ; i++) {
    const name = i === 1 ? base : `${base}_${i}`;
    if (!module.declarations.has(`${root}.${name}`)) return name;
  }
}

/** Returns a type constraint for the type of a constant; undefined if there is none that keeps the value. */
export function constraintText(type: Type): string | undefined {
  switch (type.kind) {
    case 'string':
    case 'number':
    case 'bool':
      return typeToString(type);
    case 'tuple': {
      const elements = type.elements.map(constraintText);
      const [first] = elements;
      if (first === undefined || elements.includes(undefined)) return undefined;
      return elements.every((each) => each === first)
        ? `list(${first})`
        : `tuple([${elements.join(', ')}])`;
    }
    case 'object': {
      const attributes = type.types.map(constraintText);
      if (attributes.length === 0 || attributes.includes(undefined)) return undefined;
      if (!type.names.every((name) => /^[A-Za-z_][\w-]*$/.test(name))) return undefined;
      const members = type.names.map((name, i) => `${name} = ${attributes[i] ?? ''}`);
      return `object({ ${members.join(', ')} })`;
    }
    default:
      return undefined;
  }
}

/** Returns the value of a `count` argument, if it is known. */
export function knownCount(
  expression: Expression,
  values: ModuleValues | undefined,
  text: string,
): number | undefined {
  const value =
    variables(expression).length === 0 &&
    (expression.kind === 'literal' || expression.kind === 'json')
      ? evaluate(expression, undefined, [])
      : values?.valueOf(text);
  if (value?.type.kind !== 'number' || !value.isKnown || value.isNull || value.isMarked)
    return undefined;
  const number = Number(value.asInt());
  return Number.isSafeInteger(number) && number >= 0 ? number : undefined;
}

/**
 * Changes the indices of all references to instances of a block from numbers to strings. Returns false if a reference
 * depends on the instances being a list. A dependency on all instances does not.
 */
export function indexedReferences(
  project: ProjectModel,
  directory: string,
  key: string,
  set: ChangeSet,
): boolean {
  for (const use of project.occurrencesOf({ directory, key })) {
    const { document, occurrence } = use;
    if (occurrence.role !== 'reference') continue;
    if (occurrence.refactoring !== undefined) return false;
    const index = /^\[(\d+)\]/.exec(document.text.slice(occurrence.span.end))?.[1];
    if (index === undefined) {
      if (isDependency(use)) continue;
      return false;
    }
    const quote = document.kind.syntax === 'json' ? '\\"' : '"';
    const at = occurrence.span.end + 1;
    set.add(document.path, at, at + index.length, `${quote}${index}${quote}`);
  }
  return true;
}

/** Returns the references to `count.index` in the arguments of a block; other texts such as comments are none. */
export function indexUses(values: Iterable<Expression>): readonly Span[] {
  const spans = new Map<number, Span>();
  for (const value of values) {
    for (const { steps } of variables(value)) {
      const [root, index] = steps;
      if (root?.kind !== 'root' || root.name !== 'count') continue;
      if (index?.kind !== 'attr' || index.name !== 'index') continue;
      const start = spanOf(root.range).start;
      spans.set(start, { start, end: spanOf(index.range).end });
    }
  }
  return [...spans.values()];
}

/** Returns true for a reference in `depends_on`, to all instances. */
function isDependency({ document, occurrence: { span, extent } }: FoundOccurrence): boolean {
  if (document.text[span.end] === '[' || extent.end > span.end) return false;
  const root = jsonRoot(document);
  if (root !== undefined) return propertiesAt(root, span.start).at(-1)?.name === 'depends_on';
  const { native } = document;
  return native !== undefined && nodesAt(native, span.start).attribute?.name === 'depends_on';
}
