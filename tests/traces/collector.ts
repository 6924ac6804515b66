// A collector of traces on the loopback, as small as can be: it keeps what it is sent.
import { createServer, type IncomingHttpHeaders } from 'node:http';

/** The spans and messages received. */
export interface Sent {
  readonly path: string;
  readonly headers: IncomingHttpHeaders;
  readonly body: Buffer;
}

/** A span, as far as tests look at it. */
export interface SentSpan {
  readonly traceId: string;
  readonly spanId: string;
  readonly parentSpanId?: string;
  readonly name: string;
  readonly attributes: Readonly<Record<string, unknown>>;
  readonly isError: boolean;
  readonly nanoseconds: bigint;
}

/** A running collector. */
export class Collector implements AsyncDisposable {
  readonly sent: Sent[] = [];
  readonly #server = createServer((request, response) => {
    const pieces: Buffer[] = [];
    request.on('data', (piece: Buffer) => pieces.push(piece));
    request.on('end', () => {
      this.sent.push({
        path: request.url ?? '',
        headers: request.headers,
        body: Buffer.concat(pieces),
      });
      response.writeHead(this.status, { 'content-type': 'application/json' }).end('{}');
    });
  });
  readonly status: number;

  private constructor(status: number) {
    this.status = status;
  }

  static async start(status: number = 200): Promise<Collector> {
    const collector = new Collector(status);
    await new Promise<void>((resolve) => collector.#server.listen(0, '127.0.0.1', resolve));
    return collector;
  }

  get endpoint(): string {
    const address = this.#server.address();
    if (address === null || typeof address === 'string') throw new Error('not listening');
    return `http://127.0.0.1:${address.port}`;
  }

  /** The spans of everything that was sent as JSON. */
  spans(): readonly SentSpan[] {
    return this.sent.flatMap(({ body }) =>
      listOf(JSON.parse(body.toString()), 'resourceSpans')
        .flatMap((each) => listOf(each, 'scopeSpans'))
        .flatMap((each) => listOf(each, 'spans'))
        .map(spanOf),
    );
  }

  /** Returns the resource attributes of the first message. */
  resource(): Readonly<Record<string, unknown>> {
    const [first] = listOf(JSON.parse(this.sent[0]?.body.toString() ?? '{}'), 'resourceSpans');
    return attributesOf(member(first, 'resource'));
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#server.closeAllConnections();
    await new Promise((resolve) => this.#server.close(resolve));
  }
}

function member(value: unknown, name: string): unknown {
  return typeof value === 'object' && value !== null ? Reflect.get(value, name) : undefined;
}

function listOf(value: unknown, name: string): readonly unknown[] {
  const list = member(value, name);
  return Array.isArray(list) ? list : [];
}

function attributesOf(value: unknown): Record<string, unknown> {
  return Object.fromEntries(
    listOf(value, 'attributes').map((each) => {
      const [text] = Object.values(Object(member(each, 'value')));
      return [String(member(each, 'key')), text];
    }),
  );
}

function spanOf(value: unknown): SentSpan {
  const parent = member(value, 'parentSpanId');
  return {
    traceId: String(member(value, 'traceId')),
    spanId: String(member(value, 'spanId')),
    ...(typeof parent === 'string' ? { parentSpanId: parent } : {}),
    name: String(member(value, 'name')),
    attributes: attributesOf(value),
    isError: member(member(value, 'status'), 'code') === 2,
    nanoseconds:
      BigInt(String(member(value, 'endTimeUnixNano'))) -
      BigInt(String(member(value, 'startTimeUnixNano'))),
  };
}
