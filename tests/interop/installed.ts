// Which published providers this machine has, and the servers that cases need.
import {
  INTEROP,
  isInstalled,
  PROVIDERS,
  type PublishedProvider,
} from '../../scripts/oracle/install-providers.mjs';
import type { Case } from '../differential/case.ts';
import { startAnsweringServer } from './answering-server.ts';
import { startPostgresql } from './postgresql.ts';

const published: readonly PublishedProvider[] = [
  ...Object.entries(PROVIDERS).map(([type, rest]) => ({ type, ...rest })),
  ...INTEROP,
];

/** The providers of a case (`type` or `type@version`) that this machine does not have. */
export function missingProviders({ providers }: Case): readonly string[] {
  return providers.filter((name) => {
    const [type, version] = name.split('@');
    return !published.some(
      (each) =>
        each.type === type &&
        (version === undefined || each.version === version) &&
        isInstalled(each),
    );
  });
}

/** Providers that any machine with Go can build, and this one has not built. */
export function missingModules(): readonly string[] {
  return published
    .filter((each) => each.module !== undefined && !isInstalled(each))
    .map(({ type, version }) => `${type} ${version}`);
}

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
      } else throw new Error(`no such server: ${need}`);
    }
    return await use(env);
  } finally {
    for (const server of started) await server[Symbol.asyncDispose]();
  }
}
