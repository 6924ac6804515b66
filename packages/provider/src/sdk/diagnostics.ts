import { attrStep, pathKey, quoteText } from '@terrane/cty';
import type { Path } from '@terrane/cty';
import type { ProviderDiagnostic } from '../contract.ts';

/** Creates an error about a top-level argument or a path, or about the whole configuration block. */
export function error(
  summary: string,
  detail: string,
  attribute?: string | Path,
): ProviderDiagnostic {
  return diagnostic('error', summary, detail, attribute);
}

/** A warning, placed as `error`. */
export function warning(
  summary: string,
  detail: string,
  attribute?: string | Path,
): ProviderDiagnostic {
  return diagnostic('warning', summary, detail, attribute);
}

function diagnostic(
  severity: 'error' | 'warning',
  summary: string,
  detail: string,
  attribute: string | Path | undefined,
): ProviderDiagnostic {
  if (attribute === undefined) return { severity, summary, detail };
  const path = typeof attribute === 'string' ? [attrStep(attribute)] : attribute;
  return { severity, summary, detail, attribute: path };
}

/** A path as the messages of providers show it: `subject[0].country`. */
export function pathText(path: Path): string {
  let out = '';
  for (const step of path) {
    if (step.kind === 'attr') out += out === '' ? step.name : `.${step.name}`;
    else if (step.key.type.kind === 'number') out += `[${step.key.asInt()}]`;
    else if (step.key.type.kind === 'string') out += `[${quoteText(step.key.asString())}]`;
    else out += '[Value(...)]';
  }
  return out;
}

/** Returns the diagnostics without duplicates about the same path. */
export function withoutRepeats(
  diagnostics: readonly ProviderDiagnostic[],
): readonly ProviderDiagnostic[] {
  if (diagnostics.length < 2) return diagnostics;
  const seen = new Set<string>();
  return diagnostics.filter(({ severity, summary, detail, attribute = [] }) => {
    const key = JSON.stringify([severity, summary, detail, pathKey(attribute)]);
    if (seen.has(key)) return false;
    seen.add(key);
    return true;
  });
}
