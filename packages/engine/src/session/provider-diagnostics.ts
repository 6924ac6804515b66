import type { Path } from '@terrane/cty';
import { type Body, type Diagnostic, type Range } from '@terrane/hcl';
import type { ProviderDiagnostic } from '@terrane/provider';

/** Where in the configuration what a provider says is about. */
export interface Whereabouts {
  readonly body?: Body | undefined;
  readonly address?: string | undefined;
}

/** What a provider said, as diagnostics that point into the configuration where they can. */
export function diagnosticsOf(
  said: readonly ProviderDiagnostic[] | undefined,
  where: Whereabouts,
): readonly Diagnostic[] {
  if (said === undefined || said.length === 0) return NONE;
  return said.map((one) => diagnosticOf(one, where));
}

const NONE: readonly Diagnostic[] = [];

function diagnosticOf(one: ProviderDiagnostic, where: Whereabouts): Diagnostic {
  const { severity, summary, detail } = one;
  const { address, body } = where;
  const subject =
    body === undefined || one.sourceless === true ? undefined : rangeAt(body, one.attribute ?? []);
  return {
    severity,
    summary,
    detail,
    ...(subject === undefined ? {} : { subject }),
    ...(address === undefined ? {} : { address }),
  };
}

/** The range of the attribute at a path as far as it can be followed, else of the body's end. */
export function rangeAt(body: Body, path: Path): Range {
  let current = body;
  for (let index = 0; index < path.length; index++) {
    const step = path[index];
    if (step?.kind !== 'attr') break;
    const following = path[index + 1];
    const { content } = current.partialContent({
      attributes: [{ name: step.name }],
      blocks: [{ type: step.name }],
    });
    const attribute = content.attributes.get(step.name);
    if (attribute !== undefined) return attribute.expression.range;
    const position = following?.kind === 'index' && following.key.type.kind === 'number' ? following.key.asInt() : 0;
    const block = content.blocks[position];
    if (block === undefined) break;
    current = block.body;
    if (following?.kind === 'index') index++;
  }
  return current.missingItemRange;
}
