// Stands between a provider and a server that answers as Amazon does, and makes trouble.
import {
  Agent,
  createServer,
  type IncomingMessage,
  request as send,
  type Server,
  type ServerResponse,
} from 'node:http';
import { once } from 'node:events';
import type { AddressInfo, Socket } from 'node:net';
import { type AwsAnswer, type AwsFailure, emptyAnswer, failureAnswer } from './aws-answer.ts';
import { type AwsRequest, awsRequest } from './aws-request.ts';

/** The requests that a fault applies to, and their number. */
export interface FaultScope {
  readonly service: string;
  /** "CreateQueue"; for REST, what is in "GET /2015-03-31/functions/jobs" */
  readonly operation: string | RegExp;
  /** something in the body or the path, where not every such request is meant */
  readonly about?: string | RegExp;
  /** how many requests go well before; default none */
  readonly after?: number;
  /** how many requests it is for; default all from then on */
  readonly times?: number;
}

/** The treatment of a request. */
export type Trouble =
  /** it fails; `done`: the server has done what was asked all the same */
  | { readonly kind: 'failure'; readonly failure: AwsFailure; readonly done?: boolean }
  /** the connection is reset; `done`: after the server has done what was asked */
  | { readonly kind: 'reset'; readonly done?: boolean }
  /** it is answered as the same request was answered last, before there was this fault */
  | { readonly kind: 'stale'; readonly change?: (body: string) => string }
  /** the answer is changed: a state on the way, a value that has not arrived yet, an object that lingers */
  | {
      readonly kind: 'changed';
      readonly change: (body: string) => string;
      /** of HTTP; default: as the server says */
      readonly status?: number;
      /** asks the server once for each request, and changes its first answer from then on; for polls that go on for long */
      readonly isFrozen?: boolean;
    }
  /** the answer says that all went well, and nothing else; the server is not asked */
  | { readonly kind: 'empty' }
  /** the answer comes when `until` says so */
  | { readonly kind: 'slow'; readonly until: () => Promise<void> };

/** A fault that has been added. */
export interface Fault {
  /** requests that it happened to */
  readonly hits: number;
  /** those of them that whoever asked gave up before there was an answer */
  readonly abandoned: number;
  /** takes it away */
  remove(): void;
}

class Standing implements Fault {
  readonly scope: FaultScope;
  readonly trouble: Trouble;
  /** answers to the same requests as they were when the fault was added */
  readonly before: ReadonlyMap<string, AwsAnswer>;
  /** the first answers to requests since then */
  readonly since = new Map<string, AwsAnswer>();
  readonly #remove: (fault: Standing) => void;
  #seen = 0;
  hits = 0;
  abandoned = 0;

  constructor(
    scope: FaultScope,
    trouble: Trouble,
    before: ReadonlyMap<string, AwsAnswer>,
    remove: (fault: Standing) => void,
  ) {
    this.scope = scope;
    this.trouble = trouble;
    this.before = before;
    this.#remove = remove;
  }

  /** Counts a request, and says whether the fault happens to it. */
  happensTo(request: AwsRequest): boolean {
    const { service, operation, about, after = 0, times = Infinity } = this.scope;
    if (service !== request.service || !fits(operation, request.operation)) return false;
    if (about !== undefined && !isIn(about, `${request.url}\n${request.body}`)) return false;
    if (this.#seen++ < after || this.hits >= times) return false;
    this.hits++;
    return true;
  }

  remove(): void {
    this.#remove(this);
  }
}

function fits(wanted: string | RegExp, operation: string): boolean {
  return typeof wanted === 'string' ? wanted === operation : wanted.test(operation);
}

function isIn(wanted: string | RegExp, text: string): boolean {
  return typeof wanted === 'string' ? text.includes(wanted) : wanted.test(text);
}

/** A proxy on loopback, whose faults a test adds as it goes. */
export class FaultProxy {
  readonly #upstream: URL;
  readonly #server: Server;
  readonly #agent = new Agent({ keepAlive: true });
  readonly #sockets = new Set<Socket>();
  readonly #answers = new Map<string, AwsAnswer>();
  readonly #requests: AwsRequest[] = [];
  #faults: Standing[] = [];
  #busy = 0;

  private constructor(upstream: string) {
    this.#upstream = new URL(upstream);
    this.#server = createServer((request, response) => void this.#serve(request, response));
    // Clients keep connections, which a server that closes them after a while would reset under their requests.
    this.#server.keepAliveTimeout = 0;
    this.#server.on('connection', (socket) => {
      this.#sockets.add(socket);
      socket.once('close', () => this.#sockets.delete(socket));
    });
  }

  /** A proxy in front of a server: "http://127.0.0.1:5000". */
  static async before(upstream: string): Promise<FaultProxy> {
    const proxy = new FaultProxy(upstream);
    proxy.#server.listen(0, '127.0.0.1');
    await once(proxy.#server, 'listening');
    return proxy;
  }

  /** The endpoint of the proxy. */
  get endpoint(): string {
    // It listens at an address, not at a file.
    return `http://127.0.0.1:${(this.#server.address() as AddressInfo).port}`;
  }

  /** True while a request is being answered. */
  get isBusy(): boolean {
    return this.#busy > 0;
  }

  /** Everything that was asked since the last `reset`, in order. */
  get requests(): readonly AwsRequest[] {
    return this.#requests;
  }

  /** Returns the number of requests of a kind. */
  count(service: string, operation: string | RegExp): number {
    return this.#requests.filter((r) => r.service === service && fits(operation, r.operation))
      .length;
  }

  /** Adds a fault. Of several for a request, the one added last happens. */
  add(scope: FaultScope, trouble: Trouble): Fault {
    const fault = new Standing(scope, trouble, new Map(this.#answers), (gone) => {
      this.#faults = this.#faults.filter((other) => other !== gone);
    });
    this.#faults.unshift(fault);
    return fault;
  }

  /** Takes all faults away, and forgets what was asked and answered. */
  reset(): void {
    this.#faults = [];
    this.#requests.length = 0;
    this.#answers.clear();
  }

  async stop(): Promise<void> {
    const closed = once(this.#server, 'close');
    this.#server.close();
    for (const socket of this.#sockets) socket.destroy();
    this.#agent.destroy();
    await closed;
  }

  async #serve(incoming: IncomingMessage, response: ServerResponse): Promise<void> {
    this.#busy++;
    try {
      const bytes = await bytesOf(incoming);
      const { method = 'GET', url = '/', headers } = incoming;
      const request = awsRequest(method, url, headers, bytes.toString('utf8'));
      this.#requests.push(request);
      const fault = this.#faults.find((each) => each.happensTo(request));
      response.once('close', () => {
        if (fault !== undefined && !response.writableEnded) fault.abandoned++;
      });
      const forward = (): Promise<AwsAnswer> => this.#forward(incoming, request, bytes);
      const answer = await this.#answer(request, fault, forward);
      if (answer === 'reset') {
        resetConnection(incoming.socket);
        return;
      }
      response.writeHead(answer.status, {
        ...answer.headers,
        // A response to HEAD has the Content-Length of the body that it omits.
        ...(method !== 'HEAD' && { 'content-length': Buffer.byteLength(answer.body, 'latin1') }),
      });
      response.end(Buffer.from(answer.body, 'latin1'));
    } catch (error) {
      response.writeHead(502, { 'content-type': 'text/plain' });
      response.end(String(error));
    } finally {
      this.#busy--;
    }
  }

  async #answer(
    request: AwsRequest,
    fault: Standing | undefined,
    forward: () => Promise<AwsAnswer>,
  ): Promise<AwsAnswer | 'reset'> {
    if (fault === undefined) return await forward();
    const { trouble } = fault;
    switch (trouble.kind) {
      case 'failure':
        if (trouble.done === true) await forward();
        return failureAnswer(request, trouble.failure);
      case 'reset':
        if (trouble.done === true) await forward();
        return 'reset';
      case 'stale': {
        const answer = fault.before.get(keyOf(request)) ?? (await forward());
        return { ...answer, body: trouble.change?.(answer.body) ?? answer.body };
      }
      case 'changed': {
        const key = keyOf(request);
        const frozen = trouble.isFrozen === true ? fault.since.get(key) : undefined;
        const answer = frozen ?? (await forward());
        fault.since.set(key, answer);
        const { status = answer.status } = trouble;
        return { ...answer, status, body: trouble.change(answer.body) };
      }
      case 'empty':
        return emptyAnswer(request);
      case 'slow': {
        const answer = await forward();
        this.#busy--;
        try {
          await trouble.until();
        } finally {
          this.#busy++;
        }
        return answer;
      }
    }
  }

  async #forward(
    incoming: IncomingMessage,
    request: AwsRequest,
    bytes: Buffer,
  ): Promise<AwsAnswer> {
    const { hostname, port } = this.#upstream;
    const { method, url } = request;
    // The server is told the address of the proxy, so that the addresses it gives lead here.
    const outgoing = send({
      hostname,
      port,
      method,
      path: url,
      headers: incoming.headers,
      agent: this.#agent,
    });
    outgoing.end(bytes);
    // `once` gives what the event has: for "response" its message.
    const [upstreamAnswer] = (await once(outgoing, 'response')) as [IncomingMessage];
    const body = (await bytesOf(upstreamAnswer)).toString('latin1');
    const answer = {
      status: upstreamAnswer.statusCode ?? 502,
      headers: headersOf(upstreamAnswer),
      body,
    };
    if (answer.status < 300) this.#answers.set(keyOf(request), answer);
    return answer;
  }
}

/** Returns the identity of a request: without its time and its idempotency token. */
function keyOf({ service, operation, url, body }: AwsRequest): string {
  return JSON.stringify([
    service,
    operation,
    url,
    body.replaceAll(/(ClientToken|CallerReference)[=":]+[^&"]*/g, ''),
  ]);
}

async function bytesOf(message: IncomingMessage): Promise<Buffer> {
  const chunks: Buffer[] = [];
  for await (const chunk of message) chunks.push(Buffer.from(chunk));
  return Buffer.concat(chunks);
}

const HOP_BY_HOP: ReadonlySet<string> = new Set(['connection', 'keep-alive', 'transfer-encoding']);

function headersOf(message: IncomingMessage): Readonly<Record<string, string>> {
  const entries = Object.entries(message.headersDistinct).flatMap(([name, values]) =>
    HOP_BY_HOP.has(name) || values === undefined ? [] : [[name, values.join(', ')] as const],
  );
  return Object.fromEntries(entries);
}

/** Ends a connection as a machine does that has lost it. */
function resetConnection(socket: Socket): void {
  socket.resetAndDestroy();
}
