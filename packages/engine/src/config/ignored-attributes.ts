// Attributes of an object constructor that are not in the type it is converted to. OpenTofu warns of them; in
// Terraform's files they are ignored silently.
import {
  attrStep,
  convert,
  CtyError,
  formatPath,
  indexStep,
  integer,
  NUMBER,
  type Path,
  quoteText,
  str,
  STRING,
  type Type,
  unknownOf,
} from '@terrane/cty';
import {
  type Diagnostic,
  evaluate,
  type Expression,
  nameSuggestion,
  type Range,
} from '@terrane/hcl';
import { dialectRules } from './dialect.ts';

interface Ignored {
  /** The path of the absent attribute; its last step is the name. */
  readonly path: Path;
  readonly name: string;
  readonly range: Range;
  readonly context: Range;
  readonly names: readonly string[];
}

/** Returns warnings for attributes in the default of a variable that its type does not have. */
export function ignoredInDefault(expression: Expression, type: Type): readonly Diagnostic[] {
  return warnings(expression, type, (path) =>
    path.length === 0
      ? 'The object type for this variable'
      : `The object type for ${formatPath(path)}`,
  );
}

/** Returns warnings for attributes in a module argument that the type of the variable does not have. */
export function ignoredInArgument(
  expression: Expression,
  type: Type,
  variable: string,
): readonly Diagnostic[] {
  const object = `The object type for input variable ${quoteText(variable)}`;
  return warnings(expression, type, (path) =>
    path.length === 0 ? object : `${object} nested value ${formatPath(path)}`,
  );
}

function warnings(
  expression: Expression,
  type: Type,
  objectAt: (path: Path) => string,
): readonly Diagnostic[] {
  if (!dialectRules(expression.range).warnsOfIgnoredAttributes) return [];
  return ignoredIn(expression, type, []).map(({ path, name, range, context, names }) => ({
    severity: 'warning',
    summary: 'Object attribute is ignored',
    detail: `${objectAt(path.slice(0, -1))} does not include an attribute named ${quoteText(name)}, so this definition is unused.${suggestion(name, names)}`,
    subject: range,
    context,
  }));
}

function suggestion(name: string, names: readonly string[]): string {
  const close = nameSuggestion(name, names);
  return close === undefined ? '' : ` Did you mean to set attribute ${quoteText(close)} instead?`;
}

/** Descends into constructors along the type; the keys of `for` expression results are unknown. */
function ignoredIn(e: Expression, type: Type, path: Path): readonly Ignored[] {
  switch (type.kind) {
    case 'object':
      return e.kind !== 'object'
        ? []
        : e.items.flatMap(({ key, value }) => {
            const name = constantKey(key);
            if (name === undefined) return [];
            const inner = [...path, attrStep(name)];
            const at = type.names.indexOf(name);
            const attribute = type.types[at];
            const { names } = type;
            return attribute === undefined
              ? [{ path: inner, name, range: key.range, context: e.range, names }]
              : ignoredIn(value, attribute, inner);
          });
    case 'map':
      if (e.kind === 'for' && e.key !== undefined)
        return ignoredIn(e.value, type.element, [...path, indexStep(unknownOf(STRING))]);
      return e.kind !== 'object'
        ? []
        : e.items.flatMap(({ key, value }) => {
            const name = constantKey(key);
            return name === undefined
              ? []
              : ignoredIn(value, type.element, [...path, indexStep(str(name))]);
          });
    case 'list':
    case 'set':
      if (e.kind === 'for' && e.key === undefined)
        return ignoredIn(e.value, type.element, [...path, indexStep(unknownOf(NUMBER))]);
      return e.kind !== 'tuple'
        ? []
        : e.elements.flatMap((element, at) =>
            ignoredIn(element, type.element, [...path, indexStep(integer(at))]),
          );
    case 'tuple':
      return e.kind !== 'tuple'
        ? []
        : e.elements.flatMap((element, at) => {
            const inner = type.elements[at];
            return inner === undefined
              ? []
              : ignoredIn(element, inner, [...path, indexStep(integer(at))]);
          });
    default:
      return [];
  }
}

/** Returns a key that does not depend on references. */
function constantKey(key: Expression): string | undefined {
  const problems: Diagnostic[] = [];
  const value = evaluate(key, undefined, problems).unmark();
  if (problems.length > 0 || !value.isKnown || value.isNull) return undefined;
  try {
    return convert(value, STRING).asString();
  } catch (error) {
    if (!(error instanceof CtyError)) throw error;
    return undefined;
  }
}
