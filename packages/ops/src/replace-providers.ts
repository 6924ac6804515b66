import type { AbsResource, ProviderSource } from '@terrane/addresses';
import { parseProviderReplacement, replaceProvider } from '@terrane/engine';
import { editState, noStateText } from './edit-state.ts';
import type { Outcome } from './locked-state.ts';
import type { Project } from './project.ts';
import { plainError, type RunPorts } from './run-ports.ts';
import type { StateOptions } from './state-options.ts';

/** Resources whose provider is replaced. */
export interface ProviderReplacement {
  readonly from: ProviderSource;
  readonly to: ProviderSource;
  /** sorted by address */
  readonly resources: readonly AbsResource[];
}

/** The ports of {@link replaceProviders}. */
export interface ReplaceProvidersPorts extends Pick<RunPorts, 'waiting' | 'signal'> {
  /** Called with the pending replacement, while the state is locked; it is executed only after `true`. */
  readonly approve: (replacement: ProviderReplacement) => boolean | Promise<boolean>;
}

/** Replaces the provider `from` by `to` for all its resources in the state. */
export async function replaceProviders(
  project: Project,
  request: { readonly from: string; readonly to: string },
  options: StateOptions,
  ports: ReplaceProvidersPorts,
): Promise<Outcome<ProviderReplacement & { readonly replaced: boolean }>> {
  const { from, to, diagnostics } = parseProviderReplacement(request.from, request.to);
  if (from === undefined || to === undefined) return { diagnostics };
  return await editState(project, options, ports, {
    operation: 'state-replace-provider',
    backup: 'timestamped',
    async make(file) {
      if (file === undefined) return { diagnostics: [plainError(noStateText())] };
      const { state, replaced: resources } = replaceProvider(file.state, from, to);
      const replacement: ProviderReplacement = { from, to, resources };
      const approved = await ports.approve(replacement);
      const replaced = approved && resources.length > 0;
      const result = { ...replacement, replaced };
      return replaced ? { result, next: state, diagnostics: [] } : { result, diagnostics: [] };
    },
  });
}
