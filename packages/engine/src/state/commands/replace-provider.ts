import {
  type AbsResource,
  compareAbsResources,
  ProviderConfigAddr,
  ProviderSource,
} from '@terrane/addresses';
import { quoteText } from '@terrane/cty';
import { errorDiagnostic, type Diagnostic } from '@terrane/hcl';
import { StateDraft } from '../draft.ts';
import type { State } from '../model.ts';

/** Parses the two arguments of `terraform state replace-provider`. */
export function parseProviderReplacement(
  fromText: string,
  toText: string,
): {
  readonly from?: ProviderSource;
  readonly to?: ProviderSource;
  readonly diagnostics: readonly Diagnostic[];
} {
  const diagnostics: Diagnostic[] = [];
  const parse = (which: string, text: string): ProviderSource | undefined => {
    const parsed = ProviderSource.parse(text);
    if (parsed instanceof ProviderSource) return parsed;
    diagnostics.push(
      errorDiagnostic(
        `Invalid "${which}" provider ${quoteText(text)}`,
        `${parsed.summary}: ${parsed.error}`,
      ),
    );
    return undefined;
  };
  const from = parse('from', fromText);
  const to = parse('to', toText);
  if (from === undefined || to === undefined) return { diagnostics };
  return { from, to, diagnostics };
}

/** Changes the provider of all its resources; returns the changed resources, in order. */
export function replaceProvider(
  state: State,
  from: ProviderSource,
  to: ProviderSource,
): { readonly state: State; readonly replaced: readonly AbsResource[] } {
  const replaced: AbsResource[] = [];
  const draft = new StateDraft(state);
  for (const resource of state.resources()) {
    const config = state.resourceProvider(resource);
    if (config?.provider !== from) continue;
    replaced.push(resource);
    draft.setProvider(resource, ProviderConfigAddr.of(config.module, to, config.alias));
  }
  return { state: draft.freeze(), replaced: replaced.sort(compareAbsResources) };
}
