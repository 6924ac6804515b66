import type { InstanceAddr } from '@terrane/addresses';
import { errorDiagnostic, warningDiagnostic, type Diagnostic } from '@terrane/hcl';
import { programCommand } from '@terrane/host';
import { StateDraft } from '../draft.ts';
import { storedSuggestion } from './select.ts';
import type { State, StoredObject } from '../model.ts';

/** The result of `terraform taint` and `untaint`; without `state` nothing has changed. */
export interface TaintResult {
  readonly state?: State;
  readonly diagnostics: readonly Diagnostic[];
}

const NO_SUCH = 'No such resource instance';

/** Marks the current object of a managed instance to be replaced by the next apply. */
export function taint(
  state: State,
  address: InstanceAddr,
  options?: { readonly allowMissing?: boolean },
): TaintResult {
  const current = findCurrent(state, address, options?.allowMissing === true);
  return 'diagnostics' in current ? current : withStatus(state, address, current, 'tainted');
}

/** Takes that mark away. */
export function untaint(
  state: State,
  address: InstanceAddr,
  options?: { readonly allowMissing?: boolean },
): TaintResult {
  const current = findCurrent(state, address, options?.allowMissing === true);
  if ('diagnostics' in current) return current;
  if (current.status === 'tainted') return withStatus(state, address, current, 'ready');
  return {
    diagnostics: [
      errorDiagnostic(
        'Resource instance is not tainted',
        `Resource instance ${address.text} is not currently tainted, and so it cannot be untainted.`,
      ),
    ],
  };
}

function withStatus(
  state: State,
  addr: InstanceAddr,
  object: StoredObject,
  status: StoredObject['status'],
): TaintResult {
  const draft = new StateDraft(state);
  draft.apply({ kind: 'put', addr, object: { ...object, status } });
  return { state: draft.freeze(), diagnostics: [] };
}

function findCurrent(
  state: State,
  address: InstanceAddr,
  allowMissing: boolean,
): StoredObject | TaintResult {
  const instance = state.instance(address);
  if (instance === undefined) {
    if (allowMissing) {
      return {
        diagnostics: [
          warningDiagnostic(
            NO_SUCH,
            `Resource instance ${address.text} was not found, but this is not an error because -allow-missing was set.`,
          ),
        ],
      };
    }
    return refuse(
      state.isEmpty
        ? 'The state currently contains no resource instances whatsoever. This may occur if the configuration has never been applied or if it has recently been destroyed.'
        : `There is no resource instance in the state with the address ${address.text}. If the resource configuration has just been added, you must run "${programCommand('apply')}" once to create the corresponding instance(s) before they can be tainted.${storedSuggestion(address.text, state, 'instances')}`,
    );
  }
  if (instance.current !== undefined) return instance.current;
  return refuse(
    `Resource instance ${address.text} is currently part-way through a create_before_destroy replacement action. Run "${programCommand('apply')}" to complete its replacement before tainting it.`,
  );
}

function refuse(detail: string): TaintResult {
  return { diagnostics: [errorDiagnostic(NO_SUCH, detail)] };
}
