import { join } from 'node:path';
import { nodeHost, ownProcess, errorText } from '@terrane/host';
import type { Host, OwnProcess } from '@terrane/host';
import type { Awaitable, Provider } from '@terrane/provider';
import { makeCertificate } from '../process/certificate.ts';
import type { ProtocolVersion } from '../wire/definitions.ts';
import { Answering } from './answering.ts';
import { CallContexts } from './call-context.ts';
import { logLevel, makeLogger } from './log.ts';
import type { Logger } from './log.ts';
import { BY_HAND, COOKIE, highest, readWishes } from './negotiate.ts';
import { PluginServer } from './plugin-server.ts';
import type { Listening, Tls } from './plugin-server.ts';
import { providerCalls } from './provider-calls.ts';
import { reattachText } from './reattach-text.ts';
import { StateStores } from './state-store-calls.ts';
import { StdioBuffer } from './stdio-buffer.ts';

/** The host interfaces of a served provider. */
export interface ServePorts extends Host {
  /** its log, which Terraform and Terrane put into theirs */
  readonly log: Logger;
}

/** A provider, or a factory of one. */
export type Served = Provider | ((ports: ServePorts) => Awaitable<Provider>);

/** Options of serving a provider. */
export interface ServeOptions {
  /** source address as users write it in `required_providers`: `registry.terraform.io/acme/thing` */
  readonly address: string;
  /**
   * Waits for Terraform to attach with `TF_REATTACH_PROVIDERS`, for debugging; default: true if the command line has
   * `-debug`
   */
  readonly debug?: boolean;
  /** versions of the plugin protocol that are spoken; default: both */
  readonly protocolVersions?: readonly ProtocolVersion[];
  /** how to listen; default: on a unix socket, but on Windows TCP */
  readonly network?: 'unix' | 'tcp';
}

/**
 * Makes the program a plugin: what a provider's main file ends with. Terraform, OpenTofu and Terrane start it
 * like any other. Started by hand, it says what it is and ends. The process ends when they tell it to, so
 * this never returns in a plugin.
 *
 * What the provider writes to standard output and standard error goes to the log of whoever started it. Errors
 * that it throws become diagnostics, with their stack in the log only.
 */
export function serve(provider: Served, options: ServeOptions): Promise<void> {
  return serveIn(provider, options, { process: PROCESS, host: HOST, stdio: STDIO });
}

const PROCESS = ownProcess();
const HOST = nodeHost();
const STDIO = divertEarly(PROCESS, HOST);

/**
 * Keeps standard output clean from the moment this module is loaded: modules that are loaded before `serve` is called
 * may print, and the first line of a plugin must be its handshake.
 */
function divertEarly(process: OwnProcess, host: Host): StdioBuffer | undefined {
  if (host.environment.get(COOKIE.name) !== COOKIE.value) return undefined;
  const stdio = new StdioBuffer();
  process.divert((stream, bytes) => stdio.push(stream, bytes));
  return stdio;
}

function asksForDebug({ args }: OwnProcess): boolean {
  return args.some((arg) => arg === '-debug' || arg === '--debug');
}

/** The time limit for a provider to stop before the process exits. */
const END_LIMIT_MS = 1_500;
/** The interval at which the process checks that its host is alive. */
const HOST_CHECK_MS = 1_000;
/** Sockets have short names: 108 bytes in Linux, 104 in macOS. */
const LONGEST_SOCKET = 100;

/** {@link serve} in a given process and world. */
export async function serveIn(
  served: Served,
  options: ServeOptions,
  world: {
    readonly process: OwnProcess;
    readonly host: Host;
    /** where the output of the process goes already; default: it is diverted now */
    readonly stdio?: StdioBuffer | undefined;
  },
): Promise<void> {
  const { process, host } = world;
  const { environment, clock } = host;
  const versions = options.protocolVersions ?? [5, 6];
  const cookie = environment.get(COOKIE.name) === COOKIE.value;
  // A host that sets the cookie waits for a handshake.
  const debug = !cookie && (options.debug ?? asksForDebug(process));
  const name = options.address.split('/').at(-1) ?? options.address;
  const log = makeLogger({
    clock,
    level: debug && (environment.get('TF_LOG') ?? '') === '' ? 'info' : logLevel(environment, name),
    format: debug ? 'text' : 'json',
    module: 'provider',
    write: (line) => process.write('stderr', line),
  });
  if (!debug && !cookie) {
    process.write('stderr', BY_HAND);
    process.exit(1);
    return;
  }
  const stdio = world.stdio ?? new StdioBuffer();
  // Nothing but our first line may reach standard output.
  if (world.stdio === undefined && !debug) {
    process.divert((stream, bytes) => stdio.push(stream, bytes));
  }

  const parent = process.parentPid();
  const contexts = new CallContexts();
  const providerLog = contexts.logger(log);
  const running = new Running(process, host, log);
  process.onUncaught((error, origin) => {
    const context = contexts.current();
    providerLog.log('error', `uncaught ${origin} in the provider`, { error });
    // The call does not await the throwing code, so it would never end.
    if (origin === 'exception') context?.fail(error);
  });
  process.onSignal((signal) => {
    // A terminal sends it to the plugin too, but the host decides when the plugin ends.
    if (debug || signal === 'SIGTERM') running.end(0);
    else log.log('debug', `${signal} is ignored`);
  });

  try {
    const wishes = readWishes(environment, versions);
    const version = debug ? highest(versions) : wishes.version;
    const provider =
      typeof served === 'function' ? await served({ ...host, log: providerLog }) : served;
    running.provider = provider;
    provider.logTo?.(({ level, message, fields }) => providerLog.log(level, message, fields));
    let stop = new AbortController();
    const answering = new Answering(provider);
    const stores = new StateStores(answering);
    const calls = providerCalls(answering, stores, version, () => {
      stop.abort();
      stop = new AbortController();
    });
    const tls: Tls =
      debug || wishes.clientCertificate === undefined
        ? undefined
        : { certificate: makeCertificate(clock, host.random), trusted: wishes.clientCertificate };
    const server = await PluginServer.make(
      {
        version,
        calls,
        answering,
        stores,
        contexts,
        log,
        stdio,
        stopSignal: () => stop.signal,
        onShutdown: () => {
          if (!debug) running.end(0);
        },
        onLeft: () => {
          // The host has exited without closing the plugin.
          if (!debug && process.parentPid() !== parent) running.end(0);
        },
      },
      tls,
    );
    running.server = server;
    const listening = await listen(server, options.network, wishes, host);
    log.log('debug', 'plugin address', { network: listening.network, address: listening.address });
    if (debug) {
      process.write('stdout', reattachText(options.address, version, listening, environment));
    } else {
      const certificate = tls === undefined ? '' : bodyOf(tls.certificate.certificate);
      const { network, address } = listening;
      // A host that ended meanwhile never connects, so no connection of it can end.
      process.write('stdout', `1|${version}|${network}|${address}|grpc|${certificate}\n`, () =>
        running.end(0),
      );
      void running.watchHost(() => process.parentPid() === parent);
    }
  } catch (error) {
    log.log('error', 'plugin init error', { error });
    // any-error: the host reads the reason for the exit from the plugin's output.
    const reason = errorText(error);
    process.write('stderr', `The provider ${options.address} can't be started: ${reason}\n`);
    running.end(1);
  }
  await running.ended;
}

/** Resources to release when the process exits. */
class Running {
  readonly ended: Promise<void>;
  provider: Provider | undefined;
  server: PluginServer | undefined;
  readonly #process: OwnProcess;
  readonly #host: Host;
  readonly #log: Logger;
  #tellEnded: () => void = () => {};
  #ending = false;
  readonly #watching = new AbortController();

  constructor(process: OwnProcess, host: Host, log: Logger) {
    this.#process = process;
    this.#host = host;
    this.#log = log;
    this.ended = new Promise((resolve) => {
      this.#tellEnded = resolve;
    });
  }

  /** Ends the process when the host is no longer alive. */
  async watchHost(isAlive: () => boolean): Promise<void> {
    while (!this.#ending) {
      await this.#host.clock.sleep(HOST_CHECK_MS, this.#watching.signal).catch(() => undefined);
      if (!isAlive()) this.end(0);
    }
  }

  /** Closes the provider, which may take a moment, and ends the process. */
  end(code: number): void {
    if (this.#ending) return;
    this.#ending = true;
    this.#watching.abort();
    void this.#end(code);
  }

  async #end(code: number): Promise<void> {
    const waited = new AbortController();
    try {
      await Promise.race([
        this.provider?.close(),
        this.#host.clock.sleep(END_LIMIT_MS, waited.signal),
      ]);
    } catch (error) {
      this.#log.log('error', 'the provider failed to close', { error });
    }
    waited.abort();
    this.server?.close();
    this.#tellEnded();
    this.#process.exit(code);
  }
}

async function listen(
  server: PluginServer,
  network: ServeOptions['network'],
  wishes: ReturnType<typeof readWishes>,
  host: Host,
): Promise<Listening> {
  const { environment, random } = host;
  const tcp = network === 'tcp' || (network === undefined && environment.platform === 'win32');
  if (!tcp) {
    const directory = wishes.socketDirectory ?? temporaryDirectory(environment);
    const unique = Buffer.from(random.bytes(6)).toString('hex');
    const path = join(directory, `plugin${unique}`);
    if (network === 'unix' || Buffer.byteLength(path) <= LONGEST_SOCKET) {
      return await server.listenUnix(path);
    }
  }
  return await server.listenTcp(wishes.ports);
}

function temporaryDirectory(environment: Host['environment']): string {
  const named = environment.get('TMPDIR') ?? '';
  return named === '' ? '/tmp' : named;
}

/** A certificate without its frame, as the handshake has it. */
function bodyOf(pem: string): string {
  return pem.replaceAll(/-----[^-]*-----|\s|=/g, '');
}
