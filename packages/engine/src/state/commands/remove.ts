import type { InstanceAddr } from '@terrane/addresses';
import { errorDiagnostic, hasErrors, type Diagnostic } from '@terrane/hcl';
import { programCommand } from '@terrane/host';
import { StateDraft } from '../draft.ts';
import type { State } from '../model.ts';
import { selectInstances, storedSuggestion } from './select.ts';

/**
 * Implements `state rm`: removes all objects of the selected instances from the state. If no instance matches,
 * the state is unchanged and an error is reported.
 */
export function removeFromState(
  state: State,
  addresses: readonly string[],
): {
  readonly state: State;
  readonly removed: readonly InstanceAddr[];
  readonly diagnostics: readonly Diagnostic[];
} {
  const { instances, diagnostics } = selectInstances(state, addresses, { allowMissing: true });
  if (hasErrors(diagnostics)) return { state, removed: [], diagnostics };
  if (instances.length === 0) {
    const noMatch = errorDiagnostic(
      'Invalid target address',
      `No matching objects found. To view the available instances, use "${programCommand('state list')}". Please modify the address to reference a specific instance.${suggestionFor(addresses, state)}`,
    );
    return { state, removed: [], diagnostics: [...diagnostics, noMatch] };
  }
  const draft = new StateDraft(state);
  for (const addr of instances) {
    for (const deposed of draft.instance(addr)?.deposed.keys() ?? []) {
      draft.apply({ kind: 'drop', addr, deposed });
    }
    draft.apply({ kind: 'drop', addr });
  }
  return { state: draft.freeze(), removed: instances, diagnostics };
}

function suggestionFor(addresses: readonly string[], state: State): string {
  return (
    addresses.map((address) => storedSuggestion(address, state)).find((each) => each !== '') ?? ''
  );
}
