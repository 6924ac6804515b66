import { sql } from 'kysely';
import type { Workspace } from '../access/place.ts';
import { fields } from '../http/request.ts';
import { getSmallBlob } from '../services/blobs.ts';
import { planJsonBlob } from '../services/jobs.ts';
import { countsOf, policyCheckOf } from '../services/policies.ts';
import { readRun, type Run, stageOf } from '../services/runs.ts';
import type { RunListener, Services } from '../services/services.ts';
import { enqueue, type TaskKind } from '../services/tasks.ts';
import { runPath } from '../web/paths.ts';
import { planComment, type CommentRun } from './comment.ts';
import type { CommitCheck, CommitState, VcsEvent } from './provider.ts';
import {
  type Connection,
  jsonFromProvider,
  openRepository,
  sendToProvider,
} from './repositories.ts';

const STATUS = 'vcs-status';
const COMMENT = 'vcs-comment';
const LARGEST_PLAN = 32 * 1024 * 1024;

/** Enqueues the reports of a run that version control has started. */
export const reportToVcs: RunListener = async (services, run) => {
  const ingress = await ingressOf(services, run);
  if (ingress === undefined) return;
  await enqueue(services, services.db, { kind: STATUS, key: run.id, payload: { run: run.id } });
  if (ingress.pull === null) return;
  await enqueue(services, services.db, {
    kind: COMMENT,
    key: `${ingress.repository} ${ingress.pull}`,
    payload: { repository: ingress.repository, pull: ingress.pull, commit: ingress.commit },
  });
};

interface KnownIngress {
  readonly repository: string;
  readonly commit: string;
  readonly pull: number | null;
}

async function ingressOf(services: Services, run: Run): Promise<KnownIngress | undefined> {
  const row = await services.db
    .selectFrom('configuration_versions')
    .select('ingress')
    .where('id', '=', run.configuration_version_id)
    .executeTakeFirst();
  const { repository, 'commit-sha': commit, 'pull-request-number': pull } = fields(row?.ingress);
  if (typeof repository !== 'string' || typeof commit !== 'string') return undefined;
  return { repository, commit, pull: typeof pull === 'number' ? pull : null };
}

/** Sends statuses of commits, and the comments on pull requests. */
export const VCS_REPORT_TASKS: Readonly<Record<string, TaskKind>> = {
  [STATUS]: {
    async run(services, { run: id }) {
      const run = await readRun(services.db, String(id));
      const ingress = await ingressOf(services, run);
      const connection = await connectionOf(services, ingress?.repository);
      if (ingress === undefined || connection === undefined) return;
      const { provider, access } = connection;
      const place = await placeOf(services, run);
      const { state, description } = await summaryOf(services, run);
      const status = { state, description, url: place.url, context: contextOf(place) };
      if (provider.checks === undefined || access.isApp !== true) {
        await sendToProvider(services, provider.setStatus(access, ingress.commit, status));
        return;
      }
      const summary = planComment([await commentOf(services, run)], ingress.commit);
      await writeCheck(services, connection, ingress.commit, {
        ...status,
        externalId: run.id,
        summary,
      });
    },
  },
  [COMMENT]: {
    async run(services, { repository, pull, commit }) {
      await updateComment(services, String(repository), Number(pull), String(commit));
    },
  },
};

async function connectionOf(
  services: Services,
  repositoryId: string | undefined,
): Promise<Connection | undefined> {
  const repository = await services.db
    .selectFrom('vcs_repositories')
    .selectAll()
    .where('id', '=', repositoryId ?? '')
    .executeTakeFirst();
  return repository === undefined ? undefined : await openRepository(services, repository);
}

interface RunPlace {
  readonly organization: string;
  readonly workspace: string;
  readonly url: string;
}

async function placeOf({ db, baseUrl }: Services, run: Run): Promise<RunPlace> {
  const { organization, workspace } = await db
    .selectFrom('workspaces')
    .innerJoin('organizations', 'organizations.id', 'workspaces.organization_id')
    .select(['organizations.name as organization', 'workspaces.name as workspace'])
    .where('workspaces.id', '=', run.workspace_id)
    .executeTakeFirstOrThrow();
  return { organization, workspace, url: `${baseUrl}${runPath(organization, workspace, run.id)}` };
}

const contextOf = ({ organization, workspace }: Omit<RunPlace, 'url'>): string =>
  `terrane/${organization}/${workspace}`;

const STATES: Readonly<Record<string, CommitState>> = {
  applied: 'success',
  planned_and_finished: 'success',
  planned: 'pending',
  policy_soft_failed: 'failure',
  errored: 'failure',
  canceled: 'error',
  discarded: 'error',
};

/** Returns the state of a commit by its run, with a sentence. */
async function summaryOf(
  services: Services,
  run: Run,
): Promise<{ readonly state: CommitState; readonly description: string }> {
  const state = STATES[run.status] ?? 'pending';
  const { summary } = await stageOf(services.db, run.id, 'plan');
  const count = (name: string): string => String(summary[`resource-${name}`] ?? 0);
  const changes = `${count('additions')} to add, ${count('changes')} to change, ${count('destructions')} to destroy`;
  const check = await policyCheckOf(services.db, run.id);
  const { soft, hard } = countsOf(check?.result);
  if (soft + hard > 0 && state === 'failure') {
    return { state, description: `${soft + hard} policies failed: ${changes}` };
  }
  const sentences: Readonly<Record<string, string>> = {
    applied: `Applied: ${changes}`,
    planned: `Waiting for approval: ${changes}`,
    policy_checked: `Waiting for approval: ${changes}`,
    policy_override: 'Policies failed: waiting for an override',
    planned_and_finished: run.has_changes ? `Planned: ${changes}` : 'No changes',
    policy_soft_failed: 'Policies failed',
    errored: 'The run has failed',
    canceled: 'The run was canceled',
    discarded: 'The plan was discarded',
    applying: 'Applying',
  };
  return { state, description: sentences[run.status] ?? 'Planning' };
}

/** Returns the presentation of a run in comments and checks. */
async function commentOf(services: Services, run: Run): Promise<CommentRun> {
  const { organization, workspace, url } = await placeOf(services, run);
  const { state, description } = await summaryOf(services, run);
  const bytes = await getSmallBlob(services, planJsonBlob(run.id), LARGEST_PLAN);
  const plan: unknown = Buffer.isBuffer(bytes) ? JSON.parse(bytes.toString('utf8')) : undefined;
  return { name: `${organization}/${workspace}`, url, state, description, plan };
}

/** Writes the check of a run: one, which is updated. */
async function writeCheck(
  services: Services,
  { provider: { checks }, access }: Connection,
  commit: string,
  check: CommitCheck,
): Promise<void> {
  if (checks === undefined) return;
  const existing = await jsonFromProvider(services, checks.find(access, commit, check.context));
  const id = checks.idIn(existing, check.externalId);
  await sendToProvider(services, checks.write(access, commit, check, id));
}

/** Writes the one comment of a pull request, with the latest run of each workspace for its newest commit. */
async function updateComment(
  services: Services,
  repositoryId: string,
  pull: number,
  commit: string,
): Promise<void> {
  const connection = await connectionOf(services, repositoryId);
  if (connection === undefined) return;
  const { db } = services;
  const existing = await db
    .selectFrom('vcs_pulls')
    .selectAll()
    .where('repository_id', '=', repositoryId)
    .where('number', '=', pull)
    .executeTakeFirst();
  const ingress = JSON.stringify({
    repository: repositoryId,
    'commit-sha': commit,
    'pull-request-number': pull,
  });
  const rows = await db
    .selectFrom('runs')
    .innerJoin(
      'configuration_versions',
      'configuration_versions.id',
      'runs.configuration_version_id',
    )
    .selectAll('runs')
    .where(sql<boolean>`configuration_versions.ingress @> ${ingress}::jsonb`)
    .orderBy('runs.created_at', 'desc')
    .execute();
  const latest = new Map<string, Run>();
  for (const row of rows) if (!latest.has(row.workspace_id)) latest.set(row.workspace_id, row);
  const parts: CommentRun[] = [];
  for (const run of latest.values()) {
    parts.push(await commentOf(services, run));
  }
  parts.sort((a, b) => (a.name < b.name ? -1 : 1));
  const { provider, access } = connection;
  const body = planComment(parts, commit);
  const commentId = existing?.comment_id ?? undefined;
  const answer = await jsonFromProvider(services, provider.comment(access, pull, body, commentId));
  const { id } = fields(answer);
  await db
    .insertInto('vcs_pulls')
    .values({
      repository_id: repositoryId,
      number: pull,
      head: commit,
      comment_id: commentId ?? String(id),
    })
    .onConflict((conflict) =>
      conflict.columns(['repository_id', 'number']).doUpdateSet({ head: commit }),
    )
    .execute();
}

/** Reports that a pull request of a fork is not planned. */
export async function refuseFork(
  services: Services,
  connection: Connection,
  workspace: Workspace,
  event: Extract<VcsEvent, { kind: 'pull' }>,
): Promise<void> {
  const { name: organization } = await services.db
    .selectFrom('organizations')
    .select('name')
    .where('id', '=', workspace.organization_id)
    .executeTakeFirstOrThrow();
  const status = {
    state: 'error' as const,
    context: contextOf({ organization, workspace: workspace.name }),
    description: 'Not planned: pull requests of forks would receive the secrets of the workspace',
    url: event.url,
  };
  const { provider, access } = connection;
  if (access.isApp === true && provider.checks !== undefined) {
    const check = { ...status, externalId: workspace.id, summary: status.description };
    await writeCheck(services, connection, event.commit.sha, check);
  } else {
    await sendToProvider(services, provider.setStatus(access, event.commit.sha, status));
  }
}
