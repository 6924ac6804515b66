import { STRING, type Type, type Value } from '@terrane/cty';
import { errorDiagnostic, type Body, type Diagnostic, type Spec } from '@terrane/hcl';
import { STATE_FILE, type LocalBackend, WORKSPACES_DIRECTORY } from '../local-backend.ts';

/** A kind of backend: where a new one is added to `BACKENDS`, all commands can use it. */
export interface BackendKind {
  readonly type: string;
  /** what a block of it holds; nothing of it is required, since the command line may give the rest */
  readonly spec: Spec;
  /** types of its arguments, for those that the command line gives */
  readonly arguments: ReadonlyMap<string, Type>;
  /** What is wrong with a decoded configuration; the body tells places. */
  check(value: Value, body: Body | undefined): readonly Diagnostic[];
  /** The backend that a checked configuration means. */
  configure(value: Value): LocalBackend;
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
      const place = body?.justAttributes().attributes.get(name)?.expression.range;
      const detail = `The ${JSON.stringify(name)} attribute value must not be empty.`;
      diagnostics.push(errorDiagnostic(summary, detail, place));
    };
    refuseEmpty('path', 'Invalid local state file path');
    refuseEmpty('workspace_dir', 'Invalid local workspace directory path');
    return diagnostics;
  },
  configure: (value) => ({
    path: textOf(value, 'path') ?? STATE_FILE,
    workspaceDirectory: textOf(value, 'workspace_dir') ?? WORKSPACES_DIRECTORY,
  }),
};

function textOf(value: Value, name: string): string | undefined {
  const attribute = value.attr(name);
  return attribute.isNull || !attribute.isKnown ? undefined : attribute.asString();
}

/** The kinds of backends that there are, by the names that configurations call them. */
export const BACKENDS: ReadonlyMap<string, BackendKind> = new Map([[LOCAL.type, LOCAL]]);

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

/** What is said of a backend that there is not: in this version, no more, or not at all. */
export function unknownBackend(type: string): string {
  if (LATER_BACKENDS.has(type)) {
    return `The backend ${JSON.stringify(type)} is not available in this version of Terrane yet. States can be kept with the "local" backend.`;
  }
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
