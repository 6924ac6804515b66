// SSH servers that do not behave: each test says what one does instead of what the protocol wants.
import { createServer, type AddressInfo, type Socket } from 'node:net';
import ssh2, { type Connection, type ServerChannel, type Session } from 'ssh2';
import { onTestFinished } from 'vitest';

/** Faults of a server; by default it has none. */
export interface Conduct {
  /** called for each new connection, with their number from 0, before anybody is let in */
  readonly connection?: (client: Connection, number: number) => void;
  /** Decides on an attempt to log in. Everybody is let in by default. */
  readonly login?: (context: ssh2.AuthContext) => void;
  /** Called for a session before its commands. Returns true if it takes all of it. */
  readonly session?: (session: Session, client: Connection) => boolean;
  /** Called with a command that was asked for. Returns true if it takes it. */
  readonly command?: (command: string, accept: () => ServerChannel, client: Connection) => boolean;
}

/** A server on a free port of the loopback address. */
export interface HostileSsh {
  readonly port: number;
  /** commands that were asked for, and ways to log in with what they brought */
  readonly seen: string[];
  /** connections so far */
  connections: number;
}

/** A new key pair in the format of OpenSSH. ssh2 1.17 writes about one Ed25519 key in 360 that it cannot read. */
export function keyPair(): { readonly public: string; readonly private: string } {
  return ssh2.utils.generateKeyPairSync('ecdsa', { bits: 256 });
}

/** Starts a server; `keys` are its host keys, one for each further connection, the last one for all that follow. */
export async function startSsh(
  conduct: Conduct = {},
  keys: readonly string[] = [keyPair().private],
): Promise<HostileSsh> {
  const sockets = new Set<Socket>();
  const seen: string[] = [];
  const serve = (client: Connection, number: number): void => {
    client.on('error', () => undefined);
    conduct.connection?.(client, number);
    client.on('authentication', (context) => {
      seen.push(`login ${context.method}${'password' in context ? ` ${context.password}` : ''}`);
      if (conduct.login === undefined) context.accept();
      else conduct.login(context);
    });
    client.on('session', (accept) => {
      const session = accept();
      if (conduct.session?.(session, client) === true) return;
      session.on('pty', (answer) => answer?.());
      session.on('auth-agent', (answer) => {
        seen.push('agent offered');
        answer?.();
      });
      session.on('exec', (answer, _reject, { command }) => {
        seen.push(`command ${command.trim()}`);
        if (conduct.command?.(command, answer, client) !== true) obey(command, answer());
      });
    });
  };
  const servers = keys.map((hostKey) => new ssh2.Server({ hostKeys: [hostKey] }));
  const server = createServer((socket) => {
    sockets.add(socket);
    socket.on('error', () => undefined).on('close', () => sockets.delete(socket));
    const number = state.connections++;
    const chosen = servers[Math.min(number, servers.length - 1)];
    chosen?.once('connection', (client) => serve(client, number));
    chosen?.injectSocket(socket);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => {
    for (const socket of sockets) socket.destroy();
    server.close();
  });
  // A server that listens on a port has an address.
  const { port } = server.address() as AddressInfo;
  const state: HostileSsh = { port, seen, connections: 0 };
  return state;
}

/** Receives files and throws them away; every other command succeeds without output. */
export function obey(command: string, channel: ServerChannel): void {
  const end = (): void => {
    channel.exit(0);
    channel.end();
  };
  if (!command.startsWith('scp ')) return end();
  let remaining = 0;
  let text = Buffer.alloc(0);
  channel.on('data', (chunk: Buffer) => {
    text = Buffer.concat([text, chunk]);
    for (;;) {
      if (remaining > 0) {
        const taken = Math.min(remaining, text.length);
        remaining -= taken;
        text = text.subarray(taken);
        if (remaining > 0) return;
        channel.write('\0');
      }
      const at = text.indexOf('\n');
      if (at < 0) return;
      const size = /C0644 (\d+) /.exec(text.subarray(0, at).toString())?.[1];
      text = text.subarray(at + 1);
      channel.write('\0');
      // With the byte that ends a file.
      remaining = size === undefined ? 0 : Number(size) + 1;
    }
  });
  channel.on('end', end);
}

/** Writes a text again and again for as long as the other side takes it; gives how much was taken, in bytes. */
export function flood(
  stream: { write(data: Buffer): boolean; once(event: 'drain' | 'close', then: () => void): void },
  piece: string,
): () => number {
  const data = Buffer.alloc(32 * 1024, piece);
  let taken = 0;
  let isOver = false;
  stream.once('close', () => (isOver = true));
  const more = (): void => {
    while (!isOver) {
      taken += data.length;
      if (!stream.write(data)) {
        stream.once('drain', () => setImmediate(more));
        return;
      }
    }
  };
  more();
  return () => taken;
}
