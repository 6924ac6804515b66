import { formatPath, type Path, type Value } from '@terrane/cty';
import { type Body, type Diagnostic, errorDiagnostic } from '@terrane/hcl';
import { attributeByPath, type AttributeSchema, type BlockSchema } from '@terrane/provider';
import { rangeAt } from '../session/provider-diagnostics.ts';

/** Ephemeral values may only go into write-only arguments: errors for all others. */
export function ephemeralProblems(
  config: Value,
  schema: BlockSchema,
  body: Body,
  address?: string,
): readonly Diagnostic[] {
  if (!config.hasMarkDeep('ephemeral')) return [];
  const problems: Diagnostic[] = [];
  for (const { path, marks } of config.unmarkDeepWithPaths().paths) {
    if (!marks.has('ephemeral')) continue;
    const at = assignable(schema, path);
    if (at.attribute?.writeOnly === true) continue;
    const reason =
      at.attribute === undefined
        ? 'it is not an assignable attribute.'
        : 'it is not a write-only attribute and must be persisted to state.';
    const name = formatPath(at.path).replace(/^\./, '');
    problems.push(
      errorDiagnostic(
        'Invalid use of ephemeral value',
        `Ephemeral values are not valid for "${name}", because ${reason}`,
        rangeAt(body, at.path),
        address === undefined ? {} : { address },
      ),
    );
  }
  return problems;
}

/** Returns the write-only attribute at or above a path, otherwise the outermost attribute. */
function assignable(
  schema: BlockSchema,
  path: Path,
): { readonly path: Path; readonly attribute: AttributeSchema | undefined } {
  let at = path;
  let attribute = attributeByPath(schema, at);
  while (attribute?.writeOnly !== true && at.length > 1) {
    at = at.slice(0, -1);
    attribute = attributeByPath(schema, at);
  }
  return { path: at, attribute };
}
