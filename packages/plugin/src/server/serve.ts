import { nodeHost, ownProcess, errorText } from '@terrane/host';
import type { Host, OwnProcess } from '@terrane/host';
import type { Awaitable, Provider } from '@terrane/provider';
import { makeCertificate } from '../process/certificate.ts';
import type { ProtocolVersion } from '../wire/definitions.ts';
import { Answering } from './answering.ts';
import { CallContexts } from './call-context.ts';
import { listen } from './listen.ts';
import { logLevel, makeLogger } from './log.ts';
import type { Logger } from './log.ts';
import { BY_HAND, COOKIE, highest, readWishes } from './negotiate.ts';
import { PluginServer } from './plugin-server.ts';
import type { Tls } from './plugin-server.ts';
import { providerCalls } from './provider-calls.ts';
import { reattachText } from './reattach-text.ts';
import { RunningPlugin } from './running-plugin.ts';
import { StateStores } from './state-store-calls.ts';
import { StdioBuffer } from './stdio-buffer.ts';

/** The host interfaces of a served provider. */
export interface ServePorts extends Host {
  /** its log, which Terraform and Terrane merge into theirs */
  readonly log: Logger;
}

/** A provider, or a factory of one. */
export type Served = Provider | ((ports: ServePorts) => Awaitable<Provider>);

/** Options of serving a provider. */
export interface ServeOptions {
  /** source address as in `required_providers`: `registry.terraform.io/acme/thing` */
  readonly address: string;
  /**
   * Waits for Terraform to attach with `TF_REATTACH_PROVIDERS`, for debugging; default: true if the command line has
   * `-debug`
   */
  readonly debug?: boolean;
  /** supported versions of the plugin protocol; default: both */
  readonly protocolVersions?: readonly ProtocolVersion[];
  /** the kind of listener; default: a Unix socket, on Windows TCP */
  readonly network?: 'unix' | 'tcp';
}

/**
 * Runs the program as a plugin: the last statement of a provider's main file. Terraform, OpenTofu and Terrane start it
 * like any other. Started manually, it prints a description and exits. The process exits at the host's request, so this
 * never returns in a plugin.
 *
 * The provider's standard output and standard error are written to the log of the host. Its exceptions become
 * diagnostics, with their stack in the log only.
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

/** The surroundings of a served provider. */
interface World {
  readonly process: OwnProcess;
  readonly host: Host;
  /** the existing redirection of the process's output; default: it is redirected now */
  readonly stdio?: StdioBuffer | undefined;
}

/** A plugin before it has a provider. */
interface Startup {
  readonly process: OwnProcess;
  readonly host: Host;
  readonly debug: boolean;
  readonly log: Logger;
  readonly providerLog: Logger;
  readonly contexts: CallContexts;
  readonly stdio: StdioBuffer;
  readonly running: RunningPlugin;
}

/** Runs {@link serve} in a given process and environment. */
export async function serveIn(
  served: Served,
  options: ServeOptions,
  { process, host, stdio: diverted }: World,
): Promise<void> {
  const isHosted = host.environment.get(COOKIE.name) === COOKIE.value;
  // A host that sets the cookie waits for a handshake.
  const debug = !isHosted && (options.debug ?? asksForDebug(process));
  if (!debug && !isHosted) {
    process.write('stderr', BY_HAND);
    process.exit(1);
    return;
  }
  const stdio = diverted ?? new StdioBuffer();
  // Only the handshake line may be written to standard output.
  if (diverted === undefined && !debug) {
    process.divert((stream, bytes) => stdio.push(stream, bytes));
  }
  const log = serveLog(options, debug, process, host);
  const contexts = new CallContexts();
  const running = new RunningPlugin(process, host, log);
  const providerLog = contexts.logger(log);
  const startup: Startup = { process, host, debug, log, providerLog, contexts, stdio, running };
  handleProcessEvents(startup);
  try {
    await start(served, options, startup);
  } catch (error) {
    log.log('error', 'plugin init error', { error });
    // any-error: the host reads the reason for the exit from the plugin's output.
    const reason = errorText(error);
    process.write('stderr', `The provider ${options.address} can't be started: ${reason}\n`);
    running.end(1);
  }
  await running.ended;
}

/** The log of a plugin: lines of JSON for a host, text for a developer. */
function serveLog(
  { address }: ServeOptions,
  debug: boolean,
  process: OwnProcess,
  { environment, clock }: Host,
): Logger {
  const name = address.split('/').at(-1) ?? address;
  return makeLogger({
    clock,
    level: debug && (environment.get('TF_LOG') ?? '') === '' ? 'info' : logLevel(environment, name),
    format: debug ? 'text' : 'json',
    module: 'provider',
    write: (line) => process.write('stderr', line),
  });
}

/** Logs errors that no code catches, and ends at signals if these are for the plugin. */
function handleProcessEvents(startup: Startup): void {
  const { process, debug, log, providerLog, contexts, running } = startup;
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
}

/** Makes the provider, serves it and reports its address. */
async function start(served: Served, options: ServeOptions, startup: Startup): Promise<void> {
  const { process, host, debug, log, providerLog, running } = startup;
  const { environment } = host;
  const versions = options.protocolVersions ?? [5, 6];
  const wishes = readWishes(environment, versions);
  const version = debug ? highest(versions) : wishes.version;
  const provider =
    typeof served === 'function' ? await served({ ...host, log: providerLog }) : served;
  running.provider = provider;
  provider.logTo?.(({ level, message, fields }) => providerLog.log(level, message, fields));
  const tls: Tls =
    debug || wishes.clientCertificate === undefined
      ? undefined
      : {
          certificate: makeCertificate(host.clock, host.random),
          trusted: wishes.clientCertificate,
        };
  const server = await makeServer(provider, version, tls, startup);
  running.server = server;
  const listening = await listen(server, options.network, wishes, host);
  log.log('debug', 'plugin address', { network: listening.network, address: listening.address });
  if (debug) {
    process.write('stdout', reattachText(options.address, version, listening, environment));
    return;
  }
  const certificate = tls === undefined ? '' : bodyOf(tls.certificate.certificate);
  const { network, address } = listening;
  // Without a reader there is no host that could connect.
  process.write('stdout', `1|${version}|${network}|${address}|grpc|${certificate}\n`, () =>
    running.end(0),
  );
  running.watchHost();
}

/** Makes the server of a provider, whose calls stop, and whose process ends, as the client wishes. */
function makeServer(
  provider: Provider,
  version: ProtocolVersion,
  tls: Tls,
  { debug, log, contexts, stdio, running }: Startup,
): Promise<PluginServer> {
  let stop = new AbortController();
  const answering = new Answering(provider);
  const stores = new StateStores(answering);
  const calls = providerCalls(answering, stores, version, () => {
    stop.abort();
    stop = new AbortController();
  });
  return PluginServer.make(
    {
      version,
      calls,
      answering,
      stores,
      contexts,
      log,
      stdio,
      stopSignal: () => stop.signal,
      onCall: () => running.acceptHost(),
      onShutdown: () => {
        if (!debug) running.end(0);
      },
      onDisconnect: () => {
        // The host may have exited without closing the plugin.
        if (!debug) running.watchHost();
      },
    },
    tls,
  );
}

/** A certificate without its frame, as the handshake has it. */
function bodyOf(pem: string): string {
  return pem.replaceAll(/-----[^-]*-----|\s|=/g, '');
}
