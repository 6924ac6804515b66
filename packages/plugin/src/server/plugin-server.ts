import { once } from 'node:events';
import type { Server, sendUnaryData, UntypedServiceImplementation } from '@grpc/grpc-js';
import { errorText } from '@terrane/host';
import type { Certificate } from '../process/certificate.ts';
import { callPath } from '../wire/call-path.ts';
import { loadCodec } from '../wire/definitions.ts';
import type { Codec, ProtocolVersion } from '../wire/definitions.ts';
import type { ActionEvent, AllCalls, StateChunk, Streams } from '../wire/messages.ts';
import { invokeAction } from './action-calls.ts';
import { Refused } from './answering.ts';
import type { Answering, CallHandlers } from './answering.ts';
import type { CallContext, CallContexts } from './call-context.ts';
import { failedAnswer } from './failed-answer.ts';
import { listResource } from './list-calls.ts';
import { hostServices } from './host-services.ts';
import type { HostServiceParts } from './host-services.ts';
import type { Logger } from './log.ts';
import type { InStream, Method, OutStream, UnaryCall } from './method.ts';
import { readState, writeState } from './state-store-calls.ts';
import type { StateStores } from './state-store-calls.ts';
import { PROGRESS_HEADER } from '../wire/progress.ts';

/** Dependencies of a plugin server. */
export interface ServerParts extends HostServiceParts {
  readonly version: ProtocolVersion;
  /** the unary calls */
  readonly calls: CallHandlers;
  readonly answering: Answering;
  readonly stores: StateStores;
  readonly contexts: CallContexts;
  readonly log: Logger;
  /** aborted to cancel all running calls; later calls get a new signal */
  readonly stopSignal: () => AbortSignal;
  /** a client is connected and calls */
  readonly onCall: () => void;
}

/** The address of a server: the path of a socket, or a TCP address with a port. */
export type Listening = { readonly network: 'unix' | 'tcp'; readonly address: string };

/** Our certificate and the only one that we trust; undefined: no TLS. */
export type Tls = { readonly certificate: Certificate; readonly trusted: string } | undefined;

/** The gRPC server of a plugin: its provider, and the services of go-plugin around it. */
export class PluginServer {
  readonly #server: Server;
  readonly #parts: ServerParts;
  readonly #codec: Codec;
  readonly #credentials: Parameters<Server['bindAsync']>[1];

  private constructor(
    server: Server,
    credentials: Parameters<Server['bindAsync']>[1],
    codec: Codec,
    parts: ServerParts,
  ) {
    this.#server = server;
    this.#credentials = credentials;
    this.#codec = codec;
    this.#parts = parts;
    this.#add(this.#providerMethods());
    this.#add(hostServices(parts));
  }

  /** Loads the libraries, which takes most of the time that a plugin needs to start. */
  static async make(parts: ServerParts, tls: Tls): Promise<PluginServer> {
    const [grpc, codec] = await Promise.all([import('@grpc/grpc-js'), loadCodec(parts.version)]);
    // Its messages, such as about a port in use, are in our log.
    grpc.setLogVerbosity(grpc.logVerbosity.NONE);
    const server = new grpc.Server({
      // Schemas and values may be of any size.
      'grpc.max_receive_message_length': -1,
      'grpc.max_send_message_length': -1,
    });
    const credentials =
      tls === undefined
        ? grpc.ServerCredentials.createInsecure()
        : grpc.ServerCredentials.createSsl(
            Buffer.from(tls.trusted),
            [
              {
                private_key: Buffer.from(tls.certificate.key),
                cert_chain: Buffer.from(tls.certificate.certificate),
              },
            ],
            true,
          );
    return new PluginServer(server, credentials, codec, parts);
  }

  /** Listens on a socket. @throws Error if it cannot be created */
  async listenUnix(path: string): Promise<Listening> {
    await this.#bind(`unix:${path}`);
    return { network: 'unix', address: path };
  }

  /** Listens on the first free port. @throws Error if there is none */
  async listenTcp({
    min,
    max,
  }: {
    readonly min: number;
    readonly max: number;
  }): Promise<Listening> {
    for (let port = min; port <= max; port++) {
      try {
        return { network: 'tcp', address: `127.0.0.1:${await this.#bind(`127.0.0.1:${port}`)}` };
      } catch (error) {
        this.#parts.log.log('debug', 'port is taken', { port, error });
      }
    }
    throw new Error("couldn't bind plugin TCP listener");
  }

  /** Closes at once: pending calls fail. */
  close(): void {
    this.#server.forceShutdown();
  }

  #bind(address: string): Promise<number> {
    return new Promise((resolve, reject) =>
      this.#server.bindAsync(address, this.#credentials, (error, port) =>
        error === null ? resolve(port) : reject(error),
      ),
    );
  }

  #providerMethods(): Method[] {
    const { calls, version } = this.#parts;
    // The names of the table are the names of the calls.
    const names = Object.keys(calls) as (keyof AllCalls)[];
    const methods: Method[] = names.map((name) => ({
      path: callPath(version, name),
      request: `${name}.Request`,
      response: `${name}.Response`,
      handle: (call: UnaryCall, done: sendUnaryData<object>) => {
        void this.#answer(name, call).then((answer) => done(null, answer));
      },
    }));
    methods.push({
      path: callPath(version, 'InvokeAction'),
      request: 'InvokeAction.Request',
      response: 'InvokeAction.Event',
      kind: 'out',
      handle: (stream: OutStream) => void this.#invoke(stream),
    });
    methods.push({
      path: callPath(version, 'ListResource'),
      request: 'ListResource.Request',
      response: 'ListResource.Event',
      kind: 'out',
      handle: (stream: OutStream) => void this.#list(stream),
    });
    methods.push({
      path: callPath(version, 'ReadStateBytes'),
      request: 'ReadStateBytes.Request',
      response: 'ReadStateBytes.Event',
      kind: 'out',
      handle: (stream: OutStream) => void this.#readState(stream),
    });
    methods.push({
      path: callPath(version, 'WriteStateBytes'),
      request: 'WriteStateBytes.Request',
      response: 'WriteStateBytes.Response',
      kind: 'in',
      handle: (stream: InStream, done: sendUnaryData<object>) => {
        void this.#writeState(stream).then((answer) => done(null, answer));
      },
    });
    return methods;
  }

  #add(methods: readonly Method[]): void {
    const codec = this.#codec;
    const implementation: UntypedServiceImplementation = {};
    for (const { path, handle } of methods) {
      // The library knows which of its four kinds of calls a handler is for by the definition only.
      const handler = handle as (...call: unknown[]) => void;
      implementation[path] = (...call: unknown[]) => {
        this.#parts.onCall();
        handler(...call);
      };
    }
    this.#server.addService(
      Object.fromEntries(
        methods.map(({ path, request, response, kind }) => [
          path,
          {
            path,
            requestStream: kind === 'both' || kind === 'in',
            responseStream: kind === 'both' || kind === 'out',
            requestSerialize: (message: object) => Buffer.from(codec.encode(request, message)),
            requestDeserialize: (bytes: Buffer) => codec.decode(request, bytes),
            responseSerialize: (message: object) => Buffer.from(codec.encode(response, message)),
            responseDeserialize: (bytes: Buffer) => codec.decode(response, bytes),
          },
        ]),
      ),
      implementation,
    );
  }

  /** Returns the response of the provider, or a response with diagnostics. */
  #answer<K extends keyof AllCalls>(name: K, call: UnaryCall): Promise<object> {
    // Requests are decoded by the name of the call.
    const request = call.request as AllCalls[K]['request'];
    return this.#within(name, request, call, async (context) => {
      // A call that stops the others is not stopped itself.
      const [key] = call.metadata.get(PROGRESS_HEADER);
      const progress =
        typeof key === 'string' ? (note: string) => this.#parts.stdio.note(key, note) : undefined;
      return await this.#parts.calls[name](request, { ...context, progress });
    });
  }

  async #invoke(stream: OutStream): Promise<void> {
    const request = stream.request as Streams['InvokeAction']['request'];
    const failed = (answer: object): ActionEvent => ({ completed: answer });
    const event = await this.#within('InvokeAction', request, stream, (context) =>
      invokeAction(this.#parts.answering, request, context, (each) => stream.write(each)),
    );
    stream.write('completed' in event ? event : failed(event));
    stream.end();
  }

  async #list(stream: OutStream): Promise<void> {
    const request = stream.request as Streams['ListResource']['request'];
    const end = await this.#within('ListResource', request, stream, async (context) => {
      await listResource(this.#parts.answering, request, context, (each) => stream.write(each));
      return {};
    });
    if ('diagnostics' in end) stream.write({ diagnostic: end.diagnostics });
    stream.end();
  }

  async #readState(stream: OutStream): Promise<void> {
    const request = stream.request as Streams['ReadStateBytes']['request'];
    const end = await this.#within('ReadStateBytes', request, stream, async ({ signal }) => {
      await readState(this.#parts.stores, request, async (chunk) => {
        // A large state must not be buffered in full for a slow reader.
        if (!stream.write(chunk)) await once(stream, 'drain', { signal });
      });
      return {};
    });
    if ('diagnostics' in end) stream.write(end);
    stream.end();
  }

  async #writeState(stream: InStream): Promise<object> {
    const chunks: StateChunk[] = [];
    try {
      for await (const chunk of stream) chunks.push(chunk as StateChunk);
    } catch (error) {
      // The sender has disconnected, and receives no response.
      this.#parts.log.log('debug', 'a state did not arrive', { error });
      return {};
    }
    return this.#within('WriteStateBytes', chunks[0]?.meta ?? {}, stream, () =>
      writeState(this.#parts.stores, chunks),
    );
  }

  /** Handles a call. Every exception becomes a response; the log contains the stack. */
  async #within(
    name: string,
    request: object,
    call: { on(event: 'cancelled', listener: () => void): unknown },
    work: (context: CallContext) => Promise<object>,
  ): Promise<object> {
    const { contexts, log, stopSignal } = this.#parts;
    const cancelled = new AbortController();
    call.on('cancelled', () => cancelled.abort());
    const subject = subjectOf(request);
    let fail = (_: unknown): void => {};
    const failure = new Promise<never>((_, reject) => {
      fail = reject;
    });
    const context: CallContext = {
      call: name,
      subject,
      log,
      signal: AbortSignal.any([stopSignal(), cancelled.signal]),
      fail,
    };
    try {
      return await contexts.run(context, () => Promise.race([work(context), failure]));
    } catch (error) {
      if (error instanceof Refused) return failedAnswer(name, request, error.diagnostics);
      contexts.run(context, () =>
        contexts.logger(log).log('error', 'the provider failed', { error }),
      );
      const reason = errorText(error);
      // The error of a function is one sentence inside of another.
      if (name === 'CallFunction') return { error: { text: reason } };
      const about = subject === undefined ? '' : ` for ${subject}`;
      return failedAnswer(name, request, [
        {
          severity: 'error',
          summary: 'Provider error',
          detail: `The provider failed in ${name}${about}: ${reason}\n\nThis is a fault of the provider, which should be reported to its developers. The log has the place in its code (TF_LOG=error).`,
        },
      ]);
    }
  }
}

/** Returns the name of the type or function of a request. */
function subjectOf(request: object): string | undefined {
  const { typeName, actionType, targetTypeName, name } = request as Readonly<
    Record<string, unknown>
  >;
  const subject = typeName ?? actionType ?? targetTypeName ?? name;
  return typeof subject === 'string' && subject !== '' ? subject : undefined;
}
