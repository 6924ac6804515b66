import { CtyError, STRING, type Value } from '@terrane/cty';
import { formatCtyError, readStateFile } from '@terrane/engine';
import { hasErrors } from '@terrane/hcl';
import {
  type BlockSchema,
  coerceValue,
  type ProviderDiagnostic,
  type RemoteStateAnswer,
  type RemoteStateRequest,
} from '@terrane/provider';
import { LATER_BACKENDS } from './backend/backend-kind.ts';
import { STATE_FILE, stateLocation, WORKSPACES_DIRECTORY } from './local-backend.ts';
import type { Project } from './project.ts';
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

interface LocalSettings {
  readonly path: string;
  readonly workspaceDirectory: string;
}

type Settings =
  | { readonly local: LocalSettings }
  | { readonly problems: readonly ProviderDiagnostic[] };

/** What is wrong with the configuration that a `terraform_remote_state` gives for its backend. */
export function validateRemoteState(request: BackendRequest): readonly ProviderDiagnostic[] {
  const settings = settingsOf(request);
  return 'problems' in settings ? settings.problems : [];
}

/** The outputs of a state that the local backend keeps elsewhere. */
export async function readRemoteState(
  project: Project,
  request: RemoteStateRequest,
): Promise<RemoteStateAnswer> {
  const settings = settingsOf(request);
  if ('problems' in settings) return { outputs: undefined, diagnostics: settings.problems };
  const workspace = request.workspace ?? DEFAULT_WORKSPACE;
  const { path } = stateLocation(settings.local, workspace, DEFAULT_STATE_OPTIONS);
  const { files } = project.host;
  let bytes: Uint8Array;
  try {
    if ((await files.stat(path)) === undefined) return { outputs: undefined };
    bytes = await files.readFile(path);
  } catch (error) {
    return { outputs: undefined, error: error instanceof Error ? error.message : String(error) };
  }
  const { file, diagnostics } = readStateFile(bytes);
  if (hasErrors(diagnostics)) {
    return { outputs: undefined, diagnostics: diagnostics.map(sourceless) };
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

function sourceless({
  severity,
  summary,
  detail,
}: Pick<ProviderDiagnostic, 'severity' | 'summary' | 'detail'>): ProviderDiagnostic {
  return { severity, summary, detail, sourceless: true };
}

function settingsOf({ backend, config }: BackendRequest): Settings {
  if (backend !== 'local') {
    const detail = LATER_BACKENDS.has(backend)
      ? `The backend ${JSON.stringify(backend)} is not available in this version of Terrane yet; states can be read from the "local" backend.`
      : `There is no backend type named ${JSON.stringify(backend)}.`;
    return { problems: [problem(INVALID, detail, 'backend')] };
  }
  let coerced: Value;
  try {
    coerced = coerceValue(LOCAL, config);
  } catch (error) {
    if (!(error instanceof CtyError)) throw error;
    const detail = `The given configuration is not valid for backend "local": ${formatCtyError(error)}.`;
    return { problems: [problem(INVALID, detail, 'config')] };
  }
  const text = (name: string): string | undefined => {
    const value = coerced.attr(name);
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
    local: {
      path: path ?? STATE_FILE,
      workspaceDirectory: workspaceDirectory ?? WORKSPACES_DIRECTORY,
    },
  };
}

function problem(summary: string, detail: string, attribute: string): ProviderDiagnostic {
  return { severity: 'error', summary, detail, attribute: [{ kind: 'attr', name: attribute }] };
}
