import type { Organization, Workspace } from '../access/place.ts';
import type { Database } from '../database/database.ts';
import type { JsonObject } from '../database/schema.ts';

/** The setting of a workspace whose execution mode and agent pool are those of its project or organization. */
export const INHERITS = 'inherits-execution-mode';

/** Where the runs of a workspace are executed. */
export interface Execution {
  readonly mode: string;
  readonly pool: string | null;
}

const textOf = (value: unknown): string | undefined =>
  typeof value === 'string' && value !== '' ? value : undefined;

/** Returns the execution mode that the workspaces of a project inherit: that of the project, or of the organization. */
export async function inheritedExecution(
  db: Database,
  organization: Pick<Organization, 'settings'>,
  projectId: string,
): Promise<Execution> {
  const project = await db
    .selectFrom('projects')
    .select('settings')
    .where('id', '=', projectId)
    .executeTakeFirst();
  return executionOf(organization.settings, project?.settings ?? {});
}

function executionOf(organization: JsonObject, project: JsonObject): Execution {
  const projectMode = textOf(project['default-execution-mode']);
  const mode = projectMode ?? textOf(organization['default-execution-mode']) ?? 'remote';
  if (mode !== 'agent') return { mode, pool: null };
  const pool =
    projectMode === undefined
      ? organization['default-agent-pool']
      : project['default-agent-pool-id'];
  return { mode, pool: textOf(pool) ?? null };
}

/** Updates the workspaces that inherit their execution mode, after that of the organization or a project has changed. */
export async function inheritExecution(
  db: Database,
  organization: Pick<Organization, 'id' | 'settings'>,
): Promise<void> {
  const rows = await db
    .selectFrom('workspaces')
    .innerJoin('projects', 'projects.id', 'workspaces.project_id')
    .select(['workspaces.id', 'workspaces.settings', 'projects.settings as project'])
    .where('workspaces.organization_id', '=', organization.id)
    .execute();
  for (const { id, settings, project } of rows) {
    if (settings[INHERITS] !== true) continue;
    const { mode, pool } = executionOf(organization.settings, project);
    await db
      .updateTable('workspaces')
      .set({
        settings: JSON.stringify({ ...settings, 'execution-mode': mode }),
        agent_pool_id: pool,
      })
      .where('id', '=', id)
      .execute();
  }
}

/** Returns true if the execution mode of a workspace is that of its project or organization. */
export const inheritsExecution = ({ settings }: Pick<Workspace, 'settings'>): boolean =>
  settings[INHERITS] === true;
