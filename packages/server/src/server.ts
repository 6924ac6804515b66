import type { Clock, Logs, Random, Traces } from '@terrane/host';
import { BUILT_IN_POOL } from './access/principal.ts';
import type { Database } from './database/database.ts';
import { migrate } from './database/database.ts';
import { createApp, type App } from './http/app.ts';
import { createOrganization } from './routes/organizations.ts';
import { ROUTES } from './routes/index.ts';
import { NOTIFICATION_TASKS, notifyOfRun } from './services/notifications.ts';
import { RUN_CHANGE_TASKS } from './services/run-changes.ts';
import { RUN_FLOW_TASKS } from './services/run-flow.ts';
import { RUN_TASK_TASKS } from './services/run-tasks.ts';
import { startTriggeredRuns } from './services/run-triggers.ts';
import { JobQueue } from './services/job-queue.ts';
import { FINISHED_JOB_TASKS } from './services/jobs.ts';
import { Metrics } from './services/metrics.ts';
import { type KeyWrapper, openSealing } from './services/sealing.ts';
import { type OidcOptions, SingleSignOn } from './services/single-sign-on.ts';
import { SINGLE_SIGN_ON_CALLBACK } from './web/paths.ts';
import { newId, type Services } from './services/services.ts';
import { doDueTasks, type TaskKinds, workOnTasks } from './services/tasks.ts';
import { UNUSED_BLOB_SCHEDULE } from './services/unused-blobs.ts';
import { ASSESSMENT_SCHEDULE } from './services/assessments.ts';
import { AUTO_DESTROY_SCHEDULE } from './services/auto-destroy.ts';
import { resumeStalledRuns, watchStalledRuns } from './services/stalled-runs.ts';
import { issueToken } from './services/tokens.ts';
import { VCS_TASKS } from './vcs/events.ts';
import { reportToVcs, VCS_REPORT_TASKS } from './vcs/reports.ts';
import { type TopicChannel, Wakeups } from './services/wakeups.ts';

/** The settings of a server. */
export interface ServerOptions {
  readonly db: Database;
  readonly clock: Pick<Clock, 'now' | 'sleep'>;
  readonly random: Random;
  /** encrypts the data key of the database */
  readonly keyWrapper: KeyWrapper;
  /** the external URL, without a final slash */
  readonly baseUrl: string;
  readonly send?: Services['send'];
  /** sign-in with an OpenID Connect provider */
  readonly oidc?: OidcOptions;
  readonly processUsage?: Services['processUsage'];
  readonly sendMail?: Services['sendMail'];
  readonly blobStorage?: Services['blobStorage'];
  readonly logs?: Logs;
  readonly traces?: Traces;
  /** requests in a second of each token; 0: no limits */
  readonly requestsPerSecond?: number;
  /** connects the servers of the database; without it, they find the work of each other by asking the database */
  readonly topics?: TopicChannel;
}

/** A server, and its services, with which the process creates the first user and tokens. */
export interface Server extends App {
  readonly services: Services;
  /** Does background work, such as deliveries, until the signal. Every server of a database may do it. */
  work(signal: AbortSignal): Promise<void>;
  /** Does the background work that is due. */
  workOnce(): Promise<void>;
  /** Ends waiting requests, and makes the server report that it is not ready, before the process ends. */
  drain(): void;
}

/** Background work of every kind. */
const TASKS: TaskKinds = {
  ...RUN_CHANGE_TASKS,
  ...FINISHED_JOB_TASKS,
  ...NOTIFICATION_TASKS,
  ...RUN_TASK_TASKS,
  ...RUN_FLOW_TASKS,
  ...ASSESSMENT_SCHEDULE.tasks,
  ...AUTO_DESTROY_SCHEDULE.tasks,
  ...UNUSED_BLOB_SCHEDULE.tasks,
  ...VCS_TASKS,
  ...VCS_REPORT_TASKS,
};

/** Migrates the database and creates a server that uses it. */
export async function openServer(options: ServerOptions): Promise<Server> {
  const { db, clock, random, baseUrl, send, logs, requestsPerSecond, processUsage, oidc } = options;
  const { sendMail, blobStorage } = options;
  await migrate(db);
  const sealing = await openSealing(db, random, options.keyWrapper);
  const wakeups = new Wakeups(options.topics);
  const services: Services = {
    db,
    clock,
    random,
    baseUrl,
    sealing,
    wakeups,
    jobQueue: new JobQueue(wakeups),
    metrics: new Metrics(),
    issuedTokens: new Map(),
    runListeners: [startTriggeredRuns, notifyOfRun, reportToVcs],
    ...(send !== undefined && { send }),
    ...(oidc !== undefined && {
      singleSignOn: new SingleSignOn(oidc, `${baseUrl}${SINGLE_SIGN_ON_CALLBACK}`),
    }),
    ...(processUsage !== undefined && { processUsage }),
    ...(sendMail !== undefined && { sendMail }),
    ...(blobStorage !== undefined && { blobStorage }),
    ...(logs !== undefined && { log: logs.core }),
    report: (problem) => logs?.core.write('warn', 'server', 'background work', { problem }),
  };
  await ASSESSMENT_SCHEDULE.start(services);
  await AUTO_DESTROY_SCHEDULE.start(services);
  await UNUSED_BLOB_SCHEDULE.start(services);
  const app = createApp(services, ROUTES, {
    ...(logs !== undefined && { logs }),
    ...(options.traces !== undefined && { traces: options.traces }),
    ...(requestsPerSecond !== undefined && { requestsPerSecond }),
  });
  return {
    services,
    ...app,
    async work(signal) {
      await Promise.all([workOnTasks(services, TASKS, signal), watchStalledRuns(services, signal)]);
    },
    async workOnce() {
      await resumeStalledRuns(services);
      while ((await doDueTasks(services, TASKS)) > 0);
    },
    drain: () => services.wakeups.close(),
  };
}

/** The first user of an installation. */
export interface FirstUser {
  readonly username: string;
  readonly email: string;
  readonly organization?: string;
}

/**
 * Creates the first user with a token, and an organization. Returns undefined if the installation has users.
 */
export async function createFirstUser(
  services: Services,
  { username, email, organization }: FirstUser,
): Promise<{ readonly token: string; readonly userId: string } | undefined> {
  const existing = await services.db.selectFrom('users').select('id').limit(1).executeTakeFirst();
  if (existing !== undefined) return undefined;
  const userId = newId(services, 'user');
  await services.db
    .insertInto('users')
    .values({
      id: userId,
      username,
      email,
      is_site_admin: true,
      is_service_account: false,
      created_at: services.clock.now(),
    })
    .execute();
  if (organization !== undefined) {
    await createOrganization(services, organization, email, {}, userId);
  }
  return { userId, token: await createUserToken(services, userId, 'first token') };
}

/** Creates a token of a user. */
export async function createUserToken(
  services: Services,
  userId: string,
  description: string,
): Promise<string> {
  const { token } = await issueToken(services, {
    kind: 'user',
    ownerId: userId,
    description,
    createdBy: userId,
    expiresAt: null,
  });
  return token;
}

/** Creates a token for agents that serve all organizations. */
export async function createAgentToken(services: Services, description: string): Promise<string> {
  const { token } = await issueToken(services, {
    kind: 'agent',
    ownerId: BUILT_IN_POOL,
    description,
    createdBy: null,
    expiresAt: null,
  });
  return token;
}

/** Creates a token that reads the metrics of the installation. */
export async function createMetricsToken(services: Services, description: string): Promise<string> {
  const { token } = await issueToken(services, {
    kind: 'metrics',
    ownerId: 'metrics',
    description,
    createdBy: null,
    expiresAt: null,
  });
  return token;
}
