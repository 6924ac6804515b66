import type { Answer, Provider, ProviderDiagnostic } from '../contract.ts';
import { memberOf } from '../schema/member-of.ts';
import type { ProviderSchema } from '../schema/model.ts';
import { knownComputed, withoutWriteOnly } from './computed-values.ts';
import type { RandomBytes } from './made-up-value.ts';
import { type MockedType, plannedCreation } from './mock-provider.ts';

/** Returns the override of the instance with an address; undefined if it has none. */
export type OverrideOf = (address: string | undefined) => MockedType | undefined;

/**
 * A provider that overrides some objects: their computed values are configured or generated. All other requests go to
 * the real provider.
 */
export function overridingProvider(
  real: Provider,
  schemas: ProviderSchema,
  overrideOf: OverrideOf,
  random: RandomBytes,
): Provider {
  return {
    ...methodsOf(real),
    readResource(request) {
      if (overrideOf(request.address) === undefined) return real.readResource(request);
      const { prior, private: kept, identity } = request;
      return {
        state: prior,
        ...(kept === undefined ? {} : { private: kept }),
        ...(identity === undefined ? {} : { identity }),
      };
    },
    planResourceChange(request) {
      const mocked = overrideOf(request.address);
      const block = memberOf(schemas.resources, request.type)?.block;
      if (mocked === undefined || block === undefined) return real.planResourceChange(request);
      const { proposed, prior } = request;
      if (proposed.isNull) return { planned: proposed, requiresReplace: [] };
      if (prior.isNull) return plannedCreation(request, block, mocked, random);
      if (mocked.changesExisting === true) {
        // `proposed` contains the prior computed values, which would hide the override.
        return plannedCreation({ ...request, proposed: request.config }, block, mocked, random);
      }
      // An update keeps the computed values: only new objects get values of the override.
      return { planned: withoutWriteOnly(proposed, block), requiresReplace: [] };
    },
    applyResourceChange(request) {
      const mocked = overrideOf(request.address);
      const block = memberOf(schemas.resources, request.type)?.block;
      if (mocked === undefined || block === undefined) return real.applyResourceChange(request);
      const { planned, prior } = request;
      if (planned.isNull) return { state: planned };
      if (!prior.isNull && mocked.changesExisting !== true) return { state: planned };
      const { value, diagnostics } = knownComputed(planned, 'unknown', block, mocked, random);
      return { state: value, ...answerWith(diagnostics) };
    },
    importResourceState(request) {
      const mocked = overrideOf(request.address);
      const block = memberOf(schemas.resources, request.type)?.block;
      const config = mocked === undefined ? undefined : request.configured?.();
      if (mocked === undefined || block === undefined || config === undefined)
        return real.importResourceState(request);
      const { value, diagnostics } = knownComputed(config, 'null', block, mocked, random);
      const state = withoutWriteOnly(value, block);
      return { imported: [{ type: request.type, state }], ...answerWith(diagnostics) };
    },
    readDataSource(request) {
      const mocked = overrideOf(request.address);
      const block = memberOf(schemas.dataSources, request.type)?.block;
      if (mocked === undefined || block === undefined) return real.readDataSource(request);
      const { value, diagnostics } = knownComputed(request.config, 'null', block, mocked, random);
      return { state: withoutWriteOnly(value, block), ...answerWith(diagnostics) };
    },
  };
}

/** Returns the methods of a provider as a plain object, bound to the provider. */
function methodsOf(real: Provider): Provider {
  const optional = <K extends keyof Provider>(name: K): Pick<Provider, K> | undefined =>
    real[name] === undefined ? undefined : bound(real, name);
  return {
    ...bound(real, 'schema'),
    ...bound(real, 'validateProviderConfig'),
    ...bound(real, 'validateResourceConfig'),
    ...bound(real, 'validateDataSourceConfig'),
    ...bound(real, 'configure'),
    ...bound(real, 'upgradeResourceState'),
    ...bound(real, 'readResource'),
    ...bound(real, 'planResourceChange'),
    ...bound(real, 'applyResourceChange'),
    ...bound(real, 'importResourceState'),
    ...bound(real, 'readDataSource'),
    ...bound(real, 'stop'),
    ...bound(real, 'close'),
    ...optional('validateEphemeralResourceConfig'),
    ...optional('moveResourceState'),
    ...optional('openEphemeralResource'),
    ...optional('renewEphemeralResource'),
    ...optional('closeEphemeralResource'),
    ...optional('validateActionConfig'),
    ...optional('planAction'),
    ...optional('invokeAction'),
    ...optional('callFunction'),
    ...optional('configuredFunctions'),
    ...optional('upgradeResourceIdentity'),
    ...optional('generateResourceConfig'),
    ...optional('validateListResourceConfig'),
    ...optional('listResource'),
    ...optional('stateStore'),
    ...optional('logTo'),
    ...optional('kill'),
    ...(real.sideEffects === undefined ? {} : { sideEffects: real.sideEffects }),
  };
}

function bound<K extends keyof Provider>(real: Provider, name: K): Pick<Provider, K> {
  const method = real[name];
  const boundMember = typeof method === 'function' ? method.bind(real) : method;
  // The type checker does not know that binding preserves the type.
  return { [name]: boundMember } as Pick<Provider, K>;
}

function answerWith(diagnostics: readonly ProviderDiagnostic[]): Answer {
  return diagnostics.length === 0 ? {} : { diagnostics };
}
