import type { ProviderConfigAddr, ProviderSource } from '@terrane/addresses';
import { Bug, type Value } from '@terrane/cty';
import { decodeBody, type Diagnostic, EMPTY_BODY, errorDiagnostic, hasErrors } from '@terrane/hcl';
import {
  type Awaitable,
  type CheckedProvider,
  type ClientCapabilities,
  decodeSpec,
  isPromise,
} from '@terrane/provider';
import type { ProviderBlock, Schemas } from '../config/model.ts';
import { TERRAFORM_VERSION } from '../lang/version.ts';
import { diagnosticsOf } from './provider-diagnostics.ts';

/** Starts providers: each call returns a new, unconfigured one. */
export interface ProviderPort {
  /** `address`: the configuration that it is for, as messages about it name it */
  start(source: ProviderSource, address?: ProviderConfigAddr): Awaitable<CheckedProvider>;
}

/** The client capabilities that the engine supports. */
export const CAPABILITIES: ClientCapabilities = {
  deferralAllowed: false,
  writeOnlyAttributesAllowed: true,
  storePlannedPrivate: true,
};

/** Capabilities of a client that allows providers to defer changes to a later plan. */
export const DEFERRING_CAPABILITIES: ClientCapabilities = {
  ...CAPABILITIES,
  deferralAllowed: true,
};

/** A configured provider, or the diagnostics why there is none; no diagnostics if they were reported before. */
export interface OpenResult {
  readonly provider?: CheckedProvider;
  readonly diagnostics: readonly Diagnostic[];
}

/** The usage counts of a provider configuration. */
interface Usage {
  /** Uses that have not ended. */
  expected: number;
  /** Uses that are in progress. */
  running: number;
  /** True if it was opened without an expected use, so that it stays open until the run ends. */
  isPinned: boolean;
}

/** The evaluated block of a provider configuration or of an instance of it. */
interface Declaration {
  readonly block: ProviderBlock | undefined;
  readonly config: Value;
}

/**
 * The configured providers of one run. A configuration is opened at its first use and closed after the last of the
 * uses that the run expects. One that is opened without an expected use stays open until the run ends; one that is used
 * again after it was closed is opened again.
 */
export class ProviderSessions {
  readonly #port: ProviderPort;
  readonly #schemas: Schemas;
  readonly #capabilities: ClientCapabilities;
  /** Providers without a configuration. */
  readonly #unconfigured = new Map<ProviderConfigAddr, Awaitable<CheckedProvider>>();
  /** Providers that were started to be configured. */
  readonly #started = new Map<ProviderConfigAddr, Awaitable<CheckedProvider>>();
  readonly #opened = new Map<ProviderConfigAddr, OpenResult | Promise<OpenResult>>();
  /** Evaluated blocks, by configuration, of the configuration or of each of its instances. */
  readonly #declared = new Map<ProviderConfigAddr, Map<ProviderConfigAddr, Declaration>>();
  readonly #usage = new Map<ProviderConfigAddr, Usage>();
  readonly #reserved = new Set<ProviderConfigAddr>();
  readonly #closing = new Set<Promise<void>>();
  #busy = 0;
  #isKilled = false;
  #fault: { readonly error: unknown } | undefined;

  constructor(
    port: ProviderPort,
    schemas: Schemas,
    capabilities: ClientCapabilities = CAPABILITIES,
  ) {
    this.#port = port;
    this.#capabilities = capabilities;
    this.#schemas = schemas;
  }

  /** A provider that is started and not configured: enough to validate, to upgrade and for its functions. */
  started(address: ProviderConfigAddr): Awaitable<CheckedProvider> {
    let started = this.#unconfigured.get(address);
    if (started === undefined) {
      started = this.#port.start(address.provider, address);
      this.#unconfigured.set(address, started);
    }
    return started;
  }

  /** Records the value of a provider block, with which the provider is configured at its first use. */
  declare(address: ProviderConfigAddr, block: ProviderBlock | undefined, config: Value): void {
    const { configuration } = address;
    const instances = this.#declared.get(configuration);
    if (instances === undefined)
      this.#declared.set(configuration, new Map([[address, { block, config }]]));
    else instances.set(address, { block, config });
  }

  /** Returns the evaluated blocks of a configuration, by the configuration or each of its instances. */
  declarations(configuration: ProviderConfigAddr): ReadonlyMap<ProviderConfigAddr, Value> {
    const declared =
      this.#declared.get(configuration) ?? new Map<ProviderConfigAddr, Declaration>();
    return new Map([...declared].map(([address, { config }]) => [address, config] as const));
  }

  /** Records that a provider block could not be evaluated, so that the provider stays unconfigured. */
  fail(address: ProviderConfigAddr): void {
    this.#opened.set(address, { diagnostics: [] });
  }

  /** Returns the configured provider; one without a block is configured with an empty configuration. */
  open(address: ProviderConfigAddr): Awaitable<OpenResult> {
    const usage = this.#usageOf(address.configuration);
    if (usage.expected === 0) usage.isPinned = true;
    const opened = this.#opened.get(address);
    if (opened !== undefined) return opened;
    const opening = this.#open(address);
    this.#opened.set(address, opening.then(withoutDiagnostics));
    return opening;
  }

  /**
   * Configures the providers of the declared ones of some configurations, without the keys of instances. Returns
   * undefined if one is not configured because of errors that were reported before.
   */
  openDeclared(
    configurations: readonly ProviderConfigAddr[],
  ): Awaitable<readonly Diagnostic[] | undefined> {
    let opened: Awaitable<OpenResult>[] | undefined;
    for (const configuration of configurations) {
      const declared = this.#declared.get(configuration);
      if (declared === undefined) continue;
      for (const address of declared.keys()) {
        const opening = this.open(address);
        // Most are open already, and have reported their diagnostics.
        if (isPromise(opening) || !isReady(opening)) (opened ??= []).push(opening);
      }
    }
    if (opened === undefined) return NONE;
    const collect = (results: readonly OpenResult[]): readonly Diagnostic[] | undefined => {
      const diagnostics = results.flatMap((result) => result.diagnostics);
      const isComplete = results.every(({ provider }) => provider !== undefined);
      return isComplete || hasErrors(diagnostics) ? diagnostics : undefined;
    };
    const ready = opened.filter((result): result is OpenResult => !isPromise(result));
    if (ready.length === opened.length) return collect(ready);
    return Promise.all(opened.map(async (result) => await result)).then(collect);
  }

  /** Announces a use of a configuration, which keeps it open until the use has ended. */
  expect(configuration: ProviderConfigAddr): void {
    this.#usageOf(configuration).expected++;
  }

  /** Announces a use without a certain course. Returns a function that ends it. */
  hold(configuration: ProviderConfigAddr): () => void {
    this.expect(configuration);
    return () => this.#end(configuration, this.#usageOf(configuration));
  }

  /** Performs one expected use of each of some configurations. Closes those of which it was the last. */
  use<T>(configurations: readonly ProviderConfigAddr[], work: () => Awaitable<T>): Awaitable<T> {
    if (configurations.length === 0) return work();
    this.begin(configurations);
    const result = work();
    if (isPromise(result)) return this.#endAfter(configurations, result);
    this.end(configurations);
    return result;
  }

  /** Begins one expected use of each of some configurations, which `end` ends. */
  begin(configurations: readonly ProviderConfigAddr[]): void {
    for (const configuration of configurations) {
      const usage = this.#usageOf(configuration);
      if (usage.running++ === 0) this.#busy++;
    }
  }

  /** Ends the uses after the work: `finally` would create three promises for each resource. */
  #endAfter<T>(configurations: readonly ProviderConfigAddr[], result: Promise<T>): Promise<T> {
    return result.then(
      (value) => {
        this.end(configurations);
        return value;
      },
      (error: unknown) => {
        this.end(configurations);
        throw error;
      },
    );
  }

  /** Ends one use of each of some configurations. Closes those of which it was the last. */
  end(configurations: readonly ProviderConfigAddr[]): void {
    for (const configuration of configurations) {
      const usage = this.#usageOf(configuration);
      if (--usage.running === 0) this.#busy--;
      this.#end(configuration, usage);
    }
  }

  /** The number of configurations with a use in progress. */
  get busy(): number {
    return this.#busy;
  }

  /** The number of configurations that are open or about to be. */
  get reserved(): number {
    return this.#reserved.size;
  }

  /** Returns true if a configuration is open or about to be. */
  isReserved(configuration: ProviderConfigAddr): boolean {
    return this.#reserved.has(configuration);
  }

  /** Records that a configuration is about to be opened. It remains reserved until it is closed. */
  reserve(configuration: ProviderConfigAddr): void {
    this.#reserved.add(configuration);
  }

  /** Requests every provider to stop its operations. */
  async stop(): Promise<void> {
    await this.#all((provider) => provider.stop());
  }

  /** Stops the operations of all providers, and rejects new sessions. */
  async kill(): Promise<void> {
    this.#isKilled = true;
    await this.#all((provider) => provider.kill());
  }

  /** Ends every provider. */
  async close(): Promise<void> {
    for (const map of [this.#unconfigured, this.#started]) {
      for (const started of map.values()) await (await started).close();
      map.clear();
    }
    this.#opened.clear();
    await Promise.all(this.#closing);
    if (this.#fault !== undefined) throw this.#fault.error;
  }

  /** Calls all providers and ignores errors: they are independent, and the run is ending. */
  async #all(request: (provider: CheckedProvider) => Awaitable<void>): Promise<void> {
    const all = [...this.#unconfigured.values(), ...this.#started.values()];
    await Promise.allSettled(all.map(async (started) => await request(await started)));
  }

  #usageOf(configuration: ProviderConfigAddr): Usage {
    let usage = this.#usage.get(configuration);
    if (usage === undefined) {
      usage = { expected: 0, running: 0, isPinned: false };
      this.#usage.set(configuration, usage);
    }
    return usage;
  }

  #end(configuration: ProviderConfigAddr, usage: Usage): void {
    if (--usage.expected === 0 && !usage.isPinned) this.#closeEarly(configuration);
  }

  /** Closes the providers of a configuration without waiting for it. */
  #closeEarly(configuration: ProviderConfigAddr): void {
    this.#reserved.delete(configuration);
    for (const [address, started] of this.#started) {
      if (address.configuration !== configuration) continue;
      this.#started.delete(address);
      const opened = this.#opened.get(address);
      // A failed configuration is not retried.
      if (opened === undefined || isPromise(opened) || opened.provider !== undefined)
        this.#opened.delete(address);
      const closing = closeProvider(started)
        .catch((error: unknown) => {
          this.#fault ??= { error };
        })
        .finally(() => this.#closing.delete(closing));
      this.#closing.add(closing);
    }
  }

  async #open(address: ProviderConfigAddr): Promise<OpenResult> {
    const declared = this.#declared.get(address.configuration)?.get(address);
    const result = await (declared === undefined
      ? this.#openEmpty(address)
      : this.#configure(address, declared.block, declared.config));
    this.#opened.set(address, withoutDiagnostics(result));
    return result;
  }

  async #openEmpty(address: ProviderConfigAddr): Promise<OpenResult> {
    const schema = this.#schemas.provider(address.provider);
    if (schema === undefined) throw new Bug(`no schema for ${address.text}`);
    const problems: Diagnostic[] = [];
    const config = decodeBody(EMPTY_BODY, decodeSpec(schema.provider.block), undefined, problems);
    return hasErrors(problems)
      ? { diagnostics: [...problems, unconfiguredError(address)] }
      : await this.#configure(address, undefined, config);
  }

  async #configure(
    address: ProviderConfigAddr,
    block: ProviderBlock | undefined,
    config: Value,
  ): Promise<OpenResult> {
    // A closing process still takes its memory.
    while (this.#closing.size > 0) await Promise.all(this.#closing);
    if (this.#isKilled) return { diagnostics: [cancelledError(address)] };
    const starting = this.#port.start(address.provider, address);
    this.#started.set(address, starting);
    const provider = await starting;
    const { value } = config.unmarkDeep();
    const where = { body: block?.body, address: address.text };
    const validated = await provider.validateProviderConfig({ config: value });
    const diagnostics = [...diagnosticsOf(validated.diagnostics, where)];
    const explained = block === undefined ? [unconfiguredError(address)] : [];
    if (hasErrors(diagnostics)) return { diagnostics: [...diagnostics, ...explained] };
    const response = await provider.configure({
      terraformVersion: TERRAFORM_VERSION,
      config: validated.prepared ?? value,
      capabilities: this.#capabilities,
    });
    diagnostics.push(...diagnosticsOf(response.diagnostics, where));
    return hasErrors(diagnostics)
      ? { diagnostics: [...diagnostics, ...explained] }
      : { provider, diagnostics };
  }
}

const NONE: readonly Diagnostic[] = [];

/** Returns true if a provider is configured and there is nothing to report. */
function isReady({ provider, diagnostics }: OpenResult): boolean {
  return provider !== undefined && diagnostics.length === 0;
}

async function closeProvider(started: Awaitable<CheckedProvider>): Promise<void> {
  await (await started).close();
}

/** The error for a provider that is needed after the user has ended the run. */
function cancelledError({ text }: ProviderConfigAddr): Diagnostic {
  return errorDiagnostic(
    'Request cancelled',
    `${text} was not configured, because the run was cancelled.`,
  );
}

/** Returns the error for a provider whose configuration contains no explanation. */
function unconfiguredError(address: ProviderConfigAddr): Diagnostic {
  return errorDiagnostic(
    'Invalid provider configuration',
    `Provider "${address.provider.text}" requires explicit configuration. Add a provider block to the root module and configure the provider's required arguments as described in the provider documentation.\n`,
  );
}

/** Returns a result without diagnostics, which only the first receiver reports. */
function withoutDiagnostics(result: OpenResult): OpenResult {
  return { ...result, diagnostics: [] };
}
