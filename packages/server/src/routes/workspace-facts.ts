import { sql } from 'kysely';
import type { Workspace } from '../access/place.ts';
import { AUTO_DESTROY_DURATION } from '../services/auto-destroy.ts';
import { ASSESSMENT_SOURCE } from '../services/notifications.ts';
import type { Services } from '../services/services.ts';

/** Rows of other tables that the presentation of a workspace contains. */
export interface WorkspaceFacts {
  readonly tags: readonly { readonly id: string; readonly name: string }[];
  readonly latestRun: string | null;
  readonly runs: number;
  readonly assessedAt: Date | null;
  /** the summary of the current state */
  readonly summary: Readonly<Record<string, unknown>> | null;
  readonly outputs: readonly string[];
  readonly configuration: string | null;
  readonly bindings: readonly string[];
  readonly variables: readonly string[];
  /** the time without changes after which workspaces of the project are destroyed */
  readonly projectDuration: string | null;
}

const NOTHING: WorkspaceFacts = {
  tags: [],
  latestRun: null,
  runs: 0,
  assessedAt: null,
  summary: null,
  outputs: [],
  configuration: null,
  bindings: [],
  variables: [],
  projectDuration: null,
};

/** Reads the facts of several workspaces in one query. Returns them by the ID of the workspace. */
export async function workspaceFacts(
  { db }: Pick<Services, 'db'>,
  workspaces: readonly Pick<Workspace, 'id'>[],
): Promise<(id: string) => WorkspaceFacts> {
  if (workspaces.length === 0) return () => NOTHING;
  const ids = workspaces.map(({ id }) => id);
  const { rows } = await sql<WorkspaceFacts & { readonly id: string }>`
    SELECT w.id,
      coalesce((
        SELECT json_agg(json_build_object('id', t.id, 'name', t.name) ORDER BY t.name)
        FROM workspace_tags wt JOIN tags t ON t.id = wt.tag_id WHERE wt.workspace_id = w.id
      ), '[]') AS tags,
      (
        SELECT r.id FROM runs r WHERE r.workspace_id = w.id AND NOT r.plan_only
        ORDER BY r.created_at DESC LIMIT 1
      ) AS "latestRun",
      (
        SELECT count(*)::int FROM runs r
        WHERE r.workspace_id = w.id AND r.source <> ${ASSESSMENT_SOURCE}
      ) AS runs,
      (
        SELECT a.created_at FROM assessment_results a WHERE a.workspace_id = w.id
        ORDER BY a.created_at DESC, a.id LIMIT 1
      ) AS "assessedAt",
      (SELECT s.summary FROM state_versions s WHERE s.id = w.current_state_version_id) AS summary,
      coalesce((
        SELECT json_agg(o.id) FROM state_outputs o
        WHERE o.state_version_id = w.current_state_version_id
      ), '[]') AS outputs,
      (
        -- A provisional one becomes current with its run.
        SELECT c.id FROM configuration_versions c
        WHERE c.workspace_id = w.id AND (
          NOT c.provisional OR EXISTS (
            SELECT 1 FROM runs r WHERE r.configuration_version_id = c.id
          )
        )
        ORDER BY c.created_at DESC LIMIT 1
      ) AS configuration,
      coalesce((
        SELECT json_agg(b.id) FROM tag_bindings b WHERE b.subject_id = w.id
      ), '[]') AS bindings,
      coalesce((
        SELECT json_agg(v.id ORDER BY v.created_at) FROM variables v WHERE v.owner_id = w.id
      ), '[]') AS variables,
      (
        SELECT p.settings->>${AUTO_DESTROY_DURATION} FROM projects p WHERE p.id = w.project_id
      ) AS "projectDuration"
    FROM workspaces w WHERE w.id IN (${sql.join(ids)})`.execute(db);
  const byId = new Map(rows.map((row) => [row.id, row]));
  return (id) => byId.get(id) ?? NOTHING;
}
