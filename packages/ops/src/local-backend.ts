import { STRING } from '@terrane/cty';
import type { BackendBlock, Configuration } from '@terrane/engine';
import { decodeBody, errorDiagnostic, type Diagnostic, type Spec } from '@terrane/hcl';
import type { Project } from './project.ts';
import type { StateOptions } from './state-options.ts';
import { DEFAULT_WORKSPACE } from './workspace.ts';

/** Where the local backend keeps states. */
export interface LocalBackend {
  /** of the default workspace */
  readonly path: string;
  /** in it, a directory for each other workspace */
  readonly workspaceDirectory: string;
}

/** Paths of one workspace's state. */
export interface StateLocation {
  readonly path: string;
  readonly outPath: string;
  /** false: no backup */
  readonly backupPath: string | false;
}

/** The file of the default workspace's state. */
export const STATE_FILE = 'terraform.tfstate';
/** Where the states of the other workspaces are. */
export const WORKSPACES_DIRECTORY = 'terraform.tfstate.d';
const DEFAULTS: LocalBackend = { path: STATE_FILE, workspaceDirectory: WORKSPACES_DIRECTORY };

const SPEC: Spec = {
  kind: 'object',
  attributes: new Map<string, Spec>([
    ['path', { kind: 'attr', name: 'path', type: STRING, required: false }],
    ['workspace_dir', { kind: 'attr', name: 'workspace_dir', type: STRING, required: false }],
  ]),
};

/** Backends that Terraform has and this version has not. */
export const LATER_BACKENDS: ReadonlySet<string> = new Set([
  'remote',
  'azurerm',
  'consul',
  'cos',
  'gcs',
  'http',
  'inmem',
  'kubernetes',
  'oss',
  'pg',
  's3',
]);

const REMOVED_BACKENDS: ReadonlySet<string> = new Set([
  'artifactory',
  'etcd',
  'etcdv3',
  'manta',
  'swift',
]);

/** What is said of a backend that Terraform does not have, or has no more. */
export function unknownBackend(type: string): string {
  if (REMOVED_BACKENDS.has(type)) {
    return `The ${JSON.stringify(type)} backend is not supported in Terraform v1.3 or later.`;
  }
  switch (type) {
    case 'azure':
      return 'The "azure" backend name has been removed, please use "azurerm".';
    case 'cloud':
      return 'There is no explicit backend type named "cloud". To configure HCP Terraform, declare a \'cloud\' block instead.';
    default:
      return `There is no backend type named ${JSON.stringify(type)}.`;
  }
}

/** The backend that a configuration asks for; undefined, with diagnostics, if it cannot be had. */
export function backendOf(
  project: Project,
  configuration: Configuration | undefined,
): { readonly backend?: LocalBackend; readonly diagnostics: readonly Diagnostic[] } {
  const root = configuration?.root;
  if (root?.cloud !== undefined) {
    return {
      diagnostics: [
        errorDiagnostic(
          'Unsupported backend type',
          'HCP Terraform and Terraform Enterprise, which the "cloud" block asks for, are not available in this version of Terrane yet. States can be kept with the "local" backend.',
          root.cloud.range,
        ),
      ],
    };
  }
  if (root?.encryption !== undefined) {
    return {
      diagnostics: [
        errorDiagnostic(
          'Encryption is not available',
          'The configuration asks for states and plans to be encrypted, which this version of Terrane cannot do yet. It works with neither rather than leave them readable.',
          root.encryption.range,
        ),
      ],
    };
  }
  const declared = root?.backend;
  if (declared === undefined || declared.type === 'local') {
    const other = rememberedBackend(project);
    if (other !== undefined && other !== 'local') {
      return { diagnostics: [movedBackend(other)] };
    }
    return declared === undefined
      ? { backend: DEFAULTS, diagnostics: [] }
      : decode(declared, configuration?.constants);
  }
  const detail = LATER_BACKENDS.has(declared.type)
    ? `The backend ${JSON.stringify(declared.type)} is not available in this version of Terrane yet. States can be kept with the "local" backend.`
    : unknownBackend(declared.type);
  return { diagnostics: [errorDiagnostic('Unsupported backend type', detail, declared.typeRange)] };
}

function decode(
  { body, type, range }: BackendBlock,
  constants: Configuration['constants'],
): {
  readonly backend?: LocalBackend;
  readonly diagnostics: readonly Diagnostic[];
} {
  const diagnostics: Diagnostic[] = [];
  const value =
    constants === undefined
      ? decodeBody(body, SPEC, undefined, diagnostics)
      : constants.decodeBody(body, SPEC, { name: `backend.${type}`, range }, diagnostics);
  if (diagnostics.some((each) => each.severity === 'error')) return { diagnostics };
  for (const mark of ['sensitive', 'ephemeral'] as const) {
    if (!value.hasMarkDeep(mark)) continue;
    diagnostics.push(
      errorDiagnostic(
        `Backend config contains ${mark} values`,
        `The backend configuration is stored in .terraform/terraform.tfstate as well as plan files. It is recommended to instead supply ${mark} credentials via backend specific environment variables`,
        range,
      ),
    );
    return { diagnostics };
  }
  const text = (name: string): string | undefined => {
    const attribute = value.attr(name);
    return attribute.isNull ? undefined : attribute.asString();
  };
  const path = text('path');
  const workspaceDirectory = text('workspace_dir');
  const { attributes } = body.justAttributes();
  if (path === '') {
    diagnostics.push(
      errorDiagnostic(
        'Invalid local state file path',
        'The "path" attribute value must not be empty.',
        attributes.get('path')?.expression.range,
      ),
    );
  }
  if (workspaceDirectory === '') {
    diagnostics.push(
      errorDiagnostic(
        'Invalid local workspace directory path',
        'The "workspace_dir" attribute value must not be empty.',
        attributes.get('workspace_dir')?.expression.range,
      ),
    );
  }
  if (diagnostics.length > 0) return { diagnostics };
  return {
    backend: {
      path: path ?? STATE_FILE,
      workspaceDirectory: workspaceDirectory ?? WORKSPACES_DIRECTORY,
    },
    diagnostics,
  };
}

/** The type of the backend that an earlier `init` of Terraform or OpenTofu moved the state to. */
function rememberedBackend(project: Project): string | undefined {
  const path = `${project.dataDirectory}/${STATE_FILE}`;
  const { files } = project.host;
  if (files.statSync(path) === undefined) return undefined;
  try {
    const parsed: unknown = JSON.parse(new TextDecoder().decode(files.readFileSync(path)));
    if (typeof parsed !== 'object' || parsed === null || !('backend' in parsed)) return undefined;
    const { backend } = parsed;
    if (typeof backend !== 'object' || backend === null || !('type' in backend)) return undefined;
    return typeof backend.type === 'string' && backend.type !== '' ? backend.type : undefined;
  } catch {
    return undefined;
  }
}

function movedBackend(type: string): Diagnostic {
  return errorDiagnostic(
    'Backend initialization required',
    `This directory was initialized with the ${JSON.stringify(type)} backend, but the configuration no longer asks for it. Working with a local state now would lose track of what the other one records. Move the state first, with "terraform init -migrate-state", or remove the data directory if it holds nothing that is still needed.`,
  );
}

/** Where the state of a workspace is, and where it and its backup are written. */
export function stateLocation(
  backend: LocalBackend,
  workspace: string,
  options: StateOptions,
): StateLocation {
  const isDefault = workspace === DEFAULT_WORKSPACE || workspace === '';
  const usual = isDefault
    ? backend.path
    : `${backend.workspaceDirectory}/${workspace}/${STATE_FILE}`;
  const path = given(options.path) ?? usual;
  const outPath = given(options.outPath) ?? path;
  const backup = given(options.backupPath);
  return { path, outPath, backupPath: backup === '-' ? false : (backup ?? `${outPath}.backup`) };
}

function given(text: string | undefined): string | undefined {
  return text === '' ? undefined : text;
}
