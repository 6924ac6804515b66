import type { ModulePath } from '@terrane/addresses';
import type { Body, Diagnostic } from '@terrane/hcl';
import type { ProviderDiagnostic } from '@terrane/provider';
import type { ActionBlock } from '../config/model.ts';
import { diagnosticsOf } from './provider-diagnostics.ts';

/** The source ranges of an action for diagnostics of providers. */
export interface ActionWhereabouts {
  /** "action.t.n", and who calls it */
  readonly address: string;
  /** the whole block of the action, and its `config` block */
  readonly block: Body;
  readonly config: Body | undefined;
}

/** Returns the source ranges of an action; `caller` is the address of the resource that triggers it. */
export function actionWhereabouts(
  { addr, block, config }: ActionBlock,
  path: ModulePath,
  caller: string | undefined,
): ActionWhereabouts {
  const text = addr.inModule(path);
  const address = caller === undefined ? text : `${text}, called from ${caller}`;
  return { address, block, config };
}

/** Converts a provider's diagnostics about an action; those about an argument point to it, all others to the action. */
export function actionDiagnostics(
  diagnostics: readonly ProviderDiagnostic[] | undefined,
  { address, block, config }: ActionWhereabouts,
): readonly Diagnostic[] {
  if (diagnostics === undefined) return [];
  return diagnostics.flatMap((diagnostic) => {
    const body = (diagnostic.attribute ?? []).length > 0 ? (config ?? block) : block;
    return diagnosticsOf([diagnostic], { body, address });
  });
}
