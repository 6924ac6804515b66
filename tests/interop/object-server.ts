// Starts the server of objects that providers of REST services are tried with.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { resolve } from 'node:path';

/** A server that runs until it is disposed of. */
export interface ObjectServer extends AsyncDisposable {
  readonly url: string;
}

/** Starts a server that has no objects yet. */
export async function startObjectServer(): Promise<ObjectServer> {
  const program = resolve(import.meta.dirname, 'object-server.mjs');
  const server = spawn(process.execPath, [program], { stdio: ['pipe', 'pipe', 'inherit'] });
  const ended = once(server, 'exit');
  const [port] = (await once(server.stdout.setEncoding('utf8'), 'data')) as [string];
  return {
    url: `http://127.0.0.1:${port.trim()}`,
    async [Symbol.asyncDispose]() {
      server.stdin.end();
      await ended;
    },
  };
}
