// An organization that has existed for long, made by SQL: creating it through the API would take hours.

/** The numbers of objects of an organization. */
export interface LargeOrganization {
  readonly workspaces: number;
  readonly runs: number;
  readonly agents: number;
}

/** The share of the workspaces whose runs are executed by agents of one pool. */
const POOLED = 0.5;
/** One of this many runs has not ended. */
const UNFINISHED_EACH = 500;

/**
 * Inserts projects, workspaces with variables, states and runs, and agents into the organization `acme`. Their names
 * begin with `large-`.
 */
export async function insertLargeOrganization(
  query: (text: string) => Promise<unknown>,
  { workspaces, runs, agents }: LargeOrganization,
): Promise<void> {
  const organization = `(SELECT id FROM organizations WHERE name = 'acme')`;
  const project = `(SELECT id FROM projects WHERE is_default AND organization_id = ${organization})`;
  const workspace = `'ws-large' || lpad((n % ${workspaces})::text, 8, '0')`;
  await query(`INSERT INTO agent_pools (id, organization_id, name, organization_scoped, created_at)
    VALUES ('apool-large', ${organization}, 'large', true, now())`);
  await query(`INSERT INTO workspaces (id, organization_id, project_id, name, settings, agent_pool_id,
      lock_reason, created_at, updated_at)
    SELECT ${workspace}, ${organization}, ${project}, 'large-' || n,
      jsonb_build_object('execution-mode', CASE WHEN n < ${workspaces * POOLED} THEN 'agent' ELSE 'remote' END),
      CASE WHEN n < ${workspaces * POOLED} THEN 'apool-large' END, '', now(), now()
    FROM generate_series(0, ${workspaces - 1}) n`);
  await query(`INSERT INTO configuration_versions (id, workspace_id, status, source, speculative,
      provisional, auto_queue_runs, timestamps, created_at)
    SELECT 'cv-large' || n, ${workspace}, 'uploaded', 'tfe-api', false, false, false, '{}', now()
    FROM generate_series(0, ${workspaces - 1}) n`);
  await query(`INSERT INTO state_versions (id, workspace_id, serial, lineage, md5, status, size,
      created_at, summary)
    SELECT 'sv-large' || n, ${workspace}, 1, 'large', '', 'finalized', 0, now(), '{}'
    FROM generate_series(0, ${workspaces - 1}) n`);
  await query(`UPDATE workspaces SET current_state_version_id = 'sv-large' || substr(name, 7)
    WHERE name LIKE 'large-%'`);
  await query(`INSERT INTO runs (id, workspace_id, configuration_version_id, status, message, source,
      options, plan_only, is_destroy, auto_apply, save_plan, has_changes, timestamps, created_at,
      updated_at)
    SELECT 'run-large' || n, ${workspace}, 'cv-large' || (n % ${workspaces}),
      CASE WHEN n % ${UNFINISHED_EACH} = 0 THEN 'planned' WHEN n % 7 = 0 THEN 'errored' ELSE 'applied' END,
      'Run ' || n, 'tfe-api', '{}', false, false, false, false, true, '{}',
      now() - n * interval '1 minute', now()
    FROM generate_series(0, ${runs - 1}) n`);
  await query(`INSERT INTO stages (id, run_id, kind, status, summary, timestamps, log_finished)
    SELECT kind || '-large' || n, 'run-large' || n, kind, 'finished', '{}', '{}', true
    FROM generate_series(0, ${runs - 1}) n, unnest(ARRAY['plan', 'apply']) kind`);
  await query(`INSERT INTO agents (id, agent_pool_id, name, status, ip_address, last_ping_at)
    SELECT 'agent-large' || n, 'apool-large', 'large-' || n, CASE WHEN n < 100 THEN 'idle' ELSE 'exited' END,
      '', now()
    FROM generate_series(0, ${agents - 1}) n`);
  // What the database does in the background, some time after so many changes.
  await query('VACUUM ANALYZE');
}

/** The paths of lists of this organization, with what each is. */
export const LARGE_LISTS = {
  'workspaces, 20': '/api/v2/organizations/acme/workspaces?page[size]=20',
  'workspaces, 100': '/api/v2/organizations/acme/workspaces?page[size]=100',
  'workspaces by a part of the name':
    '/api/v2/organizations/acme/workspaces?search[name]=large-1234',
  'workspaces by the status of the run in progress':
    '/api/v2/organizations/acme/workspaces?filter[current-run][status]=planned',
  'runs of the organization, 20': '/api/v2/organizations/acme/runs?page[size]=20',
  'runs of the organization, 100': '/api/v2/organizations/acme/runs?page[size]=100',
  'runs of the organization by status': '/api/v2/organizations/acme/runs?filter[status]=errored',
  'runs of the organization that have not ended':
    '/api/v2/organizations/acme/runs?filter[status_group]=non_final',
  'queue of the organization': '/api/v2/organizations/acme/runs/queue',
  'runs of a workspace': '/api/v2/workspaces/ws-large00000042/runs?page[size]=20',
  'agent pools': '/api/v2/organizations/acme/agent-pools',
  'agents of a pool': '/api/v2/agent-pools/apool-large/agents',
  projects: '/api/v2/organizations/acme/projects',
  'page of the workspaces': '/app/acme',
} as const;

/** Those that are also measured as a team that can see the workspaces of one project. */
export const TEAM_LISTS = [
  'workspaces, 20',
  'runs of the organization, 20',
  'runs of the organization that have not ended',
  'queue of the organization',
] as const;
