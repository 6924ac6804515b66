import { errorDiagnostic, type Diagnostic } from '@terrane/hcl';
import { programCommand } from '@terrane/host';
import { CLOUD } from './backend-kind.ts';
import type { InitBackendOptions } from './init-options.ts';

/**
 * The role of the `cloud` block in a backend change: states move to HCP Terraform, away from it, or its settings
 * change; undefined if it has no part in it.
 */
export type CloudChange = 'in' | 'out' | 'in-place' | undefined;

/** Returns the role of the `cloud` block in a change between two backend types, with Terraform's distinctions. */
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

/** Returns errors for `init` options that a configuration with a `cloud` block does not support. */
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

/** Returns the error for `-backend-config` with a `cloud` block. */
export function backendConfigForCloud(): Diagnostic {
  return errorDiagnostic(
    'Invalid command-line option',
    'The -backend-config=... command line option is only for state backends, and is not applicable to HCP Terraform-based configurations.\n\nTo change the set of workspaces associated with this configuration, edit the Cloud configuration block in the root module.',
  );
}

/** Returns the error of commands that need `init` first because of a `cloud` block. */
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
