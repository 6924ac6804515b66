import { quoteText } from '@terrane/cty';
import { asTraversal, errorDiagnostic, hasErrors } from '@terrane/hcl';
import type { Diagnostic, Expression, Range } from '@terrane/hcl';
import { parseProviderPart } from '../addrs/provider-source.ts';
import type { LocalProviderRef, ProviderRef } from './model.ts';
import { isQuotedString, unquoteTraversal } from './static-value.ts';

/** "name" or "name.alias". */
export function providerKey(ref: LocalProviderRef): string {
  return ref.alias === undefined ? ref.name : `${ref.name}.${ref.alias}`;
}

/** Reports a local provider name that is not in its normal form. False when there is something to report. */
export function checkProviderName(name: string, range: Range, diagnostics: Diagnostic[]): boolean {
  const normal = parseProviderPart(name);
  if (normal === name) return true;
  const detail =
    typeof normal === 'string'
      ? `Provider names must be normalized. Replace ${quoteText(name)} with ${quoteText(normal)} to fix this error.`
      : `${name} is an invalid provider local name: ${normal.error}`;
  diagnostics.push(errorDiagnostic('Invalid provider local name', detail, range));
  return false;
}

const INVALID = 'Invalid provider configuration reference';

/** The argument `provider` or one side of `providers`: a local name and perhaps an alias. */
export function decodeProviderRef(
  given: Expression,
  argument: 'provider' | 'providers',
  diagnostics: Diagnostic[],
): ProviderRef | undefined {
  const own: Diagnostic[] = [];
  const ref = decode(unquoteTraversal(given, 'reference', own), argument, own);
  diagnostics.push(...own);
  return ref;
}

function decode(
  e: Expression,
  argument: 'provider' | 'providers',
  diagnostics: Diagnostic[],
): ProviderRef | undefined {
  const steps = asTraversal(e)?.steps ?? [];
  const [root, alias] = steps;
  if (root?.kind !== 'root' || steps.length > 2) {
    const detail = isQuotedString(e)
      ? 'A provider configuration reference must not be given in quotes.'
      : `The ${argument} argument requires a provider type name, optionally followed by a period and then a configuration alias.`;
    diagnostics.push(errorDiagnostic(INVALID, detail, e.range));
    return undefined;
  }
  checkProviderName(root.name, root.range, diagnostics);
  if (hasErrors(diagnostics)) return undefined;
  const ref: ProviderRef = { name: root.name, nameRange: root.range };
  if (alias === undefined) return ref;
  if (alias.kind !== 'attr') {
    diagnostics.push(
      errorDiagnostic(
        INVALID,
        'Provider name must either stand alone or be followed by a period and then a configuration alias.',
        alias.range,
      ),
    );
    return ref;
  }
  return { ...ref, alias: alias.name };
}
