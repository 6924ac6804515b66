import { sql } from 'kysely';
import { errorText } from '@terrane/host';
import { type Workspace, workspaceById } from '../access/place.ts';
import { LARGEST_BLOB, putBlob } from '../services/blobs.ts';
import { configurationBlob } from '../services/jobs.ts';
import { createRun, executionMode } from '../services/runs.ts';
import { newId, type Services } from '../services/services.ts';
import type { TaskKind } from '../services/tasks.ts';
import { repackArchive } from './archive.ts';
import { mergedArchive } from './merge.ts';
import { type Commit, FILES_PER_PAGE, type VcsEvent } from './provider.ts';
import {
  CONNECT,
  type Connection,
  jsonFromProvider,
  openRepository,
  ProviderError,
  type Repository,
  repositoryOf,
  secretOf,
  sendToProvider,
  vcsOf,
  webhookUrl,
} from './repositories.ts';
import { obeyComment } from './comment-commands.ts';
import { refuseFork } from './reports.ts';
import { isTriggered } from './triggers.ts';

/** The kind of the task that starts the runs of an event. */
export const EVENT = 'vcs-event';
/** More changed files are not requested: everything is triggered then. */
const MOST_PAGES = 20;

/** Connects repositories, and starts the runs of events. */
export const VCS_TASKS: Readonly<Record<string, TaskKind>> = {
  [CONNECT]: {
    async run(services, { workspace: id }) {
      const workspace = await workspaceById(services, String(id));
      if (workspace !== undefined) await connect(services, workspace);
    },
  },
  [EVENT]: {
    async run(services, { repository: id, event }) {
      const repository = await services.db
        .selectFrom('vcs_repositories')
        .selectAll()
        .where('id', '=', String(id))
        .executeTakeFirst();
      // The payload was written by the webhook from a parsed event.
      if (repository !== undefined) await startRuns(services, repository, event as VcsEvent);
    },
  },
};

/** Creates the webhook of a repository, and takes over the configuration of the branch. */
async function connect(services: Services, workspace: Workspace): Promise<void> {
  const vcs = vcsOf(workspace);
  const repository = vcs === undefined ? undefined : await repositoryOf(services, vcs);
  if (vcs === undefined || repository === undefined) return;
  const connection = await openRepository(services, repository);
  const { provider, access } = connection;
  const setError = async (error: string | null): Promise<void> => {
    await services.db
      .updateTable('vcs_repositories')
      .set({ error })
      .where('id', '=', repository.id)
      .execute();
  };
  try {
    if (repository.hook_id === null) {
      const url = webhookUrl(services, repository.id);
      const request = provider.createHook(access, url, secretOf(services, repository));
      const created: unknown = await jsonFromProvider(services, request);
      const { id } = created as { readonly id?: unknown };
      await services.db
        .updateTable('vcs_repositories')
        .set({ hook_id: String(id), error: null })
        .where('id', '=', repository.id)
        .execute();
    }
    const branch =
      vcs.branch ||
      provider.defaultBranch(await jsonFromProvider(services, provider.repository(access)));
    const commit = provider.commit(
      await jsonFromProvider(services, provider.branch(access, branch)),
    );
    await ingest(services, workspace, repository, connection, {
      commit,
      branch,
      startsRun: workspace.settings['queue-all-runs'] === true,
    });
    await setError(null);
  } catch (error) {
    // The page of the settings shows the reason; the task is tried again.
    await setError(errorText(error).slice(0, 1_000));
    throw error;
  }
}

async function startRuns(
  services: Services,
  repository: Repository,
  event: VcsEvent,
): Promise<void> {
  const connected = JSON.stringify({
    identifier: repository.identifier,
    'oauth-token-id': repository.oauth_token_id,
  });
  const workspaces = await services.db
    .selectFrom('workspaces')
    .selectAll()
    .where(sql<boolean>`settings->'vcs-repo' @> ${connected}::jsonb`)
    .orderBy('name')
    .execute();
  const connection = await openRepository(services, repository);
  if (event.kind === 'comment') {
    await obeyComment(services, repository, connection, event, workspaces);
    return;
  }
  const target = event.kind === 'push' ? event.branch : event.base;
  const wanted = workspaces.filter((workspace) => {
    const branch = vcsOf(workspace)?.branch || event.defaultBranch;
    if (branch !== target || executionMode(workspace) === 'local') return false;
    return event.kind === 'push' || workspace.settings['speculative-enabled'] !== false;
  });
  if (wanted.length === 0) return;
  if (event.kind === 'pull' && event.isFork) {
    // Whoever opens it would execute a program with the secrets of the workspace.
    for (const workspace of wanted) await refuseFork(services, connection, workspace, event);
    return;
  }
  const files = await changedFiles(services, connection, event);
  const planned = await plannedWorkspaces(services, repository, event);
  const failures: unknown[] = [];
  for (const workspace of wanted) {
    if (!isTriggered(workspace, files) && !planned.has(workspace.id)) continue;
    try {
      await ingest(services, workspace, repository, connection, {
        commit: event.commit,
        branch: event.kind === 'push' ? event.branch : event.head,
        startsRun: true,
        ...(event.kind === 'pull' && { pull: event }),
      });
    } catch (error) {
      failures.push(error);
    }
  }
  if (failures.length > 0) throw failures[0];
}

/**
 * Returns the workspaces that earlier commits of a pull request were planned for. They are planned again even if it
 * changes none of their files any more: its comment would show the changes of an earlier commit otherwise.
 */
async function plannedWorkspaces(
  { db }: Services,
  repository: Repository,
  event: Exclude<VcsEvent, { kind: 'comment' }>,
): Promise<ReadonlySet<string>> {
  if (event.kind === 'push') return new Set();
  const ingress = JSON.stringify({
    repository: repository.id,
    'pull-request-number': event.number,
  });
  const rows = await db
    .selectFrom('configuration_versions')
    .select('workspace_id')
    .distinct()
    .where(sql<boolean>`ingress @> ${ingress}::jsonb`)
    .execute();
  return new Set(rows.map(({ workspace_id: id }) => id));
}

async function changedFiles(
  services: Services,
  { provider, access }: Connection,
  event: Exclude<VcsEvent, { kind: 'comment' }>,
): Promise<readonly string[] | undefined> {
  if (event.kind === 'push') return event.changedFiles;
  const files: string[] = [];
  for (let page = 1; page <= MOST_PAGES; page++) {
    const request = provider.changedFiles(access, event.number, page);
    const json = await jsonFromProvider(services, request);
    files.push(...provider.paths(json));
    if (!Array.isArray(json) || json.length < FILES_PER_PAGE) return files;
  }
  return undefined;
}

/** Downloads the archive of a commit, or of the merge of a pull request if the provider has one. */
async function archiveOf(
  services: Services,
  { provider, access }: Connection,
  sha: string,
  pull?: number,
): Promise<Buffer> {
  const [first, ...others] = provider.archives(access, sha, pull);
  if (first === undefined) throw new Error('The provider has no archives.');
  try {
    return await sendToProvider(services, first, LARGEST_BLOB);
  } catch (error) {
    // There is no merge of a pull request with conflicts.
    const [second] = others;
    if (second === undefined || !isMissing(error)) throw error;
    return await sendToProvider(services, second, LARGEST_BLOB);
  }
}

const isMissing = (error: unknown): boolean =>
  error instanceof ProviderError && error.status === 404;

/**
 * Returns the merge of a pull request that the provider does not make; undefined if there is none: with conflicts, or if
 * the request has another commit already, whose event follows.
 */
async function mergeOf(
  services: Services,
  connection: Connection,
  sha: string,
  pull: number,
): Promise<Buffer | undefined> {
  const { provider, access } = connection;
  if (provider.mergeParents === undefined) return undefined;
  const json = await jsonFromProvider(services, provider.pull(access, pull));
  const parents = provider.mergeParents(json);
  // Without commits of the base since the ancestor, the merge is the head.
  if (parents === undefined || parents.head !== sha || parents.base === parents.ancestor) {
    return undefined;
  }
  try {
    return await mergedArchive({
      ancestor: await archiveOf(services, connection, parents.ancestor),
      base: await archiveOf(services, connection, parents.base),
      head: await archiveOf(services, connection, parents.head),
    });
  } catch (error) {
    if (isMissing(error)) return undefined;
    throw error;
  }
}

interface Ingress {
  readonly commit: Commit;
  readonly branch: string;
  readonly startsRun: boolean;
  readonly pull?: Extract<VcsEvent, { kind: 'pull' }>;
}

/** Takes a commit over as a configuration version, and starts its run. Does nothing for one that is known. */
async function ingest(
  services: Services,
  workspace: Workspace,
  repository: Repository,
  connection: Connection,
  { commit, branch, startsRun, pull }: Ingress,
): Promise<void> {
  const { db, clock } = services;
  if (!/^[\da-f]{7,64}$/i.test(commit.sha)) throw new Error('The event names no commit.');
  const existing = await db
    .selectFrom('configuration_versions')
    .select('ingress')
    .where('workspace_id', '=', workspace.id)
    .where(sql<boolean>`ingress->>'commit-sha' = ${commit.sha}`)
    .execute();
  const number = pull?.number ?? null;
  // An event that was sent again starts no second run.
  if (existing.some(({ ingress }) => (ingress?.['pull-request-number'] ?? null) === number)) return;
  const archive =
    (number === null ? undefined : await mergeOf(services, connection, commit.sha, number)) ??
    (await repackArchive(await archiveOf(services, connection, commit.sha, number ?? undefined)));
  const id = newId(services, 'cv');
  await putBlob(services, configurationBlob(id), archive);
  const now = clock.now();
  const ingress = {
    repository: repository.id,
    branch,
    identifier: repository.identifier,
    'clone-url': workspace.settings['vcs-repo'] === undefined ? '' : urlOf(workspace),
    'commit-sha': commit.sha,
    'commit-message': commit.message.slice(0, 2_000),
    'commit-url': commit.url,
    'sender-username': commit.author,
    'is-pull-request': pull !== undefined,
    'pull-request-number': number,
    'pull-request-title': pull?.title ?? null,
    'pull-request-url': pull?.url ?? null,
    'on-default-branch': false,
  };
  const configuration = await db
    .insertInto('configuration_versions')
    .values({
      id,
      workspace_id: workspace.id,
      status: 'uploaded',
      source: 'tfe-vcs',
      speculative: pull !== undefined,
      provisional: false,
      auto_queue_runs: startsRun,
      may_apply: pull === undefined,
      error: null,
      ingress: JSON.stringify(ingress),
      timestamps: JSON.stringify({ 'uploaded-at': now.toISOString() }),
      created_at: now,
    })
    .returningAll()
    .executeTakeFirstOrThrow();
  if (!startsRun) return;
  await createRun(services, workspace, {
    configuration,
    message: (pull?.title ?? commit.message).split('\n')[0]?.slice(0, 500) ?? '',
    source: 'tfe-configuration-version',
    options: {},
    planOnly: pull !== undefined,
    isDestroy: false,
    autoApply: workspace.settings['auto-apply'] === true,
    savePlan: false,
    createdBy: null,
  });
}

function urlOf({ settings }: Pick<Workspace, 'settings'>): string {
  const repo = settings['vcs-repo'] as { readonly 'repository-http-url'?: unknown };
  const url = repo['repository-http-url'];
  return typeof url === 'string' ? url : '';
}
