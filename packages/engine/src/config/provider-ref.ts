import { parseProviderPart } from '@terrane/addresses';
import { quoteText } from '@terrane/cty';
import { asTraversal, errorDiagnostic, hasErrors } from '@terrane/hcl';
import type { Diagnostic, Expression, Range } from '@terrane/hcl';
import { parseJsonReference } from './json-reference.ts';
import type { LocalProviderRef, ProviderRef } from './model.ts';
import { isQuotedString, unquoteTraversal } from './static-value.ts';

/** "name" or "name.alias". */
export function providerKey(ref: LocalProviderRef): string {
  return ref.alias === undefined ? ref.name : `${ref.name}.${ref.alias}`;
}

/** Reports a local provider name that is not normalised. Returns false after a diagnostic. */
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
  written: Expression,
  argument: 'provider' | 'providers',
  diagnostics: Diagnostic[],
): ProviderRef | undefined {
  const problems: Diagnostic[] = [];
  const e = expressionOf(written, problems);
  const key = e?.kind === 'index' ? e.key : undefined;
  const named = e?.kind === 'index' ? e.collection : e;
  const ref =
    named === undefined
      ? undefined
      : decode(unquoteTraversal(named, 'reference', problems), argument, key, problems);
  diagnostics.push(...problems);
  return ref;
}

/** Returns an expression; in JSON, a reference with a computed instance key is an expression in a string. */
function expressionOf(written: Expression, diagnostics: Diagnostic[]): Expression | undefined {
  if (written.kind !== 'json' || asTraversal(written) !== undefined) return written;
  const problems: Diagnostic[] = [];
  const e = parseJsonReference(written, problems);
  if (e?.kind !== 'index') return written;
  diagnostics.push(...problems);
  return e;
}

function decode(
  e: Expression,
  argument: 'provider' | 'providers',
  dynamicKey: Expression | undefined,
  diagnostics: Diagnostic[],
): ProviderRef | undefined {
  const steps = asTraversal(e)?.steps ?? [];
  const [root, alias, index] = steps;
  const hasKey = dynamicKey === undefined && index?.kind === 'index';
  if (root?.kind !== 'root' || steps.length > (hasKey ? 3 : 2)) {
    const detail = isQuotedString(e)
      ? 'A provider configuration reference must not be given in quotes.'
      : `The ${argument} argument requires a provider type name, optionally followed by a period and then a configuration alias${dynamicKey === undefined && !hasKey ? '' : ' and optional instance key'}.`;
    diagnostics.push(errorDiagnostic(INVALID, detail, e.range));
    return undefined;
  }
  checkProviderName(root.name, root.range, diagnostics);
  if (hasErrors(diagnostics)) return undefined;
  const name = { name: root.name, nameRange: root.range };
  const ref: ProviderRef = dynamicKey === undefined ? name : { ...name, key: dynamicKey };
  if (alias === undefined) {
    if (dynamicKey !== undefined) {
      diagnostics.push(
        errorDiagnostic(
          INVALID,
          'Provider assignment requires an alias when specifying an instance key, in the form of provider.name[instance_key]',
          e.range,
        ),
      );
    }
    return ref;
  }
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
  const aliased = { ...ref, alias: alias.name };
  if (index?.kind !== 'index') return aliased;
  return { ...aliased, key: { kind: 'literal', value: index.key, range: e.range } };
}
