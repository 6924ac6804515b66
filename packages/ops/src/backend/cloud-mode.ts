import { errorDiagnostic, type Diagnostic } from '@terrane/hcl';
import { programCommand } from '@terrane/host';
import { CLOUD } from './backend-kind.ts';
import type { InitBackendOptions } from './init-options.ts';

/**
 * What a change of where states are kept has to do with the `cloud` block: states move into what it means or out of
 * it, or it is changed in place, or it has nothing to do with it.
 */
export type CloudChange = 'in' | 'out' | 'in-place' | undefined;

/** The change from one type of backend to another, as Terraform tells them apart. */
export function cloudChange(
  from: string | undefined,
  to: string | undefined,
  haveLocalStates: boolean,
): CloudChange {
  if (to === CLOUD) {
    const isNew = from === undefined && !haveLocalStates;
    return from === CLOUD || isNew ? 'in-place' : 'in';
  }
  return from === CLOUD ? 'out' : undefined;
}

/** Options of `init` are for backends only: the `cloud` block has ways of its own. */
export function cloudOptionProblems(
  change: CloudChange,
  { reconfigure, migrateState, forceCopy }: InitBackendOptions,
): readonly Diagnostic[] {
  if (change === undefined) return [];
  const problems: Diagnostic[] = [];
  const isMigration = change !== 'in-place';
  const summary = 'Invalid command-line option';
  if (reconfigure) {
    problems.push(
      errorDiagnostic(
        summary,
        isMigration
          ? 'The -reconfigure option is unsupported when migrating to HCP Terraform, because activating HCP Terraform involves some additional steps.'
          : 'The -reconfigure option is for in-place reconfiguration of state backends only, and is not needed when changing HCP Terraform settings.\n\nWhen using HCP Terraform, initialization automatically activates any new Cloud configuration settings.',
      ),
    );
  }
  if (migrateState || forceCopy) {
    const name = forceCopy ? '-force-copy' : '-migrate-state';
    const reason = isMigration
      ? 'HCP Terraform migrations have additional steps, configured by interactive prompts.'
      : 'State storage is handled automatically by HCP Terraform and so the state storage location is not configurable.';
    problems.push(
      errorDiagnostic(
        summary,
        `The ${name} option is for migration between state backends only, and is not applicable when using HCP Terraform.\n\n${reason}`,
      ),
    );
  }
  return problems;
}

/** That `-backend-config` was given where a `cloud` block is. */
export function backendConfigForCloud(): Diagnostic {
  return errorDiagnostic(
    'Invalid command-line option',
    'The -backend-config=... command line option is only for state backends, and is not applicable to HCP Terraform-based configurations.\n\nTo change the set of workspaces associated with this configuration, edit the Cloud configuration block in the root module.',
  );
}

/** That `init` has to be run before others, because of a `cloud` block. */
export function cloudInitRequired(reason: string): Diagnostic {
  return errorDiagnostic(
    `HCP Terraform or Terraform Enterprise initialization required: please run "${programCommand('init')}"`,
    `Reason: ${reason}.

Changes to the HCP Terraform configuration block require reinitialization, to discover any changes to the available workspaces.

To re-initialize, run:
  ${programCommand('init')}

Terraform has not yet made changes to your existing configuration or state.`,
  );
}
