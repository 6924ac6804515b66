import { parseInstanceAddr, type ProviderConfigAddr } from '@terrane/addresses';
import type { Random } from '@terrane/host';
import {
  type Configuration,
  dialectRules,
  type MockData,
  type MockResource,
  type Override,
  type ProviderBlock,
  providerKey,
  type ProviderPort,
  type ProviderScope,
  type TestFile,
  type TestProvider,
  TestProviderBody,
  testProviderInstances,
  type TestRun,
} from '@terrane/engine';
import { type Diagnostic, errorDiagnostic } from '@terrane/hcl';
import { type MockedType, mockProvider, overridingProvider } from '@terrane/provider';
import type { Providers } from '../providers.ts';

/** A mocked type whose values are generated, and known during plans. */
const MADE_UP_AT_ONCE: MockedType = { value: undefined, where: '', duringPlan: true };

/** The summary of the error for mock data that is not an object. */
const UNFIT_DATA = 'Invalid replacement value';

/** The provider configurations of a run's root module. */
export interface TestProviders {
  readonly blocks: ReadonlyMap<string, ProviderBlock>;
  /** mock data of mocked providers, by provider key */
  readonly mocks: ReadonlyMap<string, MockData>;
}

/** The provider blocks with which a run's configuration is executed (configtest.TransformConfigForTest). */
export function providerBlocksFor(
  configuration: Configuration,
  run: TestRun,
  providers: TestFile['providers'],
  scope: ProviderScope,
  diagnostics: Diagnostic[],
): TestProviders {
  const blocks = new Map(configuration.root.providers);
  const mocks = new Map<string, MockData>();
  const use = (
    provider: TestProvider,
    local: { readonly name: string; readonly alias: string | undefined },
  ): void => {
    const { name, alias } = local;
    const key = providerKey(alias === undefined ? { name } : { name, alias });
    const instances = testProviderInstances(provider, configuration.constants, diagnostics);
    blocks.set(key, { ...blockOf(provider, local, scope), ...instances });
    if (provider.mock === undefined) mocks.delete(key);
    else mocks.set(key, provider.mock);
  };
  if (run.providers.length > 0) {
    for (const { inChild, inParent } of run.providers) {
      const key = providerKey(inParent);
      const provider = providers.get(key);
      if (provider === undefined) {
        diagnostics.push(
          errorDiagnostic(
            `Missing provider definition for ${key}`,
            'This provider block references a provider definition that does not exist.',
            inParent.nameRange,
          ),
        );
        continue;
      }
      const { name, alias } = inChild;
      use(provider, { name, alias });
    }
    return { blocks, mocks };
  }
  const used = providersUsed(configuration);
  for (const [key, provider] of providers) {
    const { name, alias } = provider;
    if (used.has(key)) use(provider, { name, alias });
  }
  return { blocks, mocks };
}

function blockOf(
  { body, mock, range }: TestProvider,
  { name, alias }: { readonly name: string; readonly alias: string | undefined },
  scope: ProviderScope,
): ProviderBlock {
  return {
    name,
    ...(alias === undefined ? {} : { alias }),
    body: mock === undefined ? new TestProviderBody(body, scope) : body,
    range,
    ...(mock === undefined ? {} : { mocked: true }),
  };
}

/** Keys of the provider configurations that the root module declares, uses or passes on. */
function providersUsed({ root }: Configuration): ReadonlySet<string> {
  const keys = new Set<string>();
  for (const { name, aliases } of root.requiredProviders.values()) {
    keys.add(name);
    for (const alias of aliases) keys.add(providerKey({ name, alias }));
  }
  for (const key of root.providers.keys()) keys.add(key);
  for (const { providerLocal, provider } of root.resources.values()) {
    keys.add(providerLocal.explicit ? providerKey(providerLocal) : provider.type);
  }
  for (const { providers = [] } of root.calls.values()) {
    for (const { inParent } of providers) keys.add(providerKey(inParent));
  }
  return keys;
}

/** The overrides of a run; those of the run have precedence over those of the file. */
export class RunOverrides {
  readonly #local: ReadonlyMap<string, Override>;
  readonly #mocks: TestProviders['mocks'];
  readonly #configuration: Configuration;

  constructor(
    ofRun: TestRun['overrides'],
    ofFile: TestFile['overrides'],
    configuration: Configuration,
    mocks: TestProviders['mocks'],
  ) {
    this.#local = new Map([...ofFile, ...ofRun]);
    this.#mocks = mocks;
    this.#configuration = configuration;
  }

  /** Returns the overridden outputs of a module instance, if any. */
  module(text: string): Override | undefined {
    return this.#local.get(text) ?? this.#local.get(text.replace(/\[[^\]]*\]$/s, ''));
  }

  /** Returns the override for an instance of a provider configuration. */
  resource(address: string, provider: ProviderConfigAddr | undefined): Override | undefined {
    const ofProvider = provider && this.mock(provider)?.overrides;
    const resource = parseInstanceAddr(address).address?.resource.text;
    for (const target of [address, resource]) {
      if (target === undefined) continue;
      const override = this.#local.get(target) ?? ofProvider?.get(target);
      if (override !== undefined) return override;
    }
    return undefined;
  }

  /**
   * Returns whether an override applies to existing objects and during plans. For resources in OpenTofu files both
   * apply, regardless of the language of the test file.
   */
  reach(
    { range, duringPlan }: Override,
    address: string,
  ): Pick<MockedType, 'duringPlan' | 'changesExisting'> {
    const addr = parseInstanceAddr(address).address?.resource;
    const module = addr && this.#configuration.modules.get(addr.module.path.text);
    const resource = addr && module?.resources.get(addr.resource.text);
    const ofTest = dialectRules(range).overridesExistingObjects;
    if (ofTest || resource === undefined) return { duringPlan, changesExisting: ofTest };
    const ofResource = dialectRules(resource.range).overridesExistingObjects;
    return { duringPlan: duringPlan || ofResource, changesExisting: ofResource };
  }

  get isEmpty(): boolean {
    if (this.#local.size > 0) return false;
    return [...this.#mocks.values()].every((mock) => mock.overrides.size === 0);
  }

  /** Adds the source range of mock data to diagnostics about data that is not an object. */
  pointingToData(diagnostics: readonly Diagnostic[]): readonly Diagnostic[] {
    if (this.#mocks.size === 0) return diagnostics;
    return diagnostics.map((diagnostic) => {
      const addr =
        diagnostic.summary === UNFIT_DATA && diagnostic.address !== undefined
          ? parseInstanceAddr(diagnostic.address).address?.resource.resource
          : undefined;
      if (addr === undefined) return diagnostic;
      for (const mock of this.#mocks.values()) {
        const types = addr.mode === 'data' ? mock.dataSources : mock.resources;
        const { defaults, defaultsRange } = types.get(addr.type) ?? {};
        if (defaults === undefined || defaults.type.kind === 'object') continue;
        const { severity, summary, detail } = diagnostic;
        return { severity, summary, detail, ...(defaultsRange && { subject: defaultsRange }) };
      }
      return diagnostic;
    });
  }

  /** Returns the mock data of a provider configuration, if it is mocked. */
  mock(address: ProviderConfigAddr): MockData | undefined {
    if (!address.module.isRoot || this.#mocks.size === 0) return undefined;
    const { root } = this.#configuration;
    for (const [key, { name, alias }] of root.providers) {
      const source = root.providerSource(name);
      if (alias === address.alias && source === address.provider) return this.#mocks.get(key);
    }
    return undefined;
  }
}

/** Starts the providers of a run: mocks for mocked providers, and wrappers that apply overrides. */
export function testProviderPort(
  providers: Providers,
  overrides: RunOverrides,
  random: Random,
): ProviderPort {
  const bytes = (count: number): Uint8Array => random.bytes(count);
  return {
    start(source, address) {
      const mock = address && overrides.mock(address);
      if (mock === undefined && overrides.isEmpty) return providers.start(source, address);
      return providers.startWrapped(source, address, (real, schemas) => {
        const inner =
          mock === undefined
            ? real
            : mockProvider(
                real,
                schemas,
                {
                  resources: mockedTypes(mock.resources),
                  dataSources: mockedTypes(mock.dataSources),
                  ephemerals: mockedTypes(mock.ephemerals),
                  ...(mock.plansAll && { others: MADE_UP_AT_ONCE }),
                },
                bytes,
              );
        if (overrides.isEmpty) return inner;
        const overrideOf = (object: string | undefined): MockedType | undefined => {
          if (object === undefined) return undefined;
          const override = overrides.resource(object, address);
          if (override === undefined) return undefined;
          const { values: value, range } = override;
          return { value, where: `${range}`, ...overrides.reach(override, object) };
        };
        return overridingProvider(inner, schemas, overrideOf, bytes);
      });
    },
  };
}

function mockedTypes(types: ReadonlyMap<string, MockResource>): ReadonlyMap<string, MockedType> {
  return new Map(
    Array.from(types, ([type, { defaults, defaultsRange, duringPlan }]) => [
      type,
      { value: defaults, where: `${defaultsRange ?? ':0,0-0'}`, duringPlan },
    ]),
  );
}
