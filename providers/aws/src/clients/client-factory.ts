import { AsyncLocalStorage } from 'node:async_hooks';
import {
  type AwsHost,
  type CredentialSource,
  credentialSource,
  instanceRegion,
  requestOptions,
} from '@terrane/aws-access';
import type { Random } from '@terrane/host';
import type { Deadline, Log } from '@terrane/provider/sdk';
import type { AwsSettings } from '../configuration/settings.ts';
import { AwsError } from '../request/aws-error.ts';
import { maskedInput } from '../request/masked-input.ts';
import { AwsRetryStrategy, type Retry } from '../request/retry-strategy.ts';
import { SERVICE_RETRIES } from '../request/service-retries.ts';
import { GivenUp } from './given-up.ts';
import type * as Transport from './libraries/aws-transport.ts';
import { type ServiceName, SERVICES, type Services } from './service-clients.ts';

/** The ports that creating clients requires. */
export interface ClientHost extends AwsHost {
  readonly random: Random;
}

/** The handler call on whose behalf requests are made. */
export interface Caller {
  /** ends retries, and prevents further requests */
  readonly signal: AbortSignal;
  /** names the object in every message; default: the log of the provider */
  readonly log?: Log;
  /**
   * receives the retried request and the reason, once the retries take more than a minute; empty: the request succeeded
   */
  readonly progress?: ((note: string) => void) | undefined;
  /** requests are not retried after it */
  readonly deadline?: Deadline | undefined;
}

/** A pending request. */
interface Asking extends Caller {
  readonly operation: string;
  /** when its first attempt failed, by the monotonic clock */
  failedAt?: number;
  /** true if users were notified of the retries */
  isReported?: boolean;
}

/** Milliseconds for which a request is retried before the progress mentions it. */
const SILENT_RETRIES = 60_000;

type Call = (input: object, options: object) => Promise<object>;
type Client = Readonly<Record<string, unknown>>;

/** Creates the clients of services, one for each region, at their first use. */
export class ClientFactory {
  /** the region of the configuration, the environment or the profile */
  readonly region: string;
  readonly #settings: AwsSettings;
  readonly #host: ClientHost;
  readonly #log: Log;
  readonly #credentials: CredentialSource;
  readonly #common: object;
  readonly #transport: typeof Transport;
  readonly #clients = new Map<string, Promise<Client>>();
  /** The caller of the pending request, which the SDK does not pass to a retry strategy. */
  readonly #asking = new AsyncLocalStorage<Asking>();
  /** The signal of the attempt that a request belongs to; it aborts when the attempt is abandoned. */
  readonly #attempt = new AsyncLocalStorage<AbortSignal>();
  readonly #givenUp = new GivenUp();

  private constructor(made: {
    readonly region: string;
    readonly settings: AwsSettings;
    readonly host: ClientHost;
    readonly log: Log;
    readonly credentials: CredentialSource;
    readonly common: object;
    readonly transport: typeof Transport;
  }) {
    this.region = made.region;
    this.#settings = made.settings;
    this.#host = made.host;
    this.#log = made.log;
    this.#credentials = made.credentials;
    this.#common = made.common;
    this.#transport = made.transport;
  }

  /** Finds the region and credentials. */
  static async open(settings: AwsSettings, host: ClientHost, log: Log): Promise<ClientFactory> {
    const [aws, transport] = await Promise.all([
      import('./libraries/aws-credentials.ts'),
      import('./libraries/aws-transport.ts'),
    ]);
    // The SDK's warning about Node versions is not relevant to users.
    aws.sdkState.warningEmitted = true;
    const region = settings.region ?? '';
    // Without a signal: the result of a request that is aborted at the end of the run would be unknown.
    const common = await requestOptions(settings, host, transport.HttpResponse, {
      maxAttempts: settings.maxRetries + 1,
      customUserAgent: userAgent(host),
    });
    const credentials = await credentialSource({
      aws,
      host,
      connection: settings,
      region,
      shared: common,
      helpUrl: 'https://registry.terraform.io/providers/hashicorp/aws',
    });
    const detectedRegion =
      region || (await instanceRegion(host.http, settings, await credentials()));
    return new ClientFactory({
      region: detectedRegion ?? '',
      settings,
      host,
      log,
      credentials,
      common,
      transport,
    });
  }

  /**
   * Returns the clients of a region. Pauses between attempts end when the caller's signal is aborted; pending requests
   * are completed. Their errors are {@link AwsError}s.
   */
  services(region: string, caller: Caller): Services {
    const facades = new Map<string, object>();
    return new Proxy<Services>(Object.create(null), {
      get: (_, name) => {
        if (typeof name !== 'string' || !isService(name)) return undefined;
        let facade = facades.get(name);
        if (facade === undefined) {
          facade = this.#facade(name, region, caller);
          facades.set(name, facade);
        }
        return facade;
      },
    });
  }

  /**
   * Calls a function whose requests abort immediately when `signal` does, so that they cannot interfere with the next
   * attempt.
   */
  within<T>(signal: AbortSignal, call: () => T): T {
    return this.#attempt.run(signal, call);
  }

  /** Returns the SDK client of a service, for paginators of the SDK. */
  async client<S extends ServiceName>(service: S, region: string): Promise<Services[S]> {
    const key = `${service} ${region}`;
    let made = this.#clients.get(key);
    if (made === undefined) {
      made = this.#make(service, region);
      this.#clients.set(key, made);
    }
    // The table of services maps classes to services.
    return (await made) as unknown as Services[S];
  }

  /** An object with the methods of a client, which loads that when one is called. */
  #facade(service: ServiceName, region: string, caller: Caller): object {
    const { signal: run, log = this.#log } = caller;
    return new Proxy(Object.create(null), {
      get: (_, method) => {
        // Must not look like a promise.
        if (typeof method !== 'string' || method === 'then') return undefined;
        return async (input: object = {}) => {
          const attempt = this.#attempt.getStore();
          const signal = attempt ?? run;
          signal.throwIfAborted();
          const operation = `${method.charAt(0).toUpperCase()}${method.slice(1)}`;
          const { id } = SERVICES[service];
          const asking: Asking = { ...caller, signal, operation: `${id} ${operation}` };
          const around = { 'aws.service': id, 'aws.operation': operation, 'aws.region': region };
          try {
            const client: object = await this.client(service, region);
            const call: unknown = Reflect.get(client, method);
            if (typeof call !== 'function') throw new TypeError(`${id} has no ${operation}`);
            log.debug('HTTP Request Sent', { ...around, input: maskedInput(input) });
            const answer = await this.#asking.run(asking, async () =>
              // Methods of clients take input and options, and return objects.
              (call as Call).call(client, input, {
                abortSignal: attempt && this.#givenUp.of(attempt, run),
              }),
            );
            log.debug('HTTP Response Received', { ...around, ...metadataOf(answer) });
            return answer;
          } catch (problem) {
            if (signal.aborted) throw signal.reason;
            const error = new AwsError(id, operation, problem);
            const { code, status, requestId } = error;
            const facts = { code, 'http.status_code': status, 'aws.request_id': requestId };
            log.debug('HTTP Response Received', { ...around, ...facts });
            throw error;
          } finally {
            if (asking.isReported === true) caller.progress?.('');
          }
        };
      },
    });
  }

  async #make(service: ServiceName, region: string): Promise<Client> {
    const { Client } = await SERVICES[service].load();
    const settings = this.#settings;
    const endpoint = settings.endpoints[service];
    const made = new Client({
      ...this.#common,
      region: (service === 'sts' ? settings.stsRegion : undefined) ?? region,
      credentials: this.#credentials,
      retryStrategy: this.#retryStrategy(service),
      ...(endpoint !== undefined && {
        endpoint: endpoint.includes('://') ? endpoint : `https://${endpoint}`,
      }),
      ...(service === 's3' && {
        forcePathStyle: settings.s3PathStyle,
        useGlobalEndpoint: settings.s3GlobalEndpoint,
        // Servers with an S3-compatible interface may not support newer checksums, and no operation here needs them.
        requestChecksumCalculation: 'WHEN_REQUIRED',
        responseChecksumValidation: 'WHEN_REQUIRED',
        followRegionRedirects: true,
        expectContinueHeader: false,
      }),
    });
    // Its methods are looked up by name.
    return made as Client;
  }

  #retryStrategy(service: ServiceName): AwsRetryStrategy {
    const { clock, random } = this.#host;
    const { maxRetries, retryCapacity, retryMode } = this.#settings;
    return new AwsRetryStrategy({
      clock,
      random,
      maxRetries,
      capacity: retryCapacity,
      limiter: retryMode === 'adaptive' ? new this.#transport.DefaultRateLimiter() : undefined,
      alsoRetryable: SERVICE_RETRIES[service],
      caller: () => this.#asking.getStore(),
      onRetry: (retry) => this.#tellRetry(service, retry),
    });
  }

  /** Logs a retry; a long series of retries is also a warning, and part of the progress that users see. */
  #tellRetry(service: ServiceName, { count, most, delayMs, reason, failed }: Retry): void {
    const asking = this.#asking.getStore();
    const log = asking?.log ?? this.#log;
    log.debug('request is tried again', { 'aws.service': service, count, delayMs, reason });
    if (asking === undefined) return;
    const now = this.#host.clock.monotonicMs();
    asking.failedAt ??= now;
    if (now + delayMs - asking.failedAt < SILENT_RETRIES) return;
    const why = [failed.code, failed.message].filter((text) => text !== '').join(': ');
    const note = `retrying ${asking.operation}, attempt ${count + 1} of ${most + 1}: ${why}`;
    asking.progress?.(note);
    if (asking.isReported !== true) log.warn(note, { count, delayMs, reason });
    asking.isReported = true;
  }
}

function isService(name: string): name is ServiceName {
  return Object.hasOwn(SERVICES, name);
}

/** The user agent, with the value of `TF_APPEND_USER_AGENT`. */
function userAgent({ environment }: ClientHost): [string, string][] {
  const more = (environment.get('TF_APPEND_USER_AGENT') ?? '').trim();
  const products = more === '' ? [] : more.split(/\s+/);
  return [
    ['terrane-provider-aws', '6.25.0'],
    ...products.map((product): [string, string] => {
      const [name = product, version = ''] = product.split('/', 2);
      return [name, version];
    }),
  ];
}

function metadataOf(answer: object): Readonly<Record<string, unknown>> {
  const metadata: unknown = Reflect.get(answer, '$metadata');
  if (typeof metadata !== 'object' || metadata === null) return {};
  return {
    'http.status_code': Reflect.get(metadata, 'httpStatusCode'),
    'aws.request_id': Reflect.get(metadata, 'requestId'),
    attempts: Reflect.get(metadata, 'attempts'),
  };
}
