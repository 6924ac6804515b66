import { errorDiagnostic, hasErrors, type Diagnostic } from '@terrane/hcl';
import { userErrorText } from '@terrane/host';
import {
  createAgentToken,
  createFirstUser,
  createMetricsToken,
  moveBlobs,
  listenPostgres,
  databaseClock,
  openPostgres,
  type Server,
} from '@terrane/server';
import type { CommandContext } from '../../command.ts';
import { untilInterrupted } from '../../run/until-interrupted.ts';
import { View } from '../../views/view.ts';
import type { ServerFlags } from './flags.ts';
import { runTogether, serve } from './listen.ts';
import { hostWithLog, keyWrapper, openWithFlags } from './open-with-flags.ts';
import { addressOf, optionProblems, type Values } from './option-problems.ts';
import { runDev } from './run-dev.ts';

/** Starts a server, or prepares its database. */
export async function runServerCommand(
  { values, rest, error }: ServerFlags,
  context: CommandContext,
): Promise<number> {
  const view = new View(context);
  const problems: Diagnostic[] = [];
  if (error !== undefined) problems.push(errorDiagnostic('Invalid command-line option', error));
  if (rest.length > 0) {
    problems.push(
      errorDiagnostic(
        'Too many command line arguments',
        'The server command expects no arguments.',
      ),
    );
  }
  problems.push(...optionProblems(values, context));
  view.diagnostics(problems);
  if (hasErrors(problems)) return 1;
  try {
    return values.dev
      ? await runDev(values, context, view)
      : await runProduction(values, context, view);
  } catch (problem) {
    view.diagnostics([errorDiagnostic('The server could not be started', userErrorText(problem))]);
    return 1;
  }
}

async function runProduction(values: Values, context: CommandContext, view: View): Promise<number> {
  const host = hostWithLog(context, values);
  const databaseUrl = context.world.environment['TERRANE_DATABASE_URL'] ?? '';
  const db = await openPostgres(databaseUrl);
  const channel = new AbortController();
  try {
    const config = await host.files.readText(values['encryption-config']);
    const wrapper = await keyWrapper(host, config, values['encryption-config'], view);
    if (wrapper === undefined) return 1;
    const address = addressOf(values.listen) ?? { host: '', port: 0 };
    const tls =
      values['tls-cert'] === ''
        ? undefined
        : {
            cert: await host.files.readText(values['tls-cert']),
            key: await host.files.readText(values['tls-key']),
          };
    const url = values.url === '' ? `https://${address.host}:${address.port}` : values.url;
    const topics = await listenPostgres({
      url: databaseUrl,
      sender: host.random.uuid(),
      clock: host.clock,
      signal: channel.signal,
    });
    const listening = {
      ...address,
      url: url.replace(/\/$/, ''),
      isBehindProxy: values['behind-proxy'],
      ...(tls !== undefined && { tls }),
    };
    const server = await openWithFlags(
      { ...host, clock: await databaseClock(db, host.clock) },
      db,
      wrapper,
      listening.url,
      values['allow-destination'],
      values,
      topics,
    );
    if (values['move-blobs'] !== '') {
      const to = values['move-blobs'] === 'storage' ? 'storage' : 'database';
      const { moved, remaining } = await moveBlobs(server.services, to);
      view.line(`Moved ${moved} contents.`);
      if (remaining === 0) return 0;
      view.diagnostics([
        errorDiagnostic(
          'Contents too large for the database',
          `${remaining} contents are larger than the database permits, and remain in the blob storage. Start the servers with -blob-storage, or delete what the contents belong to.`,
        ),
      ]);
      return 1;
    }
    if (values['create-user'] !== '') return await createUser(server, values, view);
    if (values['create-agent-token']) {
      view.line(await createAgentToken(server.services, 'created on the command line'));
      return 0;
    }
    if (values['create-metrics-token']) {
      view.line(await createMetricsToken(server.services, 'created on the command line'));
      return 0;
    }
    await untilInterrupted(context.world, async (signal) => {
      await runTogether(signal, [
        async (stop) => await serve(server, listening, view, stop),
        async (stop) => await server.work(stop),
      ]);
    });
    return 0;
  } finally {
    channel.abort();
    await db.destroy();
  }
}

async function createUser(server: Server, values: Values, view: View): Promise<number> {
  const email = values['create-user'];
  const created = await createFirstUser(server.services, {
    username: email.split('@')[0] ?? email,
    email,
    ...(values['create-organization'] !== '' && { organization: values['create-organization'] }),
  });
  if (created === undefined) {
    view.diagnostics([
      errorDiagnostic(
        'The server has users',
        'The option -create-user creates the first user only. Sign in as an owner of an organization to invite others.',
      ),
    ]);
    return 1;
  }
  view.line(created.token);
  return 0;
}
