import { errorDiagnostic, hasErrors, isValidIdentifier } from '@terrane/hcl';
import type { Block, BodySchema, Diagnostic } from '@terrane/hcl';
import { decodeCheckRule } from './decode-check-rule.ts';
import { decodeData, type DecodedResource } from './decode-resource.ts';
import type { CheckRule } from './model.ts';
import { BAD_IDENTIFIER } from './static-value.ts';

/** A decoded `check` block. */
export interface DecodedCheck {
  readonly name: string;
  readonly data?: DecodedResource;
  readonly asserts: readonly CheckRule[];
  readonly range: CheckRule['range'];
}

const CHECK_SCHEMA: BodySchema = {
  attributes: [],
  blocks: [{ type: 'data', labelNames: ['type', 'name'] }, { type: 'assert' }],
};

/** Decodes a `check` block. */
export function decodeCheck(
  block: Block,
  override: boolean,
  diagnostics: Diagnostic[],
): DecodedCheck {
  const name = block.labels[0] ?? '';
  const range = block.defRange;
  if (override) {
    diagnostics.push(
      errorDiagnostic(
        "Can't override check blocks",
        'Override files cannot override check blocks.',
        range,
      ),
    );
    return { name, asserts: [], range };
  }
  const { content, diagnostics: schemaProblems } = block.body.content(CHECK_SCHEMA);
  diagnostics.push(...schemaProblems);
  if (!isValidIdentifier(name)) {
    diagnostics.push(
      errorDiagnostic('Invalid check block name', BAD_IDENTIFIER, block.labelRanges[0]),
    );
  }
  let data: DecodedResource | undefined;
  const asserts: CheckRule[] = [];
  for (const inner of content.blocks) {
    const problems: Diagnostic[] = [];
    if (inner.type === 'data') {
      if (data !== undefined) {
        diagnostics.push(
          errorDiagnostic(
            'Multiple data resource blocks',
            `This check block already has a data resource defined at ${data.range}.`,
            inner.defRange,
          ),
        );
        continue;
      }
      const decoded = decodeData(inner, false, name, problems);
      if (!hasErrors(problems)) data = decoded;
    } else {
      const rule = decodeCheckRule(inner, false, problems);
      if (!hasErrors(problems) && rule.complete !== undefined) asserts.push(rule.complete);
    }
    diagnostics.push(...problems);
  }
  if (asserts.length === 0) {
    diagnostics.push(
      errorDiagnostic(
        'Zero assert blocks',
        'Check blocks must have at least one assert block.',
        range,
      ),
    );
  }
  return data === undefined ? { name, asserts, range } : { name, data, asserts, range };
}
