import type { Client, ServiceError } from '@grpc/grpc-js';
import type { Clock } from '@terrane/host';
import { certificatePem } from '../process/certificate.ts';
import type { Handshake } from '../process/handshake.ts';
import { PluginError } from '../process/plugin-error.ts';
import { quoteStderr, startProcess } from '../process/plugin-process.ts';
import type { PluginPorts, PluginProcess } from '../process/plugin-process.ts';
import { StderrTail } from '../process/stderr-tail.ts';
import { callPath } from '../wire/call-path.ts';
import { loadCodec } from '../wire/definitions.ts';
import type { Codec, ProtocolVersion } from '../wire/definitions.ts';
import type { ActionEvent, Calls, StdioData } from '../wire/messages.ts';

/** A call that failed as a call; what a provider reports is in its answer. */
export class CallError extends Error {
  /** gRPC status code: 1 cancelled, 12 not implemented, 14 unavailable */
  readonly code: number;
  /** name of the call in version 6 */
  readonly call: string;

  constructor(call: string, code: number, message: string) {
    super(message);
    this.call = call;
    this.code = code;
  }
}

/** How long a plugin may take to end by itself, and to answer that it will. */
const STOP_LIMIT_MS = 2_000;
/** How long the end of a process may come after the end of its connection. */
const CRASH_LIMIT_MS = 1_000;

/** A connection to one process of a plugin. */
export class Connection {
  readonly version: ProtocolVersion;
  readonly #client: Client;
  readonly #codec: Codec;
  readonly #process: PluginProcess | undefined;
  readonly #stderr: StderrTail;
  readonly #clock: Clock;
  #ended: number | undefined;
  #stdio: { cancel(): void } | undefined;
  #closing: Promise<void> | undefined;

  private constructor(
    version: ProtocolVersion,
    client: Client,
    codec: Codec,
    clock: Clock,
    process: PluginProcess | undefined,
  ) {
    this.version = version;
    this.#client = client;
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
      const connection = await Connection.#open(process.handshake, ports.clock, process);
      connection.#readStdio();
      return connection;
    } catch (error) {
      process.program.kill();
      await process.program.ended;
      throw error;
    }
  }

  /** Connects to a plugin that somebody else has started and will end. */
  static attach(handshake: Handshake, ports: Pick<PluginPorts, 'clock'>): Promise<Connection> {
    return Connection.#open(handshake, ports.clock, undefined);
  }

  static async #open(
    handshake: Handshake,
    clock: Clock,
    process: PluginProcess | undefined,
  ): Promise<Connection> {
    const [grpc, codec] = await Promise.all([
      import('@grpc/grpc-js'),
      loadCodec(handshake.version),
    ]);
    const target =
      handshake.network === 'unix' ? `unix:${handshake.address}` : `ipv4:${handshake.address}`;
    const credentials =
      process?.certificate === undefined
        ? grpc.credentials.createInsecure()
        : grpc.credentials.createSsl(
            Buffer.from(certificatePem(Buffer.from(handshake.certificate ?? '', 'base64'))),
            Buffer.from(process.certificate.key),
            Buffer.from(process.certificate.certificate),
          );
    const client = new grpc.Client(
      handshake.network === 'tcp' && !/^[\d.]+:\d+$/.test(handshake.address)
        ? `dns:${handshake.address}`
        : target,
      credentials,
      {
        // Schemas and values may be of any size.
        'grpc.max_receive_message_length': -1,
        'grpc.max_send_message_length': -1,
        'grpc.ssl_target_name_override': 'localhost',
        'grpc.default_authority': 'localhost',
        // The plugin is on this machine, whatever proxy the environment names.
        'grpc.enable_http_proxy': 0,
        'grpc.enable_retries': 0,
        'grpc.use_local_subchannel_pool': 1,
      },
    );
    return new Connection(handshake.version, client, codec, clock, process);
  }

  /** The process has ended, or was told to. */
  get isClosed(): boolean {
    return this.#ended !== undefined || this.#closing !== undefined;
  }

  /** The process has ended by itself. */
  get hasCrashed(): boolean {
    return this.#ended !== undefined && this.#closing === undefined;
  }

  /** Makes a call. @throws CallError */
  async call<K extends keyof Calls>(
    name: K,
    request: Calls[K]['request'],
  ): Promise<Calls[K]['response']> {
    // The codec knows messages by name only.
    return (await this.#unary(this.#path(name), name, request)) as Calls[K]['response'];
  }

  /** Runs an action; resolves with the event that ends it, or undefined where none came. @throws CallError */
  async invokeAction(
    request: Calls['PlanAction']['request'],
    progress: (message: string) => void,
  ): Promise<ActionEvent['completed'] | undefined> {
    const name = 'InvokeAction';
    let completed: ActionEvent['completed'];
    await new Promise<void>((resolve, reject) => {
      const stream = this.#client.makeServerStreamRequest(
        this.#path(name),
        (message: object) => Buffer.from(this.#codec.encode(`${name}.Request`, message)),
        (bytes: Buffer) => this.#codec.decode(`${name}.Event`, bytes) as ActionEvent,
        request,
      );
      stream.on('data', (event: ActionEvent) => {
        if (event.progress != null) progress(event.progress.message ?? '');
        if (event.completed != null) completed = event.completed;
      });
      stream.on('error', (error: ServiceError) =>
        reject(new CallError(name, error.code, error.details)),
      );
      stream.on('end', resolve);
    });
    return completed;
  }

  /**
   * How the process fares, to be put at the end of the message about a call that got no answer: whether it
   * has ended, and what it wrote to its standard error. Empty where there is nothing to tell.
   */
  async lastWords(): Promise<string> {
    const process = this.#process;
    if (process === undefined) return '';
    await this.#within(process.program.ended, CRASH_LIMIT_MS);
    const end =
      this.#ended === undefined ? '' : `\n\nThe plugin's process ended with code ${this.#ended}.`;
    return `${end}${quoteStderr(this.#stderr)}`;
  }

  /** Asks the plugin to end what it is doing; a plugin that does not answer is left alone. */
  async stop(): Promise<void> {
    if (this.isClosed) return;
    const asked = this.call('StopProvider', {}).catch(() => undefined);
    await this.#within(asked, STOP_LIMIT_MS);
  }

  /** Ends the process: politely first, by force after two seconds. One that somebody else started goes on. */
  close(): Promise<void> {
    this.#closing ??= this.#close();
    return this.#closing;
  }

  async #close(): Promise<void> {
    const process = this.#process;
    if (process !== undefined && this.#ended === undefined) {
      const path = '/plugin.GRPCController/Shutdown';
      // Its answer often does not come, as the process ends while it is sent.
      const asked = this.#unary(path, 'Shutdown', {}).catch(() => undefined);
      this.#stdio?.cancel();
      await this.#within(process.program.ended, STOP_LIMIT_MS);
      process.program.kill();
      await process.program.ended;
      this.#client.close();
      await asked;
      return;
    }
    this.#stdio?.cancel();
    this.#client.close();
  }

  #path(name: string): string {
    return callPath(this.version, name);
  }

  #unary(path: string, name: string, request: object): Promise<object> {
    return new Promise((resolve, reject) => {
      const codec = this.#codec;
      let body: Buffer;
      try {
        body = Buffer.from(codec.encode(`${name}.Request`, request));
      } catch (error) {
        reject(error instanceof Error ? error : new PluginError(String(error)));
        return;
      }
      this.#client.makeUnaryRequest(
        path,
        (bytes: Buffer) => bytes,
        (bytes: Buffer) => codec.decode(`${name}.Response`, bytes),
        body,
        (error, answer) => {
          if (error !== null) reject(new CallError(name, error.code, error.details));
          else if (answer === undefined) reject(new CallError(name, 13, 'no answer'));
          else resolve(answer);
        },
      );
    });
  }

  /** What a plugin writes to its streams once it is up comes by a call. */
  #readStdio(): void {
    const stream = this.#client.makeServerStreamRequest(
      '/plugin.GRPCStdio/StreamStdio',
      (message: object) => Buffer.from(this.#codec.encode('StreamStdio.Request', message)),
      (bytes: Buffer) => this.#codec.decode('StdioData', bytes) as StdioData,
      {},
    );
    let rest = '';
    stream.on('data', ({ channel, data }: StdioData) => {
      if (channel !== 2 || data === undefined) return;
      const lines = (rest + Buffer.from(data).toString()).split('\n');
      rest = lines.pop() ?? '';
      for (const line of lines) this.#stderr.push(line);
    });
    // Not every plugin has this service, and the stream ends with the process.
    stream.on('error', () => {});
    this.#stdio = stream;
  }

  /** Waits for something, but not for ever. */
  async #within(work: Promise<unknown>, limitMs: number): Promise<void> {
    const done = new AbortController();
    const limit = this.#clock.sleep(limitMs, done.signal).catch(() => undefined);
    await Promise.race([work, limit]);
    done.abort();
  }
}
