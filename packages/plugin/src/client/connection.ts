import type { Duplex } from 'node:stream';
import {
  type Clock,
  LineSplitter,
  type Log,
  type Network,
  pathsOf,
  type TlsOptions,
  userErrorText,
} from '@terrane/host';
import { DeadChannel, GrpcChannel, GrpcError, STATUS } from '../grpc/grpc-channel.ts';
import type { Channel, GrpcStream } from '../grpc/grpc-channel.ts';
import { certificatePem } from '../process/certificate.ts';
import type { Certificate } from '../process/certificate.ts';
import type { Handshake } from '../process/handshake.ts';
import { quoteStderr, startProcess } from '../process/plugin-process.ts';
import type { PluginPorts, PluginProcess } from '../process/plugin-process.ts';
import { StderrTail } from '../process/stderr-tail.ts';
import { callPath } from '../wire/call-path.ts';
import { loadCodec } from '../wire/definitions.ts';
import type { Codec, ProtocolVersion } from '../wire/definitions.ts';
import { MAX_NOTE_LENGTH, PROGRESS_CHANNEL, PROGRESS_HEADER } from '../wire/progress.ts';
import type { AllCalls, StateChunk, StdioData, Streams } from '../wire/messages.ts';

/** A failed call; errors of the provider are in its response instead. */
export class CallError extends Error {
  /** gRPC status code: 1 cancelled, 12 not implemented, 14 unavailable */
  readonly code: number;
  /** name of the call in version 6 */
  readonly call: string;
  /** true if the call had no effect: the plugin did not receive it, or does not implement it */
  readonly isWithoutEffect: boolean;

  constructor(call: string, { code, message, unsent }: GrpcError) {
    super(message);
    this.call = call;
    this.code = code;
    this.isWithoutEffect = unsent || code === STATUS.unimplemented;
  }
}

/** The time limit for connecting to a plugin. */
const CONNECT_LIMIT_MS = 10_000;
/** The time-out for a plugin to exit, and to respond to the stop request. */
const STOP_LIMIT_MS = 2_000;
/** The maximum delay between the end of a connection and the exit of its process. */
const CRASH_LIMIT_MS = 1_000;

/** The maximum length of plugin output in a log entry. */
const MAX_PRINTED = 1_024;

/** The host interfaces for connecting to plugins. */
type ConnectPorts = Pick<PluginPorts, 'clock' | 'network'>;

/** A connection to one process of a plugin. */
export class Connection {
  readonly version: ProtocolVersion;
  readonly #channel: Channel;
  readonly #codec: Codec;
  readonly #process: PluginProcess | undefined;
  readonly #stderr: StderrTail;
  readonly #clock: Clock;
  #ended: number | undefined;
  #stdio: GrpcStream | undefined;
  /** calls with reported progress, by their IDs */
  readonly #noted = new Map<string, (note: string) => void>();
  #lastNoted = 0;
  #broker: GrpcStream | undefined;
  #closing: Promise<void> | undefined;

  private constructor(
    version: ProtocolVersion,
    channel: Channel,
    codec: Codec,
    clock: Clock,
    process: PluginProcess | undefined,
  ) {
    this.version = version;
    this.#channel = channel;
    this.#codec = codec;
    this.#clock = clock;
    this.#process = process;
    this.#stderr = process?.stderr ?? new StderrTail();
    void process?.program.ended.then(({ code }) => {
      this.#ended = code;
    });
  }

  /** Starts the executable of a plugin and connects to it. @throws PluginError */
  static async start(path: string, ports: PluginPorts): Promise<Connection> {
    const process = await startProcess(path, ports);
    try {
      const connection = await Connection.#open(process.handshake, ports, process);
      connection.#readStdio(pathsOf(ports.environment).basename(path), ports.logs?.core);
      connection.#openBroker();
      return connection;
    } catch (error) {
      process.program.kill();
      await process.program.ended;
      throw error;
    }
  }

  /** Connects to a plugin that another program has started and will end. */
  static attach(handshake: Handshake, ports: ConnectPorts): Promise<Connection> {
    return Connection.#open(handshake, ports, undefined);
  }

  static async #open(
    handshake: Handshake,
    ports: ConnectPorts,
    process: PluginProcess | undefined,
  ): Promise<Connection> {
    const [channel, codec] = await Promise.all([
      openChannel(handshake, ports.network, process?.certificate),
      loadCodec(handshake.version),
    ]);
    return new Connection(handshake.version, channel, codec, ports.clock, process);
  }

  /** True if the process has exited or was requested to. */
  get isClosed(): boolean {
    return this.#ended !== undefined || this.#closing !== undefined;
  }

  /** True if the process has exited unexpectedly. */
  get hasCrashed(): boolean {
    return this.#ended !== undefined && this.#closing === undefined;
  }

  /**
   * Sends a call.
   *
   * @param progress receives the cause of a delay, from plugins that report it
   * @throws CallError
   */
  async call<K extends keyof AllCalls>(
    name: K,
    request: AllCalls[K]['request'],
    progress?: (note: string) => void,
  ): Promise<AllCalls[K]['response']> {
    if (progress === undefined) return await this.#known(name, request);
    const key = String(++this.#lastNoted);
    this.#noted.set(key, progress);
    try {
      return await this.#known(name, request, [PROGRESS_HEADER, key]);
    } finally {
      this.#noted.delete(key);
    }
  }

  async #known<K extends keyof AllCalls>(
    name: K,
    request: AllCalls[K]['request'],
    header?: readonly [name: string, value: string],
  ): Promise<AllCalls[K]['response']> {
    // The codec knows messages by name only.
    return (await this.#unary(this.#path(name), name, request, header)) as AllCalls[K]['response'];
  }

  /** Passes on the cause of a delay. The plugin's text is not trusted. */
  #note(text: string): void {
    let sent: unknown;
    try {
      sent = JSON.parse(text);
    } catch {
      return;
    }
    const call: unknown = Reflect.get(Object(sent), 'call');
    const note: unknown = Reflect.get(Object(sent), 'note');
    if (typeof call !== 'string' || typeof note !== 'string') return;
    this.#noted.get(call)?.(note.slice(0, MAX_NOTE_LENGTH));
  }

  /** Sends a call with an empty request; returns its encoded response. @throws CallError */
  async answerTo(name: keyof AllCalls): Promise<Uint8Array> {
    try {
      return await this.#channel.unary(this.#path(name), new Uint8Array());
    } catch (error) {
      throw callErrorOf(name, error);
    }
  }

  /**
   * Sends a call with a stream of responses; resolves at its end. It is cancelled if `onEvent` returns `'enough'`, or
   * throws.
   *
   * @throws CallError
   */
  async stream<K extends keyof Streams>(
    name: K,
    request: Streams[K]['request'],
    onEvent: (event: Streams[K]['event']) => 'enough' | undefined,
    signal?: AbortSignal,
  ): Promise<void> {
    let gaveUp: { readonly error?: unknown } | undefined;
    const stream = this.#channel.open(this.#path(name), (bytes) => {
      if (gaveUp !== undefined) return;
      try {
        const event = this.#codec.decode(`${name}.Event`, bytes) as Streams[K]['event'];
        if (onEvent(event) === 'enough') gaveUp = {};
      } catch (error) {
        gaveUp = { error };
      }
      if (gaveUp !== undefined) stream.cancel();
    });
    stream.send(this.#codec.encode(`${name}.Request`, request));
    stream.end();
    const giveUp = (): void => {
      gaveUp ??= {};
      stream.cancel();
    };
    signal?.addEventListener('abort', giveUp, { once: true });
    try {
      await stream.ended;
    } catch (error) {
      if (gaveUp === undefined) throw callErrorOf(name, error);
    } finally {
      signal?.removeEventListener('abort', giveUp);
    }
    if (gaveUp !== undefined && 'error' in gaveUp) throw gaveUp.error;
  }

  /** Sends a state in chunks; resolves with the single response. @throws CallError */
  async writeState(chunks: Iterable<StateChunk>): Promise<AllCalls['UnlockState']['response']> {
    const name = 'WriteStateBytes';
    let answer: object = {};
    const stream = this.#channel.open(this.#path(name), (bytes) => {
      answer = this.#codec.decode(`${name}.Response`, bytes);
    });
    for (const chunk of chunks) stream.send(this.#codec.encode(`${name}.Request`, chunk));
    stream.end();
    try {
      await stream.ended;
    } catch (error) {
      throw callErrorOf(name, error);
    }
    return answer;
  }

  /**
   * Returns the state of the process for the error of a call without response: whether it has exited, and its standard
   * error. Empty if there is neither.
   */
  async lastWords(): Promise<string> {
    const process = this.#process;
    if (process === undefined) return '';
    await this.#within(process.program.ended, CRASH_LIMIT_MS);
    const end =
      this.#ended === undefined ? '' : `\n\nThe plugin's process ended with code ${this.#ended}.`;
    return `${end}${quoteStderr(this.#stderr)}`;
  }

  /** Requests the plugin to cancel its operations; a plugin that does not respond is ignored. */
  async stop(): Promise<void> {
    if (this.isClosed) return;
    const stopping = this.call('StopProvider', {}).catch(() => undefined);
    await this.#within(stopping, STOP_LIMIT_MS);
  }

  /** Ends the process: first by request, by force after two seconds. A process of another program continues. */
  close(): Promise<void> {
    this.#closing ??= this.#close();
    return this.#closing;
  }

  /** Ends the process by force. A process of another program continues. */
  kill(): Promise<void> {
    if (this.#closing !== undefined) this.#process?.program.kill();
    this.#closing ??= this.#kill();
    return this.#closing;
  }

  async #kill(): Promise<void> {
    this.#process?.program.kill();
    await this.#process?.program.ended;
    this.#channel.close();
  }

  async #close(): Promise<void> {
    const process = this.#process;
    if (process !== undefined && this.#ended === undefined) {
      const path = '/plugin.GRPCController/Shutdown';
      // The response is often lost, as the process exits while it is sent.
      const shutdown = this.#unary(path, 'Shutdown', {}).catch(() => undefined);
      this.#stdio?.cancel();
      this.#broker?.cancel();
      await this.#within(process.program.ended, STOP_LIMIT_MS);
      process.program.kill();
      await process.program.ended;
      this.#channel.close();
      await shutdown;
      return;
    }
    this.#stdio?.cancel();
    this.#broker?.cancel();
    this.#channel.close();
  }

  #path(name: string): string {
    return callPath(this.version, name);
  }

  async #unary(
    path: string,
    name: string,
    request: object,
    header?: readonly [name: string, value: string],
  ): Promise<object> {
    const body = this.#codec.encode(`${name}.Request`, request);
    let answer: Buffer;
    try {
      answer = await this.#channel.unary(path, body, header);
    } catch (error) {
      throw callErrorOf(name, error);
    }
    return this.#codec.decode(`${name}.Response`, answer);
  }

  /** Reads the standard streams of a running plugin, which it sends by a call. */
  #readStdio(program: string, log: Log | undefined): void {
    const lines = new LineSplitter((line) => this.#stderr.push(line));
    // Not every plugin has this service, and the stream ends with the process.
    const stream = this.#channel.open('/plugin.GRPCStdio/StreamStdio', (bytes) => {
      const { channel, data } = this.#codec.decode('StdioData', bytes) as StdioData;
      if (data === undefined) return;
      const text = Buffer.from(data).toString();
      if (channel === PROGRESS_CHANNEL) {
        this.#note(text);
        return;
      }
      // Output here is unexpected, such as that of debugging.
      const shownText = text.length > MAX_PRINTED ? `${text.slice(0, MAX_PRINTED)}...` : text;
      const name = `${program}:${channel === 2 ? 'stderr' : 'stdout'}`;
      log?.write('warn', '', 'unexpected data', { [name]: shownText.trim() });
      if (channel === 2) lines.write(data);
    });
    stream.send(this.#codec.encode('StreamStdio.Request', {}));
    stream.end();
    this.#stdio = stream;
  }

  /**
   * Plugins may offer further connections by this stream, and some wait until it is open. Providers do not need any, so
   * its messages are ignored.
   */
  #openBroker(): void {
    this.#broker = this.#channel.open('/plugin.GRPCBroker/StartStream', () => {});
  }

  /** Waits for a promise, with a time limit. */
  async #within(work: Promise<unknown>, limitMs: number): Promise<void> {
    const completed = new AbortController();
    const limit = this.#clock.sleep(limitMs, completed.signal).catch(() => undefined);
    await Promise.race([work, limit]);
    completed.abort();
  }
}

/** Converts a gRPC error to the error of a call, by its name in version 6; other errors are unchanged. */
function callErrorOf(call: string, error: unknown): unknown {
  return error instanceof GrpcError ? new CallError(call, error) : error;
}

/** Connects to a plugin. If it is unreachable, each call fails with the reason. */
async function openChannel(
  handshake: Handshake,
  network: Network,
  clientCertificate: Certificate | undefined,
): Promise<Channel> {
  try {
    if (clientCertificate === undefined)
      return new GrpcChannel(await connect(handshake, network), false);
    const trusted = certificatePem(Buffer.from(handshake.certificate ?? '', 'base64'));
    const { certificate, key } = clientCertificate;
    const options = { trusted, certificate, key, serverName: 'localhost', protocols: ['h2'] };
    if (handshake.network === 'unix') return await secureLocal(handshake.address, network, options);
    const socket = await connect(handshake, network);
    return new GrpcChannel(await network.secure(socket, options), true);
  } catch (error) {
    const reason = userErrorText(error);
    return new DeadChannel(new GrpcError(STATUS.unavailable, reason, true));
  }
}

async function secureLocal(
  path: string,
  network: Network,
  options: TlsOptions,
): Promise<GrpcChannel> {
  // Data can arrive before the channel exists.
  const early: Buffer[] = [];
  let receive = (bytes: Buffer): void => void early.push(Buffer.from(bytes));
  const onBytes = (bytes: Buffer): void => receive(bytes);
  const socket = await network.connectLocal(path, { ...options, onBytes });
  const channel = new GrpcChannel(socket, true);
  receive = (bytes) => channel.receive(bytes);
  for (const bytes of early) channel.receive(bytes);
  return channel;
}

async function connect({ network, address }: Handshake, ports: Network): Promise<Duplex> {
  if (network === 'unix') return await ports.connectLocal(address);
  const end = address.lastIndexOf(':');
  const host = address.slice(0, end).replaceAll(/^\[|\]$/g, '');
  return await ports.connect(host, Number(address.slice(end + 1)), {
    noDelay: true,
    timeoutMs: CONNECT_LIMIT_MS,
  });
}
