// A web server on loopback that answers the same to everybody, for what asks servers.
import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';

/** A server that runs until it is disposed of. */
export interface AnsweringServer extends AsyncDisposable {
  readonly url: string;
}

/**
 * Starts it. `/text` is plain text, `/json` an object, `/echo` tells method, a header and body of the
 * request, `/binary` bytes that are no UTF-8, `/status/N` has the status N; everything else is 404.
 */
export async function startAnsweringServer(): Promise<AnsweringServer> {
  const server = createServer((request, response) => {
    const path = request.url ?? '/';
    const status = /^\/status\/(\d+)$/.exec(path)?.[1];
    // Values that differ from run to run must not get into a state.
    response.sendDate = false;
    const answer = (code: number, type: string, body: string | Uint8Array): void => {
      response.writeHead(code, { 'Content-Type': type, 'X-Answer': 'yes' }).end(body);
    };
    if (path === '/text') answer(200, 'text/plain; charset=utf-8', 'Grüße\n');
    else if (path === '/json') answer(200, 'application/json', '{"n":1.50,"list":[true,null]}');
    else if (path === '/binary') answer(200, 'text/plain', new Uint8Array([0xff, 0xfe, 0x00]));
    else if (status !== undefined) answer(Number(status), 'text/plain', `status ${status}`);
    else if (path === '/echo') {
      const chunks: Uint8Array[] = [];
      request.on('data', (chunk: Uint8Array) => chunks.push(chunk));
      request.on('end', () => {
        const header = request.headers['x-asked'] ?? '-';
        const body = Buffer.concat(chunks).toString();
        answer(200, 'text/plain', `${request.method} ${header} ${body}`);
      });
    } else answer(404, 'text/plain', 'nothing here');
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    async [Symbol.asyncDispose]() {
      server.closeAllConnections();
      server.close();
      await once(server, 'close');
    },
  };
}
