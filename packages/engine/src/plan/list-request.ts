import { attrStep } from '@terrane/cty';
import {
  type Answer,
  emptyValue,
  type ProviderDiagnostic,
  type Schema,
  type ValidateListRequest,
} from '@terrane/provider';

const NO_ARGUMENTS = { attributes: {}, blocks: {} } as const;

/** The schema of the block `config` of a `list` block. */
export function listArguments({ block }: Schema): Schema['block'] {
  return block.blocks['config']?.block ?? NO_ARGUMENTS;
}

/** Converts the value of a whole `list` block to a provider request. A missing `config` block is an empty one. */
export function listRequest(request: ValidateListRequest, schema: Schema): ValidateListRequest {
  const config = request.config.attr('config');
  return { ...request, config: config.isNull ? emptyValue(listArguments(schema)) : config };
}

/** Prefixes the attribute paths of provider diagnostics with the `config` block. */
export function insideConfig<T extends Answer>(answer: T): T {
  const { diagnostics } = answer;
  if (diagnostics === undefined) return answer;
  return { ...answer, diagnostics: diagnostics.map(inside) };
}

function inside(diagnostic: ProviderDiagnostic): ProviderDiagnostic {
  const { attribute } = diagnostic;
  return attribute === undefined
    ? diagnostic
    : { ...diagnostic, attribute: [attrStep('config'), ...attribute] };
}
