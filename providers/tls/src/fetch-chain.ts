// outside-world: the chain of a server is only visible in a handshake
import { connect as connectTcp } from 'node:net';
import type { Socket } from 'node:net';
// outside-world: as above, with verification and all certificates shown
import { connect as connectTls, rootCertificates } from 'node:tls';
import type { DetailedPeerCertificate, TLSSocket } from 'node:tls';
import { type Environment, userErrorText } from '@terrane/host';
import { ProviderError } from '@terrane/provider/sdk';
import { encodePem } from './pem.ts';
import type { ProxySettings } from './proxy.ts';

const TIMEOUT_MS = 30_000;

/** Returns the certificates that a server presents, its own first, in DER. */
export async function fetchChain(
  text: string,
  verify: boolean,
  proxy: ProxySettings,
  environment: Environment | undefined,
): Promise<readonly Buffer[]> {
  const url = new URL(text.replace(/^tls:/i, 'https:'));
  const isTls = /^tls:/i.test(text);
  if (isTls && url.port === '' && !/:443(?:[/?#]|$)/.test(text)) {
    throw new ProviderError('URL malformed', `Port missing from URL: ${text}`);
  }
  const host = url.hostname.replace(/^\[|\]$/g, '');
  const port = Number(url.port === '' ? 443 : url.port);
  try {
    const through = isTls ? undefined : proxyFor(host, port, proxy, environment);
    return await handshake(host, port, verify, through && (await tunnel(through, host, port)));
  } catch (cause) {
    const reason = userErrorText(cause);
    const detail = isTls
      ? `unable to execute TLS connection towards ${url.host}: ${reason}`
      : `failed to fetch certificates from URL 'https': Get ${JSON.stringify(text)}: ${reason}`;
    throw new ProviderError('Failed to identify fetch peer certificates', detail);
  }
}

function proxyFor(
  host: string,
  port: number,
  { url, fromEnvironment }: ProxySettings,
  environment: Environment | undefined,
): URL | undefined {
  if (url || !fromEnvironment) return url;
  const read = (name: string) => environment?.get(name) ?? environment?.get(name.toLowerCase());
  const proxy = read('HTTPS_PROXY') ?? '';
  if (proxy === '' || host === 'localhost' || host.startsWith('127.') || host === '::1') {
    return undefined;
  }
  const exceptions = (read('NO_PROXY') ?? '').split(',').map((exception) => exception.trim());
  const excepted = exceptions.some((exception) => {
    if (exception === '*' || exception === host || exception === `${host}:${port}`) return true;
    return (
      exception !== '' && host.endsWith(exception.startsWith('.') ? exception : `.${exception}`)
    );
  });
  return excepted ? undefined : new URL(proxy.includes('://') ? proxy : `http://${proxy}`);
}

function handshake(
  host: string,
  port: number,
  verify: boolean,
  socket: Socket | undefined,
): Promise<readonly Buffer[]> {
  return new Promise((resolve, reject) => {
    const tls = connectTls({
      host,
      port,
      ...(socket && { socket }),
      ...(/[a-z]/i.test(host) && !host.includes(':') && { servername: host }),
      rejectUnauthorized: verify,
    });
    limitTime(tls, reject);
    tls.once('error', reject);
    tls.once('secureConnect', () => {
      const chain = chainOf(tls);
      tls.destroy();
      resolve(chain);
    });
  });
}

function chainOf(tls: TLSSocket): readonly Buffer[] {
  const chain: Buffer[] = [];
  let at: DetailedPeerCertificate | undefined = tls.getPeerCertificate(true);
  while (at?.raw !== undefined && !chain.some((raw) => raw.equals(at?.raw ?? raw))) {
    chain.push(at.raw);
    at = at.issuerCertificate;
  }
  // Node adds the root that it verified with, which servers do not send.
  const last = chain.at(-1);
  const known = last && rootCertificates.includes(encodePem('CERTIFICATE', last).trim());
  return chain.length > 1 && known === true ? chain.slice(0, -1) : chain;
}

function limitTime(socket: Socket, reject: (cause: Error) => void): void {
  socket.setTimeout(TIMEOUT_MS, () => {
    socket.destroy();
    reject(new Error('i/o timeout'));
  });
}

/** A connection to a server through a proxy. */
async function tunnel(proxy: URL, host: string, port: number): Promise<Socket> {
  const socket = await connectTo(proxy);
  if (proxy.protocol.startsWith('socks5')) await socks5(socket, proxy, host, port);
  else await httpConnect(socket, proxy, host, port);
  return socket;
}

function connectTo(proxy: URL): Promise<Socket> {
  const secure = proxy.protocol === 'https:';
  const fallback = { 'http:': 80, 'https:': 443 }[proxy.protocol] ?? 1080;
  const host = proxy.hostname.replace(/^\[|\]$/g, '');
  const port = Number(proxy.port === '' ? fallback : proxy.port);
  return new Promise((resolve, reject) => {
    const socket: Socket = secure ? connectTls({ host, port }) : connectTcp({ host, port });
    limitTime(socket, reject);
    socket.once('error', reject);
    socket.once(secure ? 'secureConnect' : 'connect', () => {
      socket.removeListener('error', reject);
      resolve(socket);
    });
  });
}

/** Reads from a socket until `enough` returns true. */
function receive(socket: Socket, enough: (bytes: Buffer) => boolean): Promise<Buffer> {
  return new Promise((resolve, reject) => {
    let bytes = Buffer.alloc(0);
    const settle = (): void => {
      socket.removeListener('data', onData);
      socket.removeListener('error', fail);
      socket.removeListener('end', onEnd);
    };
    const fail = (cause: Error): void => {
      settle();
      reject(cause);
    };
    const onEnd = (): void => fail(new Error('unexpected EOF from the proxy'));
    const onData = (chunk: Buffer): void => {
      bytes = Buffer.concat([bytes, chunk]);
      if (!enough(bytes)) return;
      settle();
      resolve(bytes);
    };
    socket.on('data', onData);
    socket.once('error', fail);
    socket.once('end', onEnd);
  });
}

async function httpConnect(socket: Socket, proxy: URL, host: string, port: number): Promise<void> {
  const target = `${host.includes(':') ? `[${host}]` : host}:${port}`;
  const user = decodeURIComponent(proxy.username);
  const login = Buffer.from(`${user}:${decodeURIComponent(proxy.password)}`).toString('base64');
  const authorization = user === '' ? '' : `Proxy-Authorization: Basic ${login}\r\n`;
  const answer = receive(socket, (bytes) => bytes.includes('\r\n\r\n'));
  socket.write(`CONNECT ${target} HTTP/1.1\r\nHost: ${target}\r\n${authorization}\r\n`);
  const [line = ''] = (await answer).toString('latin1').split('\r\n');
  if (!/^HTTP\/1\.\d 200/.test(line)) throw new Error(line.replace(/^HTTP\/\S+ \d+ /, ''));
}

async function socks5(socket: Socket, proxy: URL, host: string, port: number): Promise<void> {
  const user = Buffer.from(decodeURIComponent(proxy.username));
  const password = Buffer.from(decodeURIComponent(proxy.password));
  const ask = (bytes: Buffer, length: number) => {
    const answer = receive(socket, (got) => got.length >= length);
    socket.write(bytes);
    return answer;
  };
  const methods = user.length > 0 ? [5, 2, 0, 2] : [5, 1, 0];
  const [, method] = await ask(Buffer.from(methods), 2);
  if (method === 2) {
    const login = [Buffer.from([1, user.length]), user, Buffer.from([password.length]), password];
    const [, refused] = await ask(Buffer.concat(login), 2);
    if (refused !== 0) throw new Error('socks connect: username/password authentication failed');
  } else if (method !== 0) {
    throw new Error('socks connect: no acceptable authentication methods');
  }
  const name = Buffer.from(host);
  const end = Buffer.alloc(2);
  end.writeUInt16BE(port);
  const request = Buffer.concat([Buffer.from([5, 1, 0, 3, name.length]), name, end]);
  const [, status] = await ask(request, 10);
  if (status !== 0) throw new Error(`socks connect: the proxy refused with code ${status}`);
}
