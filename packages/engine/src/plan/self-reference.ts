import { type InstanceKey, instanceKeyText, type Reference } from '@terrane/addresses';
import { type Diagnostic, errorDiagnostic } from '@terrane/hcl';
import type { Schema } from '@terrane/provider';
import type { Resource } from '../config/model.ts';
import { referencesInBody, referencesInExpression } from '../lang/references.ts';

/** Errors for each place where what decides a resource's instances refers to the resource. */
export function selfReferencesInMeta(resource: Resource): readonly Diagnostic[] {
  return [resource.count, resource.forEach, resource.enabled].flatMap((expression) =>
    expression === undefined
      ? []
      : ownOf(resource, referencesInExpression(expression).references).map((reference) =>
          problem(resource.addr.text, reference),
        ),
  );
}

/** References of a resource's arguments to the resource itself. */
export function selfReferencesInBody(resource: Resource, schema: Schema): readonly Reference[] {
  return ownOf(resource, referencesInBody(resource.body, schema.block).references);
}

/** Errors for those of a resource's references to itself that mean the instance with a key. */
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
  return references.filter(
    ({ subject }) => subject.kind === 'resource' && subject.resource === resource.addr,
  );
}

function problem(text: string, { range }: Reference): Diagnostic {
  const detail = `Configuration for ${text} may not refer to itself.`;
  return errorDiagnostic('Self-referential block', detail, range);
}
