import type { Value } from '@terrane/cty';
import { type Body, decodeBody, type Diagnostic, expandDynamic, type Scope } from '@terrane/hcl';
import { type BlockSchema, decodeSpec } from '@terrane/provider';

/** The value of a body by its schema, `dynamic` blocks expanded; as much as could be had after errors. */
export function evaluateBody(
  body: Body,
  block: BlockSchema,
  scope: Scope,
  diagnostics: Diagnostic[],
): Value {
  return decodeBody(expandDynamic(body, scope), decodeSpec(block), scope, diagnostics);
}
