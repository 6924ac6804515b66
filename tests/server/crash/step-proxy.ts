import { once } from 'node:events';
import { Agent, createServer, type IncomingMessage, request } from 'node:http';

/** A point in the conversation of an agent with the server about a run. */
export interface Step {
  readonly run: string;
  /** `plan` or `apply`, the request, and how often the job has sent it, such as `apply put journal 3` */
  readonly name: string;
  /** before the server has the request, or after it has answered and before the agent knows it */
  readonly moment: 'before' | 'after';
}

/** A proxy of one agent, which stops at each step. */
export interface StepProxy extends AsyncDisposable {
  readonly port: number;
  /** Loses all requests and responses for a time, as a partition of the network would. */
  partition(ms: number): void;
}

interface CurrentJob {
  readonly run: string;
  readonly kind: string;
  readonly counts: Map<string, number>;
}

/** Requests that are no steps: they are repeated as long as a job lasts. */
const REPEATED: ReadonlySet<string> = new Set(['heartbeat']);

/** Starts a proxy that sends requests to the first of the ports that accepts them. */
export async function startStepProxy(
  ports: readonly number[],
  onStep: (step: Step) => Promise<void>,
): Promise<StepProxy> {
  const connections = new Agent({ keepAlive: true });
  let job: CurrentJob | undefined;
  let partitionedUntil = 0;
  const isPartitioned = (): boolean => performance.now() < partitionedUntil;

  const stepOf = (method: string, path: string): Omit<Step, 'moment'> | undefined => {
    const [, rest = ''] = /\/jobs\/[^/]+\/([^?]+)/.exec(path) ?? [];
    if (job === undefined || rest === '' || REPEATED.has(rest)) return undefined;
    const name = `${job.kind} ${method === 'GET' ? 'get' : 'put'} ${rest.replace('contents/', '')}`;
    const count = (job.counts.get(name) ?? 0) + 1;
    job.counts.set(name, count);
    return { run: job.run, name: `${name} ${count}` };
  };
  const noteClaim = (body: Buffer): Omit<Step, 'moment'> | undefined => {
    const { job: claimed } = JSON.parse(body.toString('utf8')) as {
      readonly job: { readonly kind: string; readonly run: { readonly id: string } };
    };
    job = { run: claimed.run.id, kind: claimed.kind, counts: new Map() };
    return { run: job.run, name: `${job.kind} claim 1` };
  };

  const listener = createServer((incoming, outgoing) => {
    void (async () => {
      const { method = 'GET', url = '/' } = incoming;
      const body = await bytesOf(incoming);
      if (isPartitioned()) return void outgoing.destroy();
      let step = stepOf(method, url);
      if (step !== undefined) await onStep({ ...step, moment: 'before' });
      if (isPartitioned() || outgoing.destroyed) return void outgoing.destroy();
      const answer = await forward(connections, ports, incoming, body, outgoing);
      const content = await bytesOf(answer);
      if (url.endsWith('/jobs/claim') && answer.statusCode === 200) step = noteClaim(content);
      if (step !== undefined) await onStep({ ...step, moment: 'after' });
      if (isPartitioned() || outgoing.destroyed) return void outgoing.destroy();
      outgoing.writeHead(answer.statusCode ?? 502, answer.headers);
      outgoing.end(content);
    })().catch(() => outgoing.destroy());
  });
  listener.keepAliveTimeout = 60_000;
  listener.listen(0, '127.0.0.1');
  await once(listener, 'listening');
  const address = listener.address();
  return {
    port: typeof address === 'object' && address !== null ? address.port : 0,
    partition(ms) {
      partitionedUntil = performance.now() + ms;
      listener.closeAllConnections();
    },
    async [Symbol.asyncDispose]() {
      listener.closeAllConnections();
      listener.close();
      connections.destroy();
      await Promise.resolve();
    },
  };
}

async function bytesOf(message: IncomingMessage): Promise<Buffer> {
  const chunks: Buffer[] = [];
  for await (const chunk of message) chunks.push(chunk);
  return Buffer.concat(chunks);
}

async function forward(
  agent: Agent,
  [port, ...others]: readonly number[],
  { method, url, headers }: IncomingMessage,
  body: Buffer,
  closes: NodeJS.EventEmitter,
): Promise<IncomingMessage> {
  const outgoing = request({ host: '127.0.0.1', port, method, path: url, headers, agent });
  const destroy = (): void => void outgoing.destroy();
  closes.once('close', destroy);
  try {
    outgoing.end(body);
    const [answer] = await once(outgoing, 'response');
    return answer;
  } catch (error) {
    const isRefused = error instanceof Error && 'code' in error && error.code === 'ECONNREFUSED';
    if (!isRefused || others.length === 0) throw error;
    return await forward(agent, others, { method, url, headers } as IncomingMessage, body, closes);
  } finally {
    closes.off('close', destroy);
  }
}
