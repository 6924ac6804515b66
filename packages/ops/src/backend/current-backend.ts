import { BackendFault } from '@terrane/backends';
import type { Value } from '@terrane/cty';
import type { Configuration } from '@terrane/engine';
import { errorDiagnostic, hasErrors, type Body, type Diagnostic } from '@terrane/hcl';
import { programCommand } from '@terrane/host';
import { DEFAULT_LOCAL_BACKEND } from '../local-backend.ts';
import type { Project } from '../project.ts';
import { errorOf } from '../run-ports.ts';
import { backendKind, CLOUD, placeOf, unknownBackend, type BackendKind } from './backend-kind.ts';
import { cloudChange, cloudInitRequired } from './cloud-mode.ts';
import { configuredBackend, type ConfiguredBackend } from './configured-backend.ts';
import { readSavedBackend, savedValue, type SavedBackend } from './saved-backend.ts';
import type { StateBackend } from './state-backend.ts';

/** A backend, or the errors that prevent its use. */
export interface FoundBackend {
  readonly backend?: StateBackend;
  /** the saved record, if `init` set it up */
  readonly saved?: SavedBackend;
  readonly diagnostics: readonly Diagnostic[];
}

/**
 * Returns the backend that commands other than `init` use: the one that `init` has set up, which must match the
 * configuration.
 */
export async function backendOf(
  project: Project,
  configuration: Configuration | undefined,
): Promise<FoundBackend> {
  const selection = await findBackend(project, configuration);
  return { ...selection, diagnostics: selection.diagnostics.map(ofSetup) };
}

/** Marks a backend diagnostic, so that commands that summarise state errors in one line print it completely. */
function ofSetup(diagnostic: Diagnostic): Diagnostic {
  return diagnostic.extra === undefined
    ? { ...diagnostic, extra: { kind: BACKEND_SETUP } }
    : diagnostic;
}

/** The kind of the extra of diagnostics that are about setting a backend up. */
export const BACKEND_SETUP = 'backend setup';

async function findBackend(
  project: Project,
  configuration: Configuration | undefined,
): Promise<FoundBackend> {
  const asked = await configuredBackend(configuration, undefined, 'Invalid backend type');
  if (hasErrors(asked.diagnostics)) return { diagnostics: asked.diagnostics };
  const { saved, diagnostics } = readSavedBackend(project);
  if (hasErrors(diagnostics)) return { diagnostics };
  const { configured } = asked;
  if (configured === undefined) {
    if (saved === undefined)
      return { backend: DEFAULT_LOCAL_BACKEND, saved: NONE, diagnostics: [] };
    const reason = `Unsetting the previously set backend ${JSON.stringify(saved.type)}`;
    return { diagnostics: [initRequired(reason, ',')] };
  }
  const { type } = configured.kind;
  if (saved === undefined && type === CLOUD) {
    const reason = 'Initial configuration of HCP Terraform or Terraform Enterprise';
    return { diagnostics: [cloudInitRequired(reason)] };
  }
  if (saved === undefined) {
    const reason = `Initial configuration of the requested backend ${JSON.stringify(type)}`;
    return { diagnostics: [initRequired(reason, ',')] };
  }
  if (saved.hash === configured.hash || isSame(configured, saved))
    return await backendSaved(project, saved);
  return { diagnostics: [changedSince(saved.type, type)] };
}

/** The saved backend of configurations without a backend block. */
const NONE: SavedBackend = { type: 'local', config: { path: null, workspace_dir: null }, hash: 0 };

function changedSince(from: string, to: string): Diagnostic {
  switch (cloudChange(from, to, false)) {
    case 'in':
      return cloudInitRequired(`Changed from backend ${JSON.stringify(from)} to HCP Terraform`);
    case 'in-place':
      return cloudInitRequired('HCP Terraform configuration block has changed');
    case 'out':
      return initRequired(`Changed from HCP Terraform to backend ${JSON.stringify(to)}`, ':');
    case undefined:
      return initRequired(
        from === to
          ? 'Backend configuration block has changed'
          : `Backend type changed from ${JSON.stringify(from)} to ${JSON.stringify(to)}`,
        ':',
      );
  }
}

/** Returns true if the saved backend equals the configured one. */
export function isSame(configured: ConfiguredBackend, saved: SavedBackend): boolean {
  if (saved.type !== configured.kind.type) return false;
  const value = savedValue(configured.kind, saved);
  return !('error' in value) && value.rawEquals(configured.value);
}

/** The backend that was set up. */
export async function backendSaved(project: Project, saved: SavedBackend): Promise<FoundBackend> {
  const kind = await backendKind(saved.type);
  if (kind === undefined) {
    return {
      diagnostics: [
        errorDiagnostic(
          `The backend ${JSON.stringify(saved.type)} could not be found.`,
          `${unknownBackend(saved.type)} It is the one that this directory was initialized with, perhaps by another version of the program. Initialize it again with that version to move the states that are there, or run "${programCommand('init -reconfigure')}" to leave them where they are.`,
        ),
      ],
    };
  }
  const value = savedValue(kind, saved);
  if ('error' in value) {
    return {
      diagnostics: [
        errorDiagnostic(
          'Failed to decode current backend config',
          `The backend configuration created by the most recent run of "${programCommand('init')}" could not be decoded: ${value.error}. The configuration may have been initialized by an earlier version that used an incompatible configuration structure. Run "${programCommand('init -reconfigure')}" to force re-initialization of the backend.`,
        ),
      ],
    };
  }
  const diagnostics = kind.check(value, undefined, project);
  if (hasErrors(diagnostics)) return { diagnostics };
  return { ...(await openBackend(project, kind, value)), saved };
}

/** Returns the backend of a saved plan, regardless of the current set-up. */
export async function backendOfPlan(
  project: Project,
  type: string,
  config: unknown,
): Promise<FoundBackend> {
  const kind = await backendKind(type);
  if (kind === undefined) {
    return {
      diagnostics: [errorDiagnostic('Unsupported backend type', unknownBackend(type))],
    };
  }
  const value = savedValue(kind, { type, config, hash: 0 });
  if ('error' in value) {
    const reason = `saved backend configuration is invalid: ${value.error}`;
    return { diagnostics: [{ severity: 'error', summary: reason, detail: '' }] };
  }
  return await backendSaved(project, { type, config, hash: 0 });
}

/** Opens the backend of a validated configuration; the body supplies source ranges. */
export async function openBackend(
  project: Project,
  kind: BackendKind,
  value: Value,
  body?: Body,
): Promise<FoundBackend> {
  try {
    return { backend: await kind.open(value, project), diagnostics: [] };
  } catch (error) {
    const { argument } = error instanceof BackendFault ? error : {};
    const location = argument === undefined ? undefined : placeOf(body, argument);
    const diagnostic = errorOf(error);
    return {
      diagnostics: [location === undefined ? diagnostic : { ...diagnostic, subject: location }],
    };
  }
}

function initRequired(reason: string, mark: ',' | ':'): Diagnostic {
  return errorDiagnostic(
    `Backend initialization required${mark} please run "${programCommand('init')}"`,
    `Reason: ${reason}

The "backend" is the interface that Terraform uses to store state,
perform operations, etc. If this message is showing up, it means that the
Terraform configuration you're using is using a custom configuration for
the Terraform backend.

Changes to backend configurations require reinitialization. This allows
Terraform to set up the new configuration, copy existing state, etc. Please run
"${programCommand('init')}" with either the "-reconfigure" or "-migrate-state" flags to
use the current configuration.

If the change reason above is incorrect, please verify your configuration
hasn't changed and try again. At this point, no changes to your existing
configuration or state have been made.`,
  );
}
