import { sql } from 'kysely';
import { fields } from '../http/request.ts';
import type { Workspace } from '../access/place.ts';
import { ApiError } from '../http/json-api.ts';
import { audit } from '../services/audit.ts';
import { getSmallBlob } from '../services/blobs.ts';
import { planJsonBlob } from '../services/jobs.ts';
import { confirmRun } from '../services/run-flow.ts';
import { isConfirmable } from '../services/run-status.ts';
import type { Run } from '../services/runs.ts';
import type { Services } from '../services/services.ts';
import { runPath } from '../web/paths.ts';
import type { VcsEvent } from './provider.ts';
import {
  type Connection,
  jsonFromProvider,
  ProviderError,
  type Repository,
  sendToProvider,
} from './repositories.ts';

type Comment = Extract<VcsEvent, { kind: 'comment' }>;

/** `terrane apply`, for one workspace if it is named. */
const COMMAND = /^terrane apply(?: +([\w-]{1,90}))?$/;
const LARGEST_PLAN = 32 * 1024 * 1024;

/** Returns true if a comment is a command. */
export const isCommand = ({ text }: Pick<Comment, 'text'>): boolean => COMMAND.test(text.trim());

/**
 * Applies the waiting runs of a merged pull request, in the workspaces that permit it. The author needs to write to the
 * repository, and the plan of a run has to have the changes of the plan that was commented on.
 */
export async function obeyComment(
  services: Services,
  repository: Repository,
  connection: Connection,
  comment: Comment,
  connected: readonly Workspace[],
): Promise<void> {
  const [, name] = COMMAND.exec(comment.text.trim()) ?? [];
  const workspaces = connected.filter(
    ({ settings, name: each }) =>
      settings['apply-from-comments'] === true && (name === undefined || name === each),
  );
  // Where nobody permits it, nobody learns that a server listens.
  if (workspaces.length === 0) return;
  const lines = await applied(services, repository, connection, comment, workspaces);
  const { provider, access } = connection;
  const body = `${lines.join('\n\n')}\n`;
  await sendToProvider(services, provider.comment(access, comment.number, body));
}

async function applied(
  services: Services,
  repository: Repository,
  connection: Connection,
  { number, author }: Comment,
  workspaces: readonly Workspace[],
): Promise<readonly string[]> {
  const { provider, access } = connection;
  if (!(await mayApply(services, connection, author))) {
    return ['Not applied: this needs the permission to write to the repository.'];
  }
  const outcome = provider.outcome(await jsonFromProvider(services, provider.pull(access, number)));
  if (!outcome.isMerged) {
    return ['Not applied: the pull request is not merged. Merge it, and comment again.'];
  }
  const lines: string[] = [];
  for (const workspace of workspaces) {
    const merged = await latestRun(services, workspace, {
      repository: repository.id,
      'commit-sha': outcome.mergeSha,
      'is-pull-request': false,
    });
    const title = `\`${workspace.name}\``;
    if (merged === undefined || !isConfirmable(merged.status)) {
      lines.push(
        `${title}: not applied. ${
          merged === undefined
            ? 'The merge has not started a run yet, or changed none of its files.'
            : `Its run is \`${merged.status}\`.`
        }`,
      );
      continue;
    }
    const reviewed = await latestRun(services, workspace, {
      repository: repository.id,
      'pull-request-number': number,
    });
    const { name: organization } = await services.db
      .selectFrom('organizations')
      .select('name')
      .where('id', '=', workspace.organization_id)
      .executeTakeFirstOrThrow();
    const url = `${services.baseUrl}${runPath(organization, workspace.name, merged.id)}`;
    if (reviewed === undefined || !(await hasSameChanges(services, reviewed, merged))) {
      lines.push(
        `${title}: not applied. The plan of the merge has other changes than the plan of this pull request. [Review it](${url}).`,
      );
      continue;
    }
    lines.push(await approve(services, workspace, merged, author, `${title}: `, url));
  }
  return lines;
}

async function approve(
  services: Services,
  workspace: Workspace,
  run: Run,
  author: string,
  title: string,
  url: string,
): Promise<string> {
  try {
    await confirmRun(services, run, null, run.plan_digest ?? '');
  } catch (error) {
    if (!(error instanceof ApiError)) throw error;
    return `${title}not applied. ${error.message}`;
  }
  await audit(
    services,
    { kind: 'anonymous' },
    {
      organizationId: workspace.organization_id,
      action: 'apply-from-comment',
      type: 'run',
      id: run.id,
      details: { author },
    },
  );
  return `${title}approved. [Open the run](${url}).`;
}

async function mayApply(
  services: Services,
  { provider, access }: Connection,
  author: string,
): Promise<boolean> {
  if (author === '') return false;
  try {
    return provider.mayWrite(await jsonFromProvider(services, provider.permission(access, author)));
  } catch (error) {
    // The provider answers so for users without any permission.
    const isUnknown = error instanceof ProviderError && [403, 404].includes(error.status);
    if (!isUnknown) throw error;
    return false;
  }
}

/** Returns the latest run of a workspace whose ingress has the values. */
async function latestRun(
  { db }: Pick<Services, 'db'>,
  workspace: Workspace,
  ingress: object,
): Promise<Run | undefined> {
  return await db
    .selectFrom('runs')
    .innerJoin(
      'configuration_versions',
      'configuration_versions.id',
      'runs.configuration_version_id',
    )
    .selectAll('runs')
    .where('runs.workspace_id', '=', workspace.id)
    .where(sql<boolean>`configuration_versions.ingress @> ${JSON.stringify(ingress)}::jsonb`)
    .orderBy('runs.created_at', 'desc')
    .limit(1)
    .executeTakeFirst();
}

/** Returns true if the plans of two runs change the same objects in the same way. */
async function hasSameChanges(services: Services, firstRun: Run, secondRun: Run): Promise<boolean> {
  const [first, second] = [
    await changesOf(services, firstRun),
    await changesOf(services, secondRun),
  ];
  return first !== undefined && first === second;
}

/** Returns the changes of a plan as a text; undefined if they cannot be compared. */
async function changesOf(services: Services, run: Run): Promise<string | undefined> {
  const bytes = await getSmallBlob(services, planJsonBlob(run.id), LARGEST_PLAN);
  if (bytes === undefined || bytes === 'too large') return undefined;
  const { resource_changes: changes, output_changes: outputs } = fields(
    JSON.parse(bytes.toString('utf8')),
  );
  const list = (Array.isArray(changes) ? (changes as readonly unknown[]) : []).map((each) => {
    const { address, deposed, change } = fields(each);
    return JSON.stringify([address, deposed, change]);
  });
  return JSON.stringify([list.toSorted(), outputs]);
}
