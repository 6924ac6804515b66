import { createHash } from 'node:crypto';
import { parseHostname } from '@terrane/addresses';
import {
  BACKEND_KINDS,
  CLOUD_KIND,
  type BackendKind as KindElsewhere,
  type BackendPorts,
  storageHttp,
} from '@terrane/backends';
import { hashText, STRING, type Type, type Value } from '@terrane/cty';
import { TERRAFORM_VERSION } from '@terrane/engine/version';
import {
  errorDiagnostic,
  warningDiagnostic,
  type Body,
  type Diagnostic,
  type Range,
  type Spec,
} from '@terrane/hcl';
import { decodeSpec } from '@terrane/provider';
import { requireEncrypted, withAddition } from '@terrane/registry';
import { STATE_FILE, WORKSPACES_DIRECTORY } from '../local-backend.ts';
import type { Project } from '../project.ts';
import { serviceDirectory } from '../registry-access.ts';
import type { OpenedBackend, StateBackend } from './state-backend.ts';

/** A kind of backend, as `init` and the other commands set it up. */
export interface BackendKind {
  readonly type: string;
  /** the schema of the block; no argument is required, because the command line may supply the rest */
  readonly spec: Spec;
  /** argument types, for values from the command line */
  readonly arguments: ReadonlyMap<string, Type>;
  /** arguments that Terraform 1.11 does not know */
  readonly additional?: readonly string[];
  /** Validates a decoded configuration; the body supplies source ranges. */
  check(value: Value, body: Body | undefined, project: Project): readonly Diagnostic[];
  /** Arguments to prompt for if they are missing, with their descriptions. */
  asked(project: Project): readonly { readonly name: string; readonly description: string }[];
  /** The backend that a checked configuration means. Rejects with an error fit for users. */
  open(value: Value, project: Project): Promise<StateBackend>;
}

const LOCAL_ARGUMENTS = ['path', 'workspace_dir'] as const;

const LOCAL: BackendKind = {
  type: 'local',
  spec: {
    kind: 'object',
    attributes: new Map(
      LOCAL_ARGUMENTS.map((name): [string, Spec] => [
        name,
        { kind: 'attr', name, type: STRING, required: false },
      ]),
    ),
  },
  arguments: new Map(LOCAL_ARGUMENTS.map((name) => [name, STRING])),
  check(value, body) {
    const diagnostics: Diagnostic[] = [];
    const refuseEmpty = (name: string, summary: string): void => {
      if (textOf(value, name) !== '') return;
      const location = body?.justAttributes().attributes.get(name)?.expression.range;
      const detail = `The ${JSON.stringify(name)} attribute value must not be empty.`;
      diagnostics.push(errorDiagnostic(summary, detail, location));
    };
    refuseEmpty('path', 'Invalid local state file path');
    refuseEmpty('workspace_dir', 'Invalid local workspace directory path');
    return diagnostics;
  },
  asked: () => [],
  open: (value) =>
    Promise.resolve({
      kind: 'local',
      path: textOf(value, 'path') ?? STATE_FILE,
      workspaceDirectory: textOf(value, 'workspace_dir') ?? WORKSPACES_DIRECTORY,
    }),
};

function textOf(value: Value, name: string): string | undefined {
  const attribute = value.attr(name);
  return attribute.isNull || !attribute.isKnown ? undefined : attribute.asString();
}

/** The recorded name of the backend of a `cloud` block. No `backend` block may use it. */
export const CLOUD = 'cloud';

/** Returns the backend kind of a name; `undefined` if it is unknown (see {@link unknownBackend}). */
export async function backendKind(type: string): Promise<BackendKind | undefined> {
  if (type === LOCAL.type) return LOCAL;
  const kind = await (type === CLOUD ? CLOUD_KIND() : BACKEND_KINDS.get(type)?.());
  return kind === undefined ? undefined : kindElsewhere(kind);
}

function kindElsewhere(kind: KindElsewhere): BackendKind {
  const { type, schema } = kind;
  return {
    type,
    ...(kind.additional !== undefined && { additional: kind.additional }),
    spec: decodeSpec(schema),
    arguments: new Map(
      Object.entries(schema.attributes).flatMap(([name, attribute]) =>
        attribute.type === undefined ? [] : [[name, attribute.type]],
      ),
    ),
    check: (value, body, project) =>
      kind.check(value, backendPorts(project)).map(({ severity, summary, detail, argument }) => {
        const location = argument === undefined ? undefined : placeOf(body, argument[0] ?? '');
        const make = severity === 'error' ? errorDiagnostic : warningDiagnostic;
        return make(summary, detail, location);
      }),
    asked: ({ host }) =>
      (kind.asked?.(host.environment) ?? []).map((name) => ({
        name,
        description: schema.attributes[name]?.description ?? '',
      })),
    open: (value, project) => openKind(kind, value, project),
  };
}

/** Returns the range of an argument in a body, or the start of the body if the argument is absent. */
export function placeOf(body: Body | undefined, argument: string): Range | undefined {
  const argumentRange = body?.justAttributes().attributes.get(argument)?.expression.range;
  return argumentRange ?? body?.missingItemRange;
}

/** Opens the backend of a checked configuration. */
export async function openKind(
  kind: KindElsewhere,
  value: Value,
  project: Project,
): Promise<OpenedBackend> {
  const { type } = kind;
  const backend = await kind.open(value, backendPorts(project));
  const digest = createHash('sha256')
    .update(`${type} ${hashText(value)}${backend.place === undefined ? '' : ` ${backend.place}`}`)
    .digest('hex');
  return { kind: 'opened', type, backend, identity: `${type}-${digest.slice(0, 12)}` };
}

/** Returns the ports that backends may use. */
export function backendPorts(project: Project): BackendPorts {
  const services = serviceDirectory(project);
  return {
    host: { ...project.host, http: storageHttp(project.host.http) },
    userAgent: withAddition(`Terrane/${TERRAFORM_VERSION}`, project.host.environment),
    tokenOf: async (host) => await services.token(hostnameOf(host)),
    serviceOf: async (host, service) => {
      const hostname = hostnameOf(host);
      const url = (await services.discover(hostname)).serviceUrl(service);
      // All requests to it contain a token.
      requireEncrypted(hostname, url);
      return url.href;
    },
    terraformVersion: TERRAFORM_VERSION,
  };
}

function hostnameOf(text: string): string {
  const parsed = parseHostname(text);
  if (typeof parsed === 'string') return parsed;
  throw new Error(parsed.error);
}

const REMOVED_BACKENDS: ReadonlySet<string> = new Set([
  'artifactory',
  'etcd',
  'etcdv3',
  'manta',
  'swift',
]);

/** Returns the message for an unknown backend type: removed, renamed or never existing. */
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
