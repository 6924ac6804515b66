import { Bug, valueToJson, type Value } from '@terrane/cty';
import {
  mockProvider,
  type PlanAnswer,
  type PlanResourceRequest,
  type Provider,
  type ReadDataAnswer,
  type ReadDataRequest,
} from '@terrane/provider';

/**
 * Calls that read, compute or manage the process of the provider. Ephemeral resources are opened because the
 * configuration of a provider may need them to read anything.
 */
const READS: ReadonlySet<string> = new Set<keyof Provider>([
  'schema',
  'validateProviderConfig',
  'validateResourceConfig',
  'validateDataSourceConfig',
  'validateEphemeralResourceConfig',
  'validateActionConfig',
  'validateListResourceConfig',
  'configure',
  'upgradeResourceState',
  'upgradeResourceIdentity',
  'moveResourceState',
  'readResource',
  'openEphemeralResource',
  'renewEphemeralResource',
  'closeEphemeralResource',
  'callFunction',
  'configuredFunctions',
  'logTo',
  'stop',
  'kill',
  'close',
]);

const NO_MOCKS = { resources: new Map(), dataSources: new Map(), ephemerals: new Map() };

/** The data that all read-only providers of a run share. */
export class ReadOnlyCalls {
  /** configurations of planned instances, by address */
  readonly configurations: Map<string, Value> = new Map();
  readonly #data: Map<string, ReadDataAnswer> = new Map();
  readonly #planning: 'local' | 'provider';

  /**
   * @param planning the planner of changes for predictions: `local`, which uses only configuration and schema, or the
   *   provider, whose protocol requires planning to be free of side effects
   */
  constructor(planning: 'local' | 'provider') {
    this.#planning = planning;
  }

  /**
   * Returns a provider that passes on only calls that read. Imports are refused with an error; a call that would change
   * an object or invoke an action is a defect of this program and throws `Bug` before it reaches the provider.
   */
  wrap(provider: Provider, source: string): Provider {
    const plan = (request: PlanResourceRequest): Promise<PlanAnswer> =>
      this.#plan(provider, request);
    const readData = (request: ReadDataRequest): Promise<ReadDataAnswer> =>
      this.#readData(provider, source, request);
    return new Proxy(provider, {
      get(target, name) {
        const member: unknown = Reflect.get(target, name, target);
        if (typeof member !== 'function' || typeof name !== 'string') return member;
        if (name === 'planResourceChange') return plan;
        if (name === 'readDataSource') return readData;
        if (name === 'importResourceState') return refuseImport;
        if (READS.has(name))
          return (...args: readonly unknown[]): unknown => Reflect.apply(member, target, args);
        return (): never => {
          throw new Bug(`a drift run called ${name} of ${source}, which is not a read`);
        };
      },
    });
  }

  async #plan(provider: Provider, request: PlanResourceRequest): Promise<PlanAnswer> {
    if (request.address !== undefined && !request.proposed.isNull)
      this.configurations.set(request.address, request.config);
    if (request.proposed.isNull && this.#planning === 'local')
      return { planned: request.proposed, requiresReplace: [] };
    if (this.#planning === 'provider') return await provider.planResourceChange(request);
    const schema = await provider.schema();
    const local = mockProvider(provider, schema, NO_MOCKS, (size) => new Uint8Array(size));
    const { private: _marker, ...answer } = await local.planResourceChange(request);
    return answer;
  }

  /** Reads a data source once for each configuration, although a run plans twice. */
  async #readData(
    provider: Provider,
    source: string,
    request: ReadDataRequest,
  ): Promise<ReadDataAnswer> {
    const { type, config, address = '' } = request;
    if (!config.isWhollyKnown()) return await provider.readDataSource(request);
    const key = `${source}\n${type}\n${address}\n${valueToJson(config, config.type)}`;
    const existing = this.#data.get(key);
    if (existing !== undefined) return existing;
    const answer = await provider.readDataSource(request);
    this.#data.set(key, answer);
    return answer;
  }
}

function refuseImport(): Awaited<ReturnType<Provider['importResourceState']>> {
  return {
    imported: [],
    diagnostics: [
      {
        severity: 'error',
        summary: 'Import in a drift run',
        detail:
          'Drift detection only reads objects that are in the state. Apply pending import blocks first.',
      },
    ],
  };
}
