// The servers that cases need.
import type { Case } from '../differential/case.ts';
import { startAnsweringServer } from './answering-server.ts';
import { startObjectServer } from './object-server.ts';
import { startPostgresql } from './postgresql.ts';
import { startRabbitmq } from './rabbitmq.ts';

/** Starts what a case needs, gives the environment by which it finds it, and ends it again. */
export async function withServers<T>(
  { needs }: Case,
  use: (env: Readonly<Record<string, string>>) => Promise<T>,
): Promise<T> {
  const started: AsyncDisposable[] = [];
  const env: Record<string, string> = {};
  try {
    for (const need of needs) {
      if (need === 'postgresql') {
        const server = await startPostgresql();
        started.push(server);
        Object.assign(env, { TF_VAR_port: String(server.port), PGPORT: String(server.port) });
      } else if (need === 'server') {
        const server = await startAnsweringServer();
        started.push(server);
        env['TF_VAR_url'] = server.url;
      } else if (need === 'objects') {
        const server = await startObjectServer();
        started.push(server);
        env['TF_VAR_url'] = server.url;
      } else if (need === 'rabbitmq') {
        const server = await startRabbitmq();
        started.push(server);
        env['TF_VAR_url'] = server.url;
      } else throw new Error(`no such server: ${need}`);
    }
    return await use(env);
  } finally {
    for (const server of started) await server[Symbol.asyncDispose]();
  }
}
