import { type InstanceKey, instanceKeyText, type Reference } from '@terrane/addresses';
import { type Diagnostic, errorDiagnostic } from '@terrane/hcl';
import type { Schema } from '@terrane/provider';
import type { Resource } from '../config/model.ts';
import { isRepeated } from '../evaluate/expansion.ts';
import { referencesInBody, referencesInExpression } from '../lang/references.ts';

/** Returns errors for references in the meta-arguments of a resource to the resource itself. */
export function selfReferencesInMeta(resource: Resource): readonly Diagnostic[] {
  if (!isRepeated(resource)) return [];
  return [resource.count, resource.forEach, resource.enabled].flatMap((expression) =>
    expression === undefined
      ? []
      : ownOf(resource, referencesInExpression(expression).references).map((reference) =>
          problem(resource.addr.text, reference),
        ),
  );
}

/** Returns references of a resource's arguments to the resource itself. */
export function selfReferencesInBody(resource: Resource, schema: Schema): readonly Reference[] {
  return ownOf(resource, referencesInBody(resource.body, schema.block).references);
}

/** Returns errors for a resource's references to its own instance with a key. */
export function selfReferenceErrors(
  resource: Resource,
  key: InstanceKey,
  selfReferences: readonly Reference[],
): readonly Diagnostic[] {
  return selfReferences
    .filter(
      ({ subject }) => subject.kind === 'resource' && (!subject.hasKey || subject.key === key),
    )
    .map((reference) => problem(`${resource.addr.text}${instanceKeyText(key)}`, reference));
}

function ownOf(resource: Resource, references: readonly Reference[]): readonly Reference[] {
  if (references.length === 0) return references;
  return references.filter(
    ({ subject }) => subject.kind === 'resource' && subject.resource === resource.addr,
  );
}

function problem(text: string, { range }: Reference): Diagnostic {
  const detail = `Configuration for ${text} may not refer to itself.`;
  return errorDiagnostic('Self-referential block', detail, range);
}
