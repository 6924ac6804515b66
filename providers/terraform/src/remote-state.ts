import {
  attrStep,
  DYNAMIC,
  EMPTY_OBJECT_VALUE,
  NULL,
  nullOf,
  object,
  objectOf,
  STRING,
} from '@terrane/cty';
import type { Type, Value } from '@terrane/cty';
import { chain, error, impliedType } from '@terrane/provider';
import type {
  Answer,
  Awaitable,
  ProviderDiagnostic,
  ProviderPorts,
  ReadDataAnswer,
  ReadDataRequest,
  RemoteStateAnswer,
  Schema,
  ValidateDataRequest,
} from '@terrane/provider';

/** The schema of the data source `terraform_remote_state`. */
export const REMOTE_STATE_SCHEMA: Schema = {
  version: 0,
  block: {
    attributes: {
      backend: {
        type: STRING,
        description: 'The remote backend to use, e.g. `remote` or `http`.',
        descriptionKind: 'markdown',
        required: true,
      },
      config: {
        type: DYNAMIC,
        description:
          'The configuration of the remote backend. Although this is optional, most backends require some configuration.\n\nThe object can use any arguments that would be valid in the equivalent `terraform { backend "<TYPE>" { ... } }` block.',
        descriptionKind: 'markdown',
        optional: true,
      },
      defaults: {
        type: DYNAMIC,
        description:
          'Default values for outputs, in case the state file is empty or lacks a required output.',
        descriptionKind: 'markdown',
        optional: true,
      },
      outputs: {
        type: DYNAMIC,
        description: 'An object containing every root-level output in the remote state.',
        descriptionKind: 'markdown',
        computed: true,
      },
      workspace: {
        type: STRING,
        description: 'The Terraform workspace to use, if the backend supports workspaces.',
        descriptionKind: 'markdown',
        optional: true,
      },
    },
    blocks: {},
  },
};

const TYPE = impliedType(REMOTE_STATE_SCHEMA.block);

type Ports = Pick<ProviderPorts, 'readRemoteState' | 'validateRemoteState'>;

/** The parts of a configuration, in the order of the type. */
function partsOf(v: Value): readonly [Value, Value, Value, Value] {
  const [backend = NULL, config = NULL, defaults = NULL, , workspace = NULL] = v.elements();
  return [backend, config, defaults, workspace];
}

function isKeyed(type: Type): boolean {
  return type.kind === 'dynamic' || type.kind === 'object' || type.kind === 'map';
}

/** Checks the backend's configuration as far as it is known, and the kind of the defaults. */
export function validateRemoteState(ports: Ports, request: ValidateDataRequest): Awaitable<Answer> {
  const [backend, config, defaults] = partsOf(request.config);
  const found: ProviderDiagnostic[] = [];
  if (!isKeyed(defaults.type)) {
    const detail = 'Defaults must be given in an object value.';
    found.push(error('Invalid default values', detail, 'defaults'));
  }
  if (backend.isKnown && config.isWhollyKnown()) {
    const settings = backendOf(backend, config);
    return chain(ports.validateRemoteState?.(settings) ?? [], (first) => ({
      diagnostics: [...first, ...found],
    }));
  }
  if (!isKeyed(config.type)) {
    const detail = 'The configuration must be an object value.';
    found.unshift(error('Invalid backend configuration', detail, 'config'));
  }
  return { diagnostics: found };
}

function backendOf(backend: Value, config: Value): { backend: string; config: Value } {
  const name = backend.asString();
  return { backend: name === '_local' ? 'local' : name, config: asObject(config) };
}

function asObject(config: Value): Value {
  if (config.isNull) return EMPTY_OBJECT_VALUE;
  if (config.type.kind !== 'map') return config;
  return object(new Map([...config.entries()].map(([key, v]) => [key.asString(), v])));
}

/** Reads the outputs of another state, beside the defaults for those that it lacks. */
export function readRemoteState(
  ports: Ports,
  { config: given }: ReadDataRequest,
): Awaitable<ReadDataAnswer> {
  const [backend, config, defaults, workspace] = partsOf(given);
  if (ports.readRemoteState === undefined) {
    const detail = 'Reading the state of another configuration is not available here.';
    return failed([error('Error loading state error', detail, 'backend')]);
  }
  const answer = ports.readRemoteState({
    ...backendOf(backend, config),
    workspace: workspace.isNull ? undefined : workspace.asString(),
  });
  return chain(answer, (remote) => {
    const trouble = troubleOf(remote);
    if (trouble.some((d) => d.severity === 'error')) return failed(trouble);
    const outputs = new Map<string, Value>();
    if (!defaults.isNull) {
      for (const [key, v] of defaults.entries()) outputs.set(key.asString(), v);
    }
    const state = (all: Value) => objectOf(TYPE, [backend, config, defaults, all, workspace]);
    if (remote.outputs === undefined) {
      const detail = 'No stored state was found for the given workspace in the given backend.';
      const missing = error('Unable to find remote state', detail, [attrStep('workspace')]);
      return { state: state(EMPTY_OBJECT_VALUE), diagnostics: [...trouble, missing] };
    }
    for (const [name, v] of remote.outputs) outputs.set(name, v);
    return { state: state(object(outputs)), diagnostics: trouble };
  });
}

function troubleOf(remote: RemoteStateAnswer): readonly ProviderDiagnostic[] {
  const diagnostics = remote.diagnostics ?? [];
  if (remote.error === undefined) return diagnostics;
  const detail = `error loading the remote state: ${remote.error}`;
  return [...diagnostics, error('Error loading state error', detail, 'backend')];
}

function failed(diagnostics: readonly ProviderDiagnostic[]): ReadDataAnswer {
  return { state: nullOf(TYPE), diagnostics };
}
