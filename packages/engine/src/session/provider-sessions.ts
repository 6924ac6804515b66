import type { ProviderConfigAddr, ProviderSource } from '@terrane/addresses';
import { Bug, type Value } from '@terrane/cty';
import { decodeBody, type Diagnostic, EMPTY_BODY, errorDiagnostic, hasErrors } from '@terrane/hcl';
import {
  type Awaitable,
  type CheckedProvider,
  type ClientCapabilities,
  decodeSpec,
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

/** The same, where providers may leave changes to a later plan. */
export const DEFERRING_CAPABILITIES: ClientCapabilities = {
  ...CAPABILITIES,
  deferralAllowed: true,
};

/** A configured provider, or why there is none; no diagnostics where that was reported before. */
export interface OpenResult {
  readonly provider?: CheckedProvider;
  readonly diagnostics: readonly Diagnostic[];
}

/**
 * The configured providers of one run. A configuration is opened when it is first needed and stays
 * open until the run ends.
 */
export class ProviderSessions {
  readonly #port: ProviderPort;
  readonly #schemas: Schemas;
  readonly #capabilities: ClientCapabilities;
  readonly #started = new Map<ProviderConfigAddr, Awaitable<CheckedProvider>>();
  readonly #opened = new Map<ProviderConfigAddr, OpenResult | Promise<OpenResult>>();

  constructor(
    port: ProviderPort,
    schemas: Schemas,
    capabilities: ClientCapabilities = CAPABILITIES,
  ) {
    this.#port = port;
    this.#capabilities = capabilities;
    this.#schemas = schemas;
  }

  /** A provider that is started but maybe not configured: enough to validate and to upgrade. */
  started(address: ProviderConfigAddr): Awaitable<CheckedProvider> {
    let started = this.#started.get(address);
    if (started === undefined) {
      started = this.#port.start(address.provider, address);
      this.#started.set(address, started);
    }
    return started;
  }

  /** Configures a provider with the value of its block. */
  async configure(
    address: ProviderConfigAddr,
    block: ProviderBlock | undefined,
    config: Value,
  ): Promise<readonly Diagnostic[]> {
    const result = await this.#configure(address, block, config);
    this.#opened.set(address, withoutDiagnostics(result));
    return result.diagnostics;
  }

  /** Records that a provider block could not be evaluated, so that the provider stays unconfigured. */
  fail(address: ProviderConfigAddr): void {
    this.#opened.set(address, { diagnostics: [] });
  }

  /** The configured provider; one without a block is configured with nothing at its first use. */
  open(address: ProviderConfigAddr): Awaitable<OpenResult> {
    const opened = this.#opened.get(address);
    if (opened !== undefined) return opened;
    const opening = this.#openEmpty(address);
    this.#opened.set(address, opening.then(withoutDiagnostics));
    return opening;
  }

  /** Requests every provider to stop its operations. */
  async stop(): Promise<void> {
    await this.#all((provider) => provider.stop());
  }

  /** Ends what every provider is doing. */
  async kill(): Promise<void> {
    await this.#all((provider) => provider.kill());
  }

  /** Ends every provider. */
  async close(): Promise<void> {
    for (const started of this.#started.values()) await (await started).close();
    this.#started.clear();
    this.#opened.clear();
  }

  /** Calls all providers and ignores errors: they are independent, and the run is ending. */
  async #all(tell: (provider: CheckedProvider) => Awaitable<void>): Promise<void> {
    const calls = Array.from(this.#started.values(), async (started) => await tell(await started));
    await Promise.allSettled(calls);
  }

  async #openEmpty(address: ProviderConfigAddr): Promise<OpenResult> {
    const schema = this.#schemas.provider(address.provider);
    if (schema === undefined) throw new Bug(`no schema for ${address.text}`);
    const problems: Diagnostic[] = [];
    const config = decodeBody(EMPTY_BODY, decodeSpec(schema.provider.block), undefined, problems);
    const result = hasErrors(problems)
      ? { diagnostics: [...problems, unconfigured(address)] }
      : await this.#configure(address, undefined, config);
    this.#opened.set(address, withoutDiagnostics(result));
    return result;
  }

  async #configure(
    address: ProviderConfigAddr,
    block: ProviderBlock | undefined,
    config: Value,
  ): Promise<OpenResult> {
    const provider = await this.started(address);
    const { value } = config.unmarkDeep();
    const where = { body: block?.body, address: address.text };
    const validated = await provider.validateProviderConfig({ config: value });
    const diagnostics = [...diagnosticsOf(validated.diagnostics, where)];
    const explained = block === undefined ? [unconfigured(address)] : [];
    if (hasErrors(diagnostics)) return { diagnostics: [...diagnostics, ...explained] };
    const answer = await provider.configure({
      terraformVersion: TERRAFORM_VERSION,
      config: validated.prepared ?? value,
      capabilities: this.#capabilities,
    });
    diagnostics.push(...diagnosticsOf(answer.diagnostics, where));
    return hasErrors(diagnostics)
      ? { diagnostics: [...diagnostics, ...explained] }
      : { provider, diagnostics };
  }
}

/** Nothing in the configuration says what was wrong with it, where there is none. */
function unconfigured(address: ProviderConfigAddr): Diagnostic {
  return errorDiagnostic(
    'Invalid provider configuration',
    `Provider "${address.provider.text}" requires explicit configuration. Add a provider block to the root module and configure the provider's required arguments as described in the provider documentation.\n`,
  );
}

/** Returns a result without diagnostics, which only the first receiver reports. */
function withoutDiagnostics(result: OpenResult): OpenResult {
  return { ...result, diagnostics: [] };
}
