import type { Duplex } from 'node:stream';
import type { Host } from '@terrane/host';
import type { ProxySettings } from './connection-settings.ts';

/** The time limit for a machine to accept a connection. */
const DIAL_TIMEOUT_MS = 15_000;
/** The maximum length of the head of a proxy's response. */
const MAX_HEAD_BYTES = 64 * 1024;

const REASONS: ReadonlyMap<unknown, string> = new Map([
  ['ECONNREFUSED', 'connect: connection refused'],
  ['ECONNRESET', 'connect: connection reset by peer'],
  ['EHOSTUNREACH', 'connect: no route to host'],
  ['ENETUNREACH', 'connect: network is unreachable'],
  ['EADDRNOTAVAIL', 'connect: cannot assign requested address'],
  ['ETIMEDOUT', 'i/o timeout'],
]);

/** Opens a TCP connection. Errors are worded as in Go. An IPv6 address must be in brackets. */
export async function dial(
  { network }: Pick<Host, 'network'>,
  host: string,
  port: number,
  signal: AbortSignal,
): Promise<Duplex> {
  const bare = host.startsWith('[') && host.endsWith(']') ? host.slice(1, -1) : host;
  try {
    return await network.connect(bare, port, { timeoutMs: DIAL_TIMEOUT_MS, signal });
  } catch (error) {
    signal.throwIfAborted();
    throw new Error(dialProblem(host, port, error));
  }
}

function dialProblem(host: string, port: number, error: unknown): string {
  if (!(error instanceof Error)) return `dial tcp ${host}:${port}: ${String(error)}`;
  const code = 'code' in error ? error.code : undefined;
  if (code === 'ENOTFOUND') return `dial tcp: lookup ${host}: no such host`;
  if (code === 'EAI_AGAIN') return `dial tcp: lookup ${host}: server misbehaving`;
  const address = 'address' in error && typeof error.address === 'string' ? error.address : host;
  const at = address.includes(':') && !address.startsWith('[') ? `[${address}]` : address;
  return `dial tcp ${at}:${port}: ${REASONS.get(code) ?? error.message}`;
}

/** Opens a connection through an HTTP proxy. */
export async function dialThrough(
  host: Pick<Host, 'network' | 'clock'>,
  proxy: ProxySettings,
  target: string,
  signal: AbortSignal,
): Promise<Duplex> {
  if (proxy.scheme !== 'http' && proxy.scheme !== 'https') {
    throw new Error(`proxy: unknown scheme: ${proxy.scheme}`);
  }
  const socket = await dial(host, proxy.host, proxy.port, signal);
  const timeout = new AbortController();
  try {
    const lines = [`CONNECT ${target} HTTP/1.1`, `Host: ${target}`];
    if (proxy.user !== '' || proxy.password !== '') {
      const secret = Buffer.from(`${proxy.user}:${proxy.password}`).toString('base64');
      lines.push(`Proxy-Authorization: Basic ${secret}`);
    }
    socket.write(`${lines.join('\r\n')}\r\n\r\n`);
    const rejectOnTimeout = async (): Promise<never> => {
      await host.clock.sleep(DIAL_TIMEOUT_MS, timeout.signal);
      throw new Error(`read tcp ${proxy.host}:${proxy.port}: i/o timeout`);
    };
    const head = await Promise.race([headOf(socket, signal), rejectOnTimeout()]);
    const status = /^HTTP\/\d\.\d (\d{3})/.exec(head)?.[1];
    if (status === undefined) throw new Error('malformed HTTP response');
    if (status !== '200') throw new Error(`Connection Error: StatusCode: ${status}`);
    return socket;
  } catch (error) {
    socket.destroy();
    signal.throwIfAborted();
    throw error;
  } finally {
    timeout.abort();
  }
}

/** Reads the head of an HTTP response; the following bytes remain in the socket. */
async function headOf(socket: Duplex, signal: AbortSignal): Promise<string> {
  return await new Promise((resolve, reject) => {
    let read = Buffer.alloc(0);
    const settle = (): void => {
      socket.pause();
      socket.off('data', onData).off('error', fail).off('close', end);
      signal.removeEventListener('abort', abort);
    };
    const fail = (error: Error): void => {
      settle();
      reject(error);
    };
    const end = (): void => fail(new Error('unexpected EOF'));
    const abort = (): void => fail(new Error('aborted'));
    const onData = (chunk: Buffer): void => {
      read = Buffer.concat([read, chunk]);
      const at = read.indexOf('\r\n\r\n');
      if (at < 0) {
        if (read.length > MAX_HEAD_BYTES) fail(new Error('malformed HTTP response'));
        return;
      }
      settle();
      const rest = read.subarray(at + 4);
      if (rest.length > 0) socket.unshift(rest);
      resolve(read.subarray(0, at).toString('latin1'));
    };
    signal.addEventListener('abort', abort, { once: true });
    socket.on('data', onData).on('error', fail).on('close', end);
  });
}
