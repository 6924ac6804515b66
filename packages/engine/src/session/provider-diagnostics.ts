import type { Path, Value } from '@terrane/cty';
import {
  asList,
  asMap,
  type Attribute,
  type Block,
  type Body,
  type Diagnostic,
  evaluate,
  hasErrors,
  type Range,
  startRange,
} from '@terrane/hcl';
import type { ProviderDiagnostic } from '@terrane/provider';

/** The source ranges of an object for diagnostics of providers. */
export interface Whereabouts {
  readonly body?: Body | undefined;
  readonly address?: string | undefined;
}

/** Converts a provider's diagnostics, with source ranges in the configuration where possible. */
export function diagnosticsOf(
  diagnostics: readonly ProviderDiagnostic[] | undefined,
  where: Whereabouts,
): readonly Diagnostic[] {
  if (diagnostics === undefined || diagnostics.length === 0) return NONE;
  return diagnostics.map((diagnostic) => diagnosticOf(diagnostic, where));
}

const NONE: readonly Diagnostic[] = [];

function diagnosticOf(diagnostic: ProviderDiagnostic, where: Whereabouts): Diagnostic {
  const { severity, summary, detail } = diagnostic;
  const { address, body } = where;
  const sourceless = diagnostic.sourceless === true;
  const subject =
    body === undefined || sourceless ? undefined : rangeAt(body, diagnostic.attribute ?? []);
  // A diagnostic that is not about the configuration names its object itself; a destroyed object may have no
  // configuration to refer to.
  const named = sourceless && (body !== undefined || detail.includes(address ?? ''));
  return {
    severity,
    summary,
    detail,
    ...(subject === undefined ? {} : { subject }),
    ...(address === undefined || named ? {} : { address }),
  };
}

/**
 * Returns the range of the argument at a path, or of its element that an index at the end of the path selects; if there
 * is no such argument, the end of the innermost existing body.
 */
export function rangeAt(body: Body, path: Path): Range {
  const [first] = path;
  if (first?.kind !== 'attr') return body.missingItemRange;
  const end = path.at(-1);
  const index = end?.kind === 'index' ? end.key : undefined;
  const steps = index === undefined ? path : path.slice(0, -1);
  const inner = steps.length > 1 ? bodyAt(body, steps) : body;
  const last = steps.at(-1);
  if (last?.kind !== 'attr') return inner.missingItemRange;
  const { content } = inner.partialContent({ attributes: [{ name: last.name }], blocks: [] });
  const attribute = content.attributes.get(last.name);
  if (attribute === undefined) return inner.missingItemRange;
  return index === undefined ? attribute.expression.range : elementRange(attribute, index);
}

/** Returns the body of the innermost nested block on a path. */
function bodyAt(body: Body, steps: Path): Body {
  let current = body;
  for (let at = 0; at < steps.length; at++) {
    const step = steps[at];
    if (step?.kind !== 'attr') return current;
    const following = steps[at + 1];
    const key = following?.kind === 'index' ? following.key : undefined;
    if (key !== undefined) at++;
    const labelNames = key?.type.kind === 'string' ? ['key'] : [];
    const { blocks } = current.partialContent({
      attributes: [],
      blocks: [{ type: step.name, labelNames }],
    }).content;
    if (blocks.length === 0) continue;
    const block = key === undefined ? onlyOf(blocks) : blockWithKey(blocks, key);
    if (block === undefined) return current;
    current = block.body;
  }
  return current;
}

function onlyOf(blocks: readonly Block[]): Block | undefined {
  return blocks.length === 1 ? blocks[0] : undefined;
}

function blockWithKey(blocks: readonly Block[], key: Value): Block | undefined {
  if (key.type.kind === 'number') return blocks[key.asInt()];
  const label = key.type.kind === 'string' ? key.asString() : undefined;
  return blocks.find((block) => block.labels[0] === label);
}

function elementRange({ expression, nameRange }: Attribute, key: Value): Range {
  switch (key.type.kind) {
    case 'number': {
      const elements = asList(expression);
      return elements === undefined
        ? expression.range
        : (elements[key.asInt()]?.range ?? nameRange);
    }
    case 'string': {
      const items = asMap(expression);
      if (items === undefined) return expression.range;
      for (const item of items) {
        const diagnostics: Diagnostic[] = [];
        const name = evaluate(item.key, undefined, diagnostics);
        if (hasErrors(diagnostics) || name.type.kind !== 'string') return expression.range;
        if (name.asString() === key.asString()) return startRange(item.value);
      }
      return nameRange;
    }
    default:
      return expression.range;
  }
}
