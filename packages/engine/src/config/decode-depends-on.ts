import { errorDiagnostic } from '@terrane/hcl';
import type { BodyContent, Diagnostic, Traversal } from '@terrane/hcl';
import { staticList, staticTraversal, unquoteTraversal } from './static-value.ts';

const NONE: readonly Traversal[] = [];

/** The traversals of `depends_on`, if the content has it. */
export function decodeDependsOn(
  content: BodyContent,
  diagnostics: Diagnostic[],
): readonly Traversal[] {
  const attribute = content.attributes.get('depends_on');
  if (attribute === undefined) return NONE;
  const traversals: Traversal[] = [];
  for (const element of staticList(attribute.expression, diagnostics)) {
    const e = unquoteTraversal(element, 'reference', diagnostics);
    const traversal = staticTraversal(e, diagnostics);
    if (traversal === undefined) continue;
    const [root] = traversal.steps;
    if (root?.kind !== 'root' || root.name !== 'action') {
      traversals.push(traversal);
      continue;
    }
    diagnostics.push(
      errorDiagnostic(
        'Invalid depends_on Action Reference',
        'The depends_on attribute cannot reference action blocks directly. You must reference a resource or data source instead.',
        e.range,
      ),
    );
  }
  return traversals;
}
