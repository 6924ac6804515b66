import type { ProviderConfigAddr, ProviderSource, ResourceMode } from '@terrane/addresses';
import { listBlockSchema, type ProviderPort, type Schemas } from '@terrane/engine';
import { hasErrors, type Diagnostic } from '@terrane/hcl';
import type { Plugin } from '@terrane/plugin';
import {
  type CheckedProvider,
  enforceContract,
  type Provider,
  type ProviderSchema,
  type Schema,
  memberOf,
} from '@terrane/provider';
import type { Project } from './project.ts';
import type { ChosenProvider } from './provider-choice.ts';
import { providerMakers, type ProviderOptions } from './provider-makers.ts';
import { type MissingSchema, missingSchema, schemaProblem } from './schema-problem.ts';

/** The chosen providers at work: their schemas, and new instances of them. */
export class Providers implements Schemas, ProviderPort, AsyncDisposable {
  readonly chosen: readonly ChosenProvider[];
  /** errors of schemas that could not be loaded */
  readonly diagnostics: readonly Diagnostic[];
  readonly #makers: ReadonlyMap<ProviderSource, () => Provider>;
  readonly #plugins: ReadonlyMap<ProviderSource, Plugin>;
  readonly #schemas: Map<ProviderSource, ProviderSchema> = new Map();

  private constructor(
    chosen: readonly ChosenProvider[],
    makers: ReadonlyMap<ProviderSource, () => Provider>,
    plugins: ReadonlyMap<ProviderSource, Plugin>,
    diagnostics: readonly Diagnostic[],
  ) {
    this.chosen = chosen;
    this.diagnostics = diagnostics;
    this.#makers = makers;
    this.#plugins = plugins;
  }

  /** Starts with the schemas of all providers loaded. */
  static async open(
    project: Project,
    chosen: readonly ChosenProvider[],
    options: ProviderOptions = {},
  ): Promise<Providers> {
    const { makers, plugins } = await providerMakers(project, chosen, options);
    const diagnostics: Diagnostic[] = [];
    const providers = new Providers(chosen, makers, plugins, diagnostics);
    await providers.#loadSchemas(diagnostics);
    if (hasErrors(diagnostics)) await providers.close();
    return providers;
  }

  async #loadSchemas(diagnostics: Diagnostic[]): Promise<void> {
    const loaded = await Promise.all(
      this.chosen.map(async ({ source }) => {
        const provider = this.start(source);
        const schema = await provider.schema();
        await provider.close();
        return { source, schema };
      }),
    );
    const missing: MissingSchema[] = [];
    for (const { source, schema } of loaded) {
      this.#schemas.set(source, schema);
      const schemaDiagnostics = schema.diagnostics ?? [];
      if (schemaDiagnostics.some(({ severity }) => severity === 'error')) {
        missing.push(missingSchema(source, schemaDiagnostics));
        continue;
      }
      for (const { severity, summary, detail } of schemaDiagnostics) {
        diagnostics.push({ severity, summary, detail });
      }
    }
    if (missing.length > 0) diagnostics.push(schemaProblem(missing));
  }

  /** Returns an instance without providers, for a state that is not interpreted. */
  static none(project: Project): Promise<Providers> {
    return Providers.open(project, []);
  }

  start(source: ProviderSource, address?: ProviderConfigAddr): CheckedProvider {
    const make = this.#makers.get(source);
    if (make === undefined) throw new Error(`provider ${source.text} was not chosen`);
    return enforceContract(make(), source.text, address?.text);
  }

  /** Starts a provider that `wrap` replaces by another one, based on it and its schemas. */
  startWrapped(
    source: ProviderSource,
    address: ProviderConfigAddr | undefined,
    wrap: (real: Provider, schemas: ProviderSchema) => Provider,
  ): CheckedProvider {
    const make = this.#makers.get(source);
    const schemas = this.#schemas.get(source);
    if (make === undefined || schemas === undefined)
      throw new Error(`provider ${source.text} was not chosen`);
    return enforceContract(wrap(make(), schemas), source.text, address?.text);
  }

  /** Starts the processes of the expected providers in the background. */
  warm(sources: Iterable<ProviderSource>): void {
    for (const source of sources) this.#plugins.get(source)?.warm();
  }

  /** Terminates the processes of all providers. Keeps the schemas. */
  async close(): Promise<void> {
    await Promise.all(Array.from(this.#plugins.values(), (plugin) => plugin.close()));
  }

  [Symbol.asyncDispose](): Promise<void> {
    return this.close();
  }

  provider(source: ProviderSource): ProviderSchema | undefined {
    return this.#schemas.get(source);
  }

  version(source: ProviderSource): string | undefined {
    const origin = this.chosen.find((each) => each.source === source)?.origin;
    switch (origin?.kind) {
      case 'installed':
        return origin.version;
      case 'bundled':
        return origin.provider.version === '' ? undefined : origin.provider.version;
      default:
        return undefined;
    }
  }

  resource(source: ProviderSource, mode: ResourceMode, type: string): Schema | undefined {
    const schema = this.#schemas.get(source);
    switch (mode) {
      case 'managed':
        return memberOf(schema?.resources, type);
      case 'data':
        return memberOf(schema?.dataSources, type);
      case 'ephemeral':
        return memberOf(schema?.ephemeralResources, type);
      case 'list': {
        const list = memberOf(schema?.listResources, type);
        return list && listBlockSchema(list);
      }
    }
  }
}
