// The server that answers as Google Cloud Storage does, with a bucket `states`. scripts/install-fake-gcs.sh installs it.
import { spawn } from 'node:child_process';
import { freePort } from '../interop/free-port.ts';
import { installedServer } from './programs.ts';

/** The path of the server; undefined if it is not installed. */
export const FAKE_GCS: string | undefined = installedServer('fake-gcs', 'fake-gcs-server');

/** The server, while it runs. */
export interface FakeGcs {
  readonly origin: string;
  /** what programs need in their environment to reach it as Google */
  readonly env: Readonly<Record<string, string>>;
  stop(): Promise<void>;
}

/** Starts the server, with nothing in its bucket. */
export async function startFakeGcs(program: string): Promise<FakeGcs> {
  const port = await freePort();
  const origin = `http://127.0.0.1:${port}`;
  const place = ['-scheme', 'http', '-host', '127.0.0.1', '-port', String(port)];
  const outside = ['-public-host', `127.0.0.1:${port}`, '-external-url', origin];
  const server = spawn(program, ['-backend', 'memory', ...place, ...outside], { stdio: 'ignore' });
  const ended = new Promise((resolve) => server.once('exit', resolve));
  for (let attempt = 0; ; attempt++) {
    const made = await fetch(`${origin}/storage/v1/b?project=p`, {
      method: 'POST',
      body: JSON.stringify({ name: 'states' }),
    }).then(
      ({ ok }) => ok,
      () => false,
    );
    if (made) break;
    if (attempt > 2_400 || server.exitCode !== null) throw new Error('the server does not answer');
    await new Promise((resolve) => setTimeout(resolve, 100));
  }
  return {
    origin,
    env: {
      GOOGLE_STORAGE_CUSTOM_ENDPOINT: `${origin}/storage/v1/`,
      GOOGLE_OAUTH_ACCESS_TOKEN: 'token',
    },
    async stop() {
      server.kill();
      await ended;
    },
  };
}
