import type { ProviderSource } from '@terrane/addresses';
import { type Diagnostic, errorDiagnostic } from '@terrane/hcl';
import {
  joinConstraints,
  parseProviderConstraints,
  type ProviderConstraints,
} from '../versions/provider-constraints.ts';
import type { RequiredProvider } from './install-options.ts';

/** Combines the constraints of each provider, or returns their errors. */
export function readConstraints(
  required: ReadonlyMap<ProviderSource, RequiredProvider>,
):
  | { readonly constraints: ReadonlyMap<ProviderSource, ProviderConstraints> }
  | { readonly diagnostics: readonly Diagnostic[] } {
  const diagnostics: Diagnostic[] = [];
  const constraints = new Map<ProviderSource, ProviderConstraints>();
  for (const [provider, { constraints: texts }] of required) {
    if (provider.namespace === '-') {
      diagnostics.push(
        errorDiagnostic(
          'Invalid legacy provider address',
          `This configuration or its associated state refers to the unqualified provider "${provider.type}".\n\nYou must complete the Terraform 0.13 upgrade process before upgrading to later versions.`,
        ),
      );
    }
    const parsed = texts
      .map(parseProviderConstraints)
      .flatMap((constraint) => ('error' in constraint ? [] : [constraint]));
    constraints.set(provider, joinConstraints(parsed));
  }
  diagnostics.push(...constraintProblems(required.values()));
  return diagnostics.length > 0 ? { diagnostics } : { constraints };
}

/** Returns diagnostics for constraints that are valid in a configuration but cannot select any version. */
export function constraintProblems(
  required: Iterable<Pick<RequiredProvider, 'constraints' | 'ranges'>>,
): readonly Diagnostic[] {
  const diagnostics: Diagnostic[] = [];
  for (const { constraints, ranges } of required) {
    for (const [index, text] of constraints.entries()) {
      const result = parseProviderConstraints(text);
      if (!('error' in result)) continue;
      const detail = `Incorrect version constraint syntax: ${result.error}.`;
      diagnostics.push(errorDiagnostic('Invalid version constraint', detail, ranges?.[index]));
    }
  }
  return diagnostics;
}
