import { BACKEND_KINDS, type BackendKind } from '@terrane/backends';
import type { Encryption } from '@terrane/encryption';
import { CtyError, quoteText, STRING, type Value } from '@terrane/cty';
import { formatCtyError, readStateFile } from '@terrane/engine';
import { hasErrors } from '@terrane/hcl';
import {
  type BlockSchema,
  coerceValue,
  type ProviderDiagnostic,
  type RemoteStateAnswer,
  type RemoteStateRequest,
} from '@terrane/provider';
import { backendPorts, openKind, unknownBackend } from './backend/backend-kind.ts';
import type { StateBackend } from './backend/state-backend.ts';
import { STATE_FILE, stateLocation, WORKSPACES_DIRECTORY } from './local-backend.ts';
import type { Project } from './project.ts';
import { errorOf } from './run-ports.ts';
import { storageElsewhere, workspaceFault } from './state-manager.ts';
import { DEFAULT_STATE_OPTIONS } from './state-options.ts';
import { DEFAULT_WORKSPACE } from './workspace.ts';

const LOCAL: BlockSchema = {
  attributes: {
    path: { type: STRING, optional: true },
    workspace_dir: { type: STRING, optional: true },
  },
  blocks: {},
};

const INVALID = 'Invalid backend configuration';

type BackendRequest = Pick<RemoteStateRequest, 'backend' | 'config'>;

interface UsableSettings {
  readonly open: () => Promise<StateBackend>;
  readonly warnings: readonly ProviderDiagnostic[];
}

type Settings = UsableSettings | { readonly problems: readonly ProviderDiagnostic[] };

/** Validates the backend configuration of a `terraform_remote_state` data source. */
export async function validateRemoteState(
  project: Project,
  request: BackendRequest,
): Promise<readonly ProviderDiagnostic[]> {
  const settings = await settingsOf(project, request);
  return 'problems' in settings ? settings.problems : settings.warnings;
}

/** Reads the outputs of a state in a backend, which may be encrypted. */
export async function readRemoteState(
  project: Project,
  request: RemoteStateRequest,
  encryption?: Encryption,
): Promise<RemoteStateAnswer> {
  const settings = await settingsOf(project, request);
  if ('problems' in settings) return { outputs: undefined, diagnostics: settings.problems };
  const answer = await stateOf(project, request, settings, encryption);
  return { ...answer, diagnostics: [...settings.warnings, ...(answer.diagnostics ?? [])] };
}

async function stateOf(
  project: Project,
  request: RemoteStateRequest,
  settings: Pick<UsableSettings, 'open'>,
  encryption: Encryption | undefined,
): Promise<RemoteStateAnswer> {
  const { workspace = DEFAULT_WORKSPACE } = request;
  let bytes: Uint8Array | undefined;
  let backend: StateBackend;
  try {
    backend = await settings.open();
    const problem = workspaceFault(backend, workspace);
    if (problem !== undefined) return { outputs: undefined, error: problem };
    bytes = await storedState(project, backend, workspace);
    const codec = encryption?.remoteState(nameOf(request));
    if (codec !== undefined && bytes !== undefined && bytes.length > 0) {
      bytes = (await codec.decode(bytes)).bytes;
    }
  } catch (error) {
    return { outputs: undefined, diagnostics: [ofTheState(errorOf(error))] };
  }
  if (bytes === undefined) {
    // Terraform creates these workspaces when they are read, so that they always have a state. Here, reading creates
    // nothing.
    return { outputs: isCreatedByReading(backend, workspace) ? new Map() : undefined };
  }
  const { file, diagnostics } = readStateFile(bytes);
  if (hasErrors(diagnostics)) {
    return { outputs: undefined, diagnostics: diagnostics.map(ofTheState) };
  }
  if (file === undefined) return { outputs: undefined };
  const outputs = new Map(
    [...file.state.outputs].map(([name, { value, sensitive }]) => [
      name,
      sensitive ? value.mark('sensitive') : value,
    ]),
  );
  return { outputs };
}

function isCreatedByReading(backend: StateBackend, workspace: string): boolean {
  if (backend.kind === 'local') return false;
  const { workspaces } = backend.backend;
  if (workspaces === undefined || workspaces.areNamed === true) return false;
  return workspace !== DEFAULT_WORKSPACE || workspaces.defaultIsMade === true;
}

async function storedState(
  { host: { files } }: Project,
  backend: StateBackend,
  workspace: string,
): Promise<Uint8Array | undefined> {
  if (backend.kind === 'opened') {
    const storage = await storageElsewhere(backend, workspace);
    try {
      return await storage.read();
    } finally {
      await backend.backend.close?.();
    }
  }
  const { path } = stateLocation(backend, workspace, DEFAULT_STATE_OPTIONS);
  return (await files.stat(path)) === undefined ? undefined : await files.readFile(path);
}

/** Returns the name of a data source in `remote_state_data_source` blocks. */
function nameOf({ address = '' }: RemoteStateRequest): string {
  return address.replace('data.terraform_remote_state.', '').replace(/^module\./, '');
}

/** Converts a problem of the remote state, which is caused neither by the data source nor by its configuration. */
function ofTheState({
  severity,
  summary,
  detail,
}: Pick<ProviderDiagnostic, 'severity' | 'summary' | 'detail'>): ProviderDiagnostic {
  return { severity, summary, detail, sourceless: true };
}

async function settingsOf(
  project: Project,
  { backend, config }: BackendRequest,
): Promise<Settings> {
  if (backend === 'local') return localSettings(config);
  const kind = await BACKEND_KINDS.get(backend)?.();
  if (kind === undefined)
    return { problems: [problem(INVALID, unknownBackend(backend), 'backend')] };
  const missing = missingArgument(kind, config, project, () => true);
  if (missing !== undefined) return { problems: [isRequired(backend, missing)] };
  const coerced = configOf(backend, kind.schema, config);
  if ('problems' in coerced) return coerced;
  const problems = kind.check(coerced.value, backendPorts(project));
  const diagnostics = problems.map(
    ({ severity, summary, detail, argument = [] }): ProviderDiagnostic => ({
      severity,
      summary,
      detail,
      attribute: argument.map((name) => ({ kind: 'attr', name })),
    }),
  );
  if (problems.some(({ severity }) => severity === 'error')) return { problems: diagnostics };
  // Most backends rely on the caller for required arguments that are null.
  const empty = missingArgument(kind, config, project, (value) => !value.isNull);
  if (empty !== undefined) return { problems: [isRequired(backend, empty)] };
  return {
    warnings: diagnostics,
    open: async () => await openKind(kind, coerced.value, project),
  };
}

/** Returns the first missing required argument; a data source cannot prompt for it. */
function missingArgument(
  kind: Pick<BackendKind, 'asked'>,
  config: Value,
  { host }: Project,
  isGiven: (value: Value) => boolean,
): string | undefined {
  if (config.type.kind !== 'object') return undefined;
  const present = new Set(config.type.names.filter((name) => isGiven(config.attr(name))));
  return [...(kind.asked?.(host.environment) ?? [])].sort().find((name) => !present.has(name));
}

function isRequired(backend: string, argument: string): ProviderDiagnostic {
  return invalidConfig(backend, `attribute ${quoteText(argument)} is required`);
}

function invalidConfig(backend: string, reason: string): ProviderDiagnostic {
  const detail = `The given configuration is not valid for backend ${JSON.stringify(backend)}: ${reason}.`;
  return problem(INVALID, detail, 'config');
}

function configOf(
  backend: string,
  schema: BlockSchema,
  config: Value,
): { readonly value: Value } | { readonly problems: readonly ProviderDiagnostic[] } {
  try {
    return { value: coerceValue(schema, config) };
  } catch (error) {
    if (!(error instanceof CtyError)) throw error;
    return { problems: [invalidConfig(backend, formatCtyError(error))] };
  }
}

function localSettings(config: Value): Settings {
  const settings = configOf('local', LOCAL, config);
  if ('problems' in settings) return settings;
  const text = (name: string): string | undefined => {
    const value = settings.value.attr(name);
    return value.isNull ? undefined : value.asString();
  };
  const path = text('path');
  const workspaceDirectory = text('workspace_dir');
  const problems: ProviderDiagnostic[] = [];
  if (path === '') {
    const detail = 'The "path" attribute value must not be empty.';
    problems.push(problem('Invalid local state file path', detail, 'path'));
  }
  if (workspaceDirectory === '') {
    const detail = 'The "workspace_dir" attribute value must not be empty.';
    problems.push(problem('Invalid local workspace directory path', detail, 'workspace_dir'));
  }
  if (problems.length > 0) return { problems };
  return {
    warnings: [],
    open: () =>
      Promise.resolve({
        kind: 'local',
        path: path ?? STATE_FILE,
        workspaceDirectory: workspaceDirectory ?? WORKSPACES_DIRECTORY,
      }),
  };
}

function problem(summary: string, detail: string, attribute: string): ProviderDiagnostic {
  return { severity: 'error', summary, detail, attribute: [{ kind: 'attr', name: attribute }] };
}
