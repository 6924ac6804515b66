import { EMPTY_OBJECT_VALUE, object } from '@terrane/cty';
import type { Type, Value } from '@terrane/cty';
import { chain, error as errorAt } from '@terrane/provider';
import type {
  Awaitable,
  ProviderDiagnostic,
  ProviderPorts,
  RemoteStateAnswer,
} from '@terrane/provider';
import {
  dataSource,
  dynamic,
  isUnknown,
  ProviderError,
  string,
  validator,
} from '@terrane/provider/sdk';
import type { AttributeValidator, DataSource, StateOf } from '@terrane/provider/sdk';

type Ports = Pick<ProviderPorts, 'readRemoteState' | 'validateRemoteState'>;

const markdown = { descriptionKind: 'markdown' } as const;

function isKeyed({ kind }: Type): boolean {
  return kind === 'dynamic' || kind === 'object' || kind === 'map';
}

/** Rejects values, including null and unknown ones, that are not objects or maps. */
function mustBeKeyed(
  summary: string,
  detail: string,
  checkedElsewhere: (config: Value, value: Value) => boolean = () => false,
): AttributeValidator {
  return validator(({ value, siblings, path }) =>
    isKeyed(value.type) || checkedElsewhere(siblings, value)
      ? []
      : [errorAt(summary, detail, path)],
  );
}

const attributes = {
  backend: string({
    required: true,
    description: 'The remote backend to use, e.g. `remote` or `http`.',
    ...markdown,
  }),
  config: dynamic({
    optional: true,
    description:
      'The configuration of the remote backend. Although this is optional, most backends require some configuration.\n\nThe object can use any arguments that would be valid in the equivalent `terraform { backend "<TYPE>" { ... } }` block.',
    ...markdown,
    validators: [
      mustBeKeyed(
        'Invalid backend configuration',
        'The configuration must be an object value.',
        // The backend validates the configuration when it is wholly known.
        (siblings, value) => siblings.attr('backend').isKnown && value.isWhollyKnown(),
      ),
    ],
  }),
  defaults: dynamic({
    optional: true,
    description:
      'Default values for outputs, in case the state file is empty or lacks a required output.',
    ...markdown,
    validators: [
      mustBeKeyed('Invalid default values', 'Defaults must be given in an object value.'),
    ],
  }),
  outputs: dynamic({
    computed: true,
    description: 'An object containing every root-level output in the remote state.',
    ...markdown,
  }),
  workspace: string({
    optional: true,
    description: 'The Terraform workspace to use, if the backend supports workspaces.',
    ...markdown,
  }),
};

/** The data source `terraform_remote_state`: the outputs of another state, which the engine reads. */
export function remoteState(ports: Ports): DataSource {
  return dataSource({
    attributes,
    validate: ({ config: { backend, config } }): Awaitable<readonly ProviderDiagnostic[]> => {
      if (isUnknown(backend) || isUnknown(config) || config?.isWhollyKnown() === false) return [];
      return ports.validateRemoteState?.(backendOf(backend, config)) ?? [];
    },
    read: ({ config: settings, address, error, report }) => {
      const { backend, config, defaults, workspace } = settings;
      if (ports.readRemoteState === undefined) {
        const detail = 'Reading the state of another configuration is not available here.';
        throw ProviderError.of([errorAt('Error loading state error', detail, 'backend')]);
      }
      const answer = ports.readRemoteState({
        ...backendOf(backend, config),
        address,
        workspace: workspace ?? undefined,
      });
      return chain(answer, (remote): StateOf<typeof attributes> => {
        const diagnostics = diagnosticsOf(remote);
        if (diagnostics.some(({ severity }) => severity === 'error'))
          throw ProviderError.of(diagnostics);
        report(diagnostics);
        if (remote.outputs === undefined) {
          const detail = 'No stored state was found for the given workspace in the given backend.';
          error('Unable to find remote state', detail, 'workspace');
          return { ...settings, outputs: EMPTY_OBJECT_VALUE };
        }
        const outputs = new Map<string, Value>();
        for (const [key, v] of defaults?.entries() ?? []) outputs.set(key.asString(), v);
        for (const [name, v] of remote.outputs) outputs.set(name, v);
        return { ...settings, outputs: object(outputs) };
      });
    },
  });
}

function backendOf(
  backend: string,
  config: Value | null,
): { readonly backend: string; readonly config: Value } {
  return { backend: backend === '_local' ? 'local' : backend, config: asObject(config) };
}

function asObject(config: Value | null): Value {
  if (config === null || config.isNull) return EMPTY_OBJECT_VALUE;
  if (config.type.kind !== 'map') return config;
  return object(new Map([...config.entries()].map(([key, v]) => [key.asString(), v])));
}

function diagnosticsOf(remote: RemoteStateAnswer): readonly ProviderDiagnostic[] {
  const diagnostics = remote.diagnostics ?? [];
  if (remote.error === undefined) return diagnostics;
  const detail = `error loading the remote state: ${remote.error}`;
  return [...diagnostics, errorAt('Error loading state error', detail, 'backend')];
}
