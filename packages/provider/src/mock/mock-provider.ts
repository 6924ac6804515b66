import { Bug, NULL, valueFromJson } from '@terrane/cty';
import type {
  Answer,
  PlanAnswer,
  PlanResourceRequest,
  Provider,
  ProviderDiagnostic,
} from '../contract.ts';
import { chain } from '../awaitable.ts';
import { memberOf } from '../schema/member-of.ts';
import { impliedType } from '../schema/implied-type.ts';
import type { ProviderSchema, Schema } from '../schema/model.ts';
import {
  knownComputed,
  type MockValues,
  NO_MOCK_VALUES,
  unknownComputed,
  withoutWriteOnly,
} from './computed-values.ts';
import { type RandomBytes, repeatableBytes } from './made-up-value.ts';

/** Mock values for the objects of a type. */
export interface MockedType extends MockValues {
  /** plans know it already */
  readonly duringPlan: boolean;
  /** mock values also replace values of existing objects; default: only new objects use them */
  readonly changesExisting?: boolean;
}

/** Mock values by type; a missing type has generated values, an ephemeral resource only those of `others`. */
export interface MockedTypes {
  /** for all other types of resources and ephemeral resources */
  readonly others?: MockedType;
  readonly resources: ReadonlyMap<string, MockedType>;
  readonly dataSources: ReadonlyMap<string, MockedType>;
  readonly ephemerals: ReadonlyMap<string, MockedType>;
}

const CREATE = new TextEncoder().encode('create');
const UPDATE = new TextEncoder().encode('update');
const DESTROY = new TextEncoder().encode('destroy');
const CREATED = 'create';
const SEED_LENGTH = 4;

const NO_IMPORT: ProviderDiagnostic = {
  severity: 'error',
  summary: 'Invalid import request',
  detail:
    'Cannot import resources from mock providers. Use an `override_resource` block to targeting the specific resource being imported instead.',
  sourceless: true,
};

const NO_EPHEMERALS: ProviderDiagnostic = {
  severity: 'error',
  summary: 'No ephemeral resource types in mock providers',
  detail: 'The provider mocking mechanism does not yet support ephemeral resource types.',
};

/**
 * A mock of a provider (providers.Mock): uses the schemas and validation of the real provider and generates computed
 * values. It is never configured and performs no I/O.
 */
export function mockProvider(
  real: Provider,
  schemas: ProviderSchema,
  types: MockedTypes,
  random: RandomBytes,
): Provider {
  const resourceSchema = (type: string): Schema => schemaOf(schemas.resources, type);
  const resource = (type: string): MockedType | undefined =>
    types.resources.get(type) ?? types.others;
  const ephemeral = (type: string): MockedType | undefined =>
    types.ephemerals.get(type) ?? types.others;
  return {
    schema: () => real.schema(),
    validateProviderConfig: ({ config }) => ({ prepared: config }),
    validateResourceConfig: (request) => real.validateResourceConfig(request),
    validateDataSourceConfig: (request) => real.validateDataSourceConfig(request),
    validateEphemeralResourceConfig: (request) =>
      ephemeral(request.type) !== undefined
        ? (real.validateEphemeralResourceConfig?.(request) ?? {})
        : { diagnostics: [NO_EPHEMERALS] },
    configure: () => ({}),
    upgradeResourceState({ type, json }) {
      const { block } = resourceSchema(type);
      const state = valueFromJson(json ?? 'null', impliedType(block));
      return { state: withoutWriteOnly(state, block) };
    },
    readResource: ({ prior, private: kept, identity }) => ({
      state: prior,
      ...(kept === undefined ? {} : { private: kept }),
      ...(identity === undefined ? {} : { identity }),
    }),
    planResourceChange(request) {
      const { type, prior, proposed } = request;
      if (proposed.isNull) return { planned: proposed, requiresReplace: [], private: DESTROY };
      const { block } = resourceSchema(type);
      if (!prior.isNull) {
        const planned = withoutWriteOnly(proposed, block);
        return { planned, requiresReplace: [], private: UPDATE };
      }
      return plannedCreation(request, block, resource(type), random);
    },
    applyResourceChange({ type, planned, plannedPrivate }) {
      if (plannedPrivate === undefined || !text(plannedPrivate).startsWith(CREATED))
        return { state: planned };
      const { block } = resourceSchema(type);
      const mocked = resource(type) ?? NO_MOCK_VALUES;
      const { value, diagnostics } = knownComputed(planned, 'unknown', block, mocked, random);
      return { state: value, ...answerWith(diagnostics) };
    },
    importResourceState: () => ({ imported: [], diagnostics: [NO_IMPORT] }),
    ...(real.moveResourceState === undefined
      ? {}
      : { moveResourceState: (request) => real.moveResourceState?.(request) ?? { state: NULL } }),
    readDataSource({ type, config }) {
      const { block } = schemaOf(schemas.dataSources, type);
      const mocked = types.dataSources.get(type) ?? NO_MOCK_VALUES;
      const { value, diagnostics } = knownComputed(config, 'null', block, mocked, random);
      return { state: withoutWriteOnly(value, block), ...answerWith(diagnostics) };
    },
    openEphemeralResource({ type, config }) {
      const mocked = ephemeral(type);
      if (mocked === undefined) return { result: config, diagnostics: [NO_EPHEMERALS] };
      const { block } = schemaOf(schemas.ephemeralResources, type);
      const { value, diagnostics } = knownComputed(config, 'null', block, mocked, random);
      return { result: value, ...answerWith(diagnostics) };
    },
    renewEphemeralResource: () => ({}),
    closeEphemeralResource: () => ({}),
    ...(real.callFunction === undefined
      ? {}
      : { callFunction: (request) => real.callFunction?.(request) ?? {} }),
    ...(real.configuredFunctions === undefined
      ? {}
      : { configuredFunctions: () => real.configuredFunctions?.() ?? { functions: {} } }),
    ...(real.upgradeResourceIdentity === undefined
      ? {}
      : {
          upgradeResourceIdentity: ({ json, type }) => ({
            identity: valueFromJson(
              json,
              impliedType(schemaOf(schemas.identities ?? {}, type).block),
            ),
          }),
        }),
    stop: () => chain(real.stop(), () => undefined),
    ...(real.kill === undefined ? {} : { kill: () => real.kill?.() }),
    close: () => real.close(),
    sideEffects: false,
  };
}

/** Plans the creation of an object. Generated values are kept in the second plan, because both plans must agree. */
export function plannedCreation(
  { proposed, plannedPrivate }: Pick<PlanResourceRequest, 'proposed' | 'plannedPrivate'>,
  block: Schema['block'],
  mocked: MockedType | undefined,
  random: RandomBytes,
): PlanAnswer {
  if (mocked?.duringPlan !== true) {
    const planned = withoutWriteOnly(unknownComputed(proposed, block), block);
    return { planned, requiresReplace: [], private: CREATE };
  }
  const before = plannedPrivate?.subarray(CREATE.length) ?? new Uint8Array();
  const seed = before.length > 0 ? before : random(SEED_LENGTH);
  const { value, diagnostics } = knownComputed(
    proposed,
    'null',
    block,
    mocked,
    repeatableBytes(seed),
  );
  const planned = withoutWriteOnly(value, block);
  const kept = Uint8Array.of(...CREATE, ...seed);
  return { planned, requiresReplace: [], private: kept, ...answerWith(diagnostics) };
}

function schemaOf(schemas: Readonly<Record<string, Schema>>, type: string): Schema {
  const schema = memberOf(schemas, type);
  if (schema === undefined) throw new Bug(`a mock provider has no schema of ${type}`);
  return schema;
}

function answerWith(diagnostics: readonly ProviderDiagnostic[]): Answer {
  return diagnostics.length === 0 ? {} : { diagnostics };
}

function text(bytes: Uint8Array): string {
  return new TextDecoder().decode(bytes);
}
