import { once } from 'node:events';
import { connect, createServer, type Socket } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';

/** A TCP proxy in front of several servers, which can hold back what passes. */
export interface StallingProxy extends AsyncDisposable {
  readonly port: number;
  /** Holds back everything, in both directions and of new connections, for a time. Nothing is refused or closed. */
  stall(ms: number): Promise<void>;
  /** Closes all connections without notice. */
  cut(): void;
}

/** Starts a proxy that sends each connection to the first of the ports that accepts it, beginning with another one each time. */
export async function startStallingProxy(ports: readonly number[]): Promise<StallingProxy> {
  const sockets = new Set<Socket>();
  let isStalled = false;
  let turn = 0;
  const track = (socket: Socket): void => {
    sockets.add(socket);
    socket.on('error', () => socket.destroy());
    socket.on('close', () => sockets.delete(socket));
    if (isStalled) socket.pause();
  };
  const join = (client: Socket, candidates: readonly number[]): void => {
    const [port, ...others] = candidates;
    if (port === undefined) {
      client.destroy();
      return;
    }
    const server = connect(port, '127.0.0.1');
    let isConnected = false;
    server.on('error', () => {
      if (isConnected) client.destroy();
      else join(client, others);
    });
    server.on('connect', () => {
      isConnected = true;
      track(server);
      client.on('close', () => server.destroy());
      server.on('close', () => client.destroy());
      client.pipe(server);
      server.pipe(client);
      if (isStalled) for (const socket of [client, server]) socket.pause();
    });
  };
  const listener = createServer((client) => {
    track(client);
    const first = turn++ % ports.length;
    join(client, [...ports.slice(first), ...ports.slice(0, first)]);
  });
  listener.listen(0, '127.0.0.1');
  await once(listener, 'listening');
  const address = listener.address();
  return {
    port: typeof address === 'object' && address !== null ? address.port : 0,
    async stall(ms) {
      isStalled = true;
      for (const socket of sockets) socket.pause();
      await sleep(ms);
      isStalled = false;
      for (const socket of sockets) socket.resume();
    },
    cut() {
      for (const socket of sockets) socket.destroy();
    },
    async [Symbol.asyncDispose]() {
      for (const socket of sockets) socket.destroy();
      listener.close();
      await Promise.resolve();
    },
  };
}
