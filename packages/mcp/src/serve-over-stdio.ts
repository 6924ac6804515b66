import type { Readable, Writable } from 'node:stream';
import type { Project } from '@terrane/ops';
import { loadLibrary } from './load-library.ts';
import { createTerraneServer, type McpServerOptions } from './server.ts';

/** The streams of a session. */
export interface SessionStreams {
  readonly input: Readable;
  readonly output: Writable;
}

/** Serves one session, until the input ends or the signal is aborted. Serves clients of all published revisions. */
export async function serveOverStdio(
  project: Project,
  options: McpServerOptions,
  { input, output }: SessionStreams,
  signal?: AbortSignal,
): Promise<void> {
  const { serveStdio, StdioServerTransport } = await loadLibrary();
  const transport = new StdioServerTransport(input, output);
  const ended = new Promise<void>((resolve) => {
    input.once('end', resolve);
    input.once('close', resolve);
    signal?.addEventListener('abort', () => resolve(), { once: true });
  });
  const handle = serveStdio(() => createTerraneServer(project, options), { transport });
  await ended;
  await handle.close();
}
