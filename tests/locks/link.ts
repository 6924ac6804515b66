// The way from a process to its storage, which can be interrupted.
import { createConnection, createServer, type Socket } from 'node:net';
import type { Host, HttpRequest } from '@terrane/host';

/** `silent`: packets are lost, so nothing is answered until the connection breaks off. `refuse`: it breaks off at once. */
export type LinkMode = 'pass' | 'silent' | 'refuse';

/** A link to servers, by HTTP through `host` and by TCP through `through`. */
export class Link {
  #mode: LinkMode = 'pass';
  readonly #silenced = new Set<() => void>();
  readonly #closing: (() => void)[] = [];

  get mode(): LinkMode {
    return this.#mode;
  }

  set mode(mode: LinkMode) {
    this.#mode = mode;
    if (mode === 'silent') return;
    for (const end of this.#silenced) end();
    this.#silenced.clear();
  }

  /** A host whose requests go over this link. */
  host(host: Host): Host {
    return {
      ...host,
      http: {
        ...host.http,
        request: async (url: string, options?: HttpRequest) => {
          await this.#pass();
          const answer = await host.http.request(url, options);
          await this.#pass();
          return answer;
        },
      },
    };
  }

  async #pass(): Promise<void> {
    if (this.#mode === 'pass') return;
    if (this.#mode === 'silent') {
      await new Promise<void>((resolve) => {
        this.#silenced.add(resolve);
      });
    }
    throw Object.assign(new Error('read ECONNRESET'), { code: 'ECONNRESET' });
  }

  /** A port of this machine that leads to another one over this link. */
  async through(port: number): Promise<number> {
    const sockets = new Set<Socket>();
    const server = createServer((near) => {
      const far = createConnection({ host: '127.0.0.1', port });
      const forward = (from: Socket, to: Socket): void => {
        sockets.add(from);
        from.on('data', (piece) => {
          if (this.#mode === 'pass') to.write(piece);
          else if (this.#mode === 'refuse') from.destroy();
          else this.#silenced.add(() => from.destroy());
        });
        from.on('close', () => {
          sockets.delete(from);
          to.destroy();
        });
        from.on('error', () => undefined);
      };
      forward(near, far);
      forward(far, near);
    });
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    this.#closing.push(() => {
      for (const socket of sockets) socket.destroy();
      server.close();
    });
    const address = server.address();
    if (address === null || typeof address === 'string') throw new Error('no port');
    return address.port;
  }

  close(): void {
    for (const close of this.#closing) close();
  }
}
