// A collector of traces that is spoken to by gRPC, on the loopback: it keeps what it is sent.
import { type Metadata, Server, ServerCredentials, type ServiceDefinition } from '@grpc/grpc-js';

/** One message: the bytes of an `ExportTraceServiceRequest`, and what came beside it. */
export interface SentByGrpc {
  readonly body: Buffer;
  readonly metadata: Metadata;
}

/** The service of https://github.com/open-telemetry/opentelemetry-proto that takes traces, without its messages. */
const TRACE_SERVICE: ServiceDefinition = {
  Export: {
    path: '/opentelemetry.proto.collector.trace.v1.TraceService/Export',
    requestStream: false,
    responseStream: false,
    requestSerialize: (bytes: Buffer) => bytes,
    requestDeserialize: (bytes) => bytes,
    responseSerialize: (bytes: Buffer) => bytes,
    responseDeserialize: (bytes) => bytes,
  },
};

/** A running collector. */
export class GrpcCollector implements AsyncDisposable {
  readonly sent: SentByGrpc[] = [];
  readonly #server = new Server();
  #port = 0;

  static async start(): Promise<GrpcCollector> {
    const collector = new GrpcCollector();
    collector.#server.addService(TRACE_SERVICE, {
      Export(
        call: { request: Buffer; metadata: Metadata },
        answer: (error: Error | null, bytes: Buffer) => void,
      ) {
        collector.sent.push({ body: call.request, metadata: call.metadata });
        answer(null, Buffer.alloc(0));
      },
    });
    collector.#port = await new Promise((resolve, reject) => {
      collector.#server.bindAsync(
        '127.0.0.1:0',
        ServerCredentials.createInsecure(),
        (error, port) => (error === null ? resolve(port) : reject(error)),
      );
    });
    return collector;
  }

  get endpoint(): string {
    return `http://127.0.0.1:${this.#port}`;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#server.forceShutdown();
  }
}
