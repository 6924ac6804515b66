import { parseReference, type Reference } from '@terrane/addresses';
import { variables, variablesInBody, variablesOfGenerators } from '@terrane/hcl';
import type { Body, Diagnostic, Expression, Traversal } from '@terrane/hcl';
import { decodeSpec, type BlockSchema } from '@terrane/provider';

/** The references of an expression or body in order of appearance, with diagnostics. */
export interface References {
  readonly references: readonly Reference[];
  readonly diagnostics: readonly Diagnostic[];
}

const ofExpression: WeakMap<Expression, References> = new WeakMap();
const ofBody: WeakMap<Body, WeakMap<BlockSchema, References>> = new WeakMap();

/** References in an expression. Remembered per expression. */
export function referencesInExpression(e: Expression): References {
  let known = ofExpression.get(e);
  if (known === undefined) {
    known = referencesOf(variables(e));
    ofExpression.set(e, known);
  }
  return known;
}

/** References in the parts of a body that a schema describes, `dynamic` blocks included. Remembered. */
export function referencesInBody(body: Body, block: BlockSchema): References {
  let bySchema = ofBody.get(body);
  if (bySchema === undefined) {
    bySchema = new WeakMap();
    ofBody.set(body, bySchema);
  }
  let known = bySchema.get(block);
  if (known === undefined) {
    known = referencesOf(variablesInBody(body, decodeSpec(block)));
    bySchema.set(block, known);
  }
  return known;
}

/** References that decide what the `dynamic` blocks of a body generate. */
export function referencesOfGenerators(body: Body, block: BlockSchema): References {
  return referencesOf(variablesOfGenerators(body, decodeSpec(block)));
}

/** References that traversals are. */
export function referencesOf(traversals: readonly Traversal[]): References {
  const references: Reference[] = [];
  const diagnostics: Diagnostic[] = [];
  for (const traversal of traversals) {
    const parsed = parseReference(traversal);
    diagnostics.push(...parsed.diagnostics);
    if (parsed.reference !== undefined) references.push(parsed.reference);
  }
  return { references, diagnostics };
}
