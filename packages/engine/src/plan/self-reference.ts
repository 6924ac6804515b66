import { type Diagnostic, errorDiagnostic } from '@terrane/hcl';
import type { Schema } from '@terrane/provider';
import type { Resource } from '../config/model.ts';
import { referencesInBody, referencesInExpression } from '../lang/references.ts';

/** Errors for each place where a resource refers to itself in its own arguments. */
export function selfReferences(resource: Resource, schema: Schema): readonly Diagnostic[] {
  const inBody = referencesInBody(resource.body, schema.block).references;
  const inMeta = [resource.count, resource.forEach].flatMap((expression) =>
    expression === undefined ? [] : referencesInExpression(expression).references,
  );
  const problems: Diagnostic[] = [];
  for (const { subject, range } of [...inMeta, ...inBody]) {
    if (subject.kind !== 'resource' || subject.resource !== resource.addr) continue;
    problems.push(
      errorDiagnostic(
        'Self-referential block',
        `Configuration for ${resource.addr.text} may not refer to itself.`,
        range,
      ),
    );
  }
  return problems;
}
