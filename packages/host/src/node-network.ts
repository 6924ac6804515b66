import type { OnReadOpts, Socket } from 'node:net';
import type { ConnectionOptions } from 'node:tls';
import type { LocalTlsOptions, Network, TlsOptions } from './host.ts';

const HANDSHAKE_MS = 10_000;

/** Network access of this machine. */
export function nodeNetwork(): Network {
  return { connect: connectTo, connectLocal, secure };
}

/** Opens a TCP connection. */
async function connectTo(
  host: string,
  port: number,
  { timeoutMs, signal, noDelay = false }: NonNullable<Parameters<Network['connect']>[2]> = {},
): Promise<Socket> {
  signal?.throwIfAborted();
  // Loaded on first use: most runs open no connections.
  const { connect } = await import('node:net');
  return await new Promise<Socket>((resolve, reject) => {
    const socket = connect({ host, port, keepAlive: true, noDelay });
    const cleanUp = (): void => {
      clearTimeout(timer);
      signal?.removeEventListener('abort', stop);
    };
    const fail = (error: Error): void => {
      cleanUp();
      socket.destroy();
      reject(error instanceof AggregateError ? firstOf(error) : error);
    };
    const stop = (): void => {
      const reason: unknown = signal?.reason;
      fail(reason instanceof Error ? reason : new Error('aborted'));
    };
    const timer =
      timeoutMs === undefined
        ? undefined
        : setTimeout(() => {
            const late = new Error(`connect ETIMEDOUT ${host}:${port}`);
            fail(Object.assign(late, { code: 'ETIMEDOUT' }));
          }, timeoutMs);
    signal?.addEventListener('abort', stop, { once: true });
    socket.once('error', fail);
    socket.once('connect', () => {
      cleanUp();
      socket.off('error', fail);
      resolve(socket);
    });
  });
}

/** Connects to a local socket. */
async function connectLocal(path: string, tls?: LocalTlsOptions): Promise<Socket> {
  if (tls !== undefined) return await connectSecurely({ path }, tls, reusedBuffer(tls.onBytes));
  const { connect } = await import('node:net');
  return await new Promise<Socket>((resolve, reject) => {
    const socket = connect({ path });
    socket.once('error', reject);
    socket.once('connect', () => {
      socket.off('error', reject);
      resolve(socket);
    });
  });
}

/** Starts TLS on a connection, with one trusted certificate. */
async function secure(
  connection: Parameters<Network['secure']>[0],
  options: TlsOptions,
): Promise<Socket> {
  try {
    return await connectSecurely({ socket: connection }, options);
  } catch (error) {
    // A failed TLS socket leaves the underlying connection open, which would keep the process alive.
    connection.destroy();
    throw error;
  }
}

/** Starts TLS on a connection or on a new one to a local socket. */
async function connectSecurely(
  peer: Pick<ConnectionOptions, 'socket' | 'path'>,
  { trusted, certificate, key, serverName, protocols }: TlsOptions,
  onread?: OnReadOpts,
): Promise<Socket> {
  const [{ connect }, { X509Certificate }] = await Promise.all([
    import('node:tls'),
    import('node:crypto'),
  ]);
  const expected = new X509Certificate(trusted);
  return await new Promise<Socket>((resolve, reject) => {
    const socket = connect({
      ...peer,
      // The certificate is compared below. With `ca`, Node would also load the system certificates, which is slow.
      ca: [],
      rejectUnauthorized: false,
      cert: certificate,
      key,
      servername: serverName,
      ALPNProtocols: [...protocols],
      ...(onread === undefined ? {} : { onread }),
    });
    const fail = (error: Error): void => {
      clearTimeout(timer);
      socket.destroy();
      reject(error);
    };
    const timer = setTimeout(
      () => fail(Object.assign(new Error('TLS handshake timeout'), { code: 'ETIMEDOUT' })),
      HANDSHAKE_MS,
    );
    socket.once('error', fail);
    socket.once('close', () => fail(new Error('the other side closed the connection')));
    socket.once('secureConnect', () => {
      if (socket.getPeerX509Certificate()?.raw.equals(expected.raw) !== true) {
        fail(new Error('the other side has another certificate than is trusted'));
        return;
      }
      clearTimeout(timer);
      socket.off('error', fail);
      socket.removeAllListeners('close');
      resolve(socket);
    });
  });
}

/** The size of the buffer for received data, which holds several TLS records. */
const READ_SIZE = 64 * 1024;

/**
 * Reads into one buffer. Otherwise Node allocates memory for each TLS record, which is released so late that a large
 * response occupies several times its size.
 */
function reusedBuffer(onBytes: (bytes: Buffer) => void): OnReadOpts {
  const buffer = Buffer.allocUnsafeSlow(READ_SIZE);
  return {
    buffer,
    callback: (length) => {
      onBytes(buffer.subarray(0, length));
      return true;
    },
  };
}

function firstOf(error: AggregateError): Error {
  const first: unknown = error.errors[0];
  return first instanceof Error ? first : error;
}
