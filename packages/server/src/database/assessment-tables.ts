/** Health assessments: drift runs by schedule, and their results. */
export const ASSESSMENT_TABLES: readonly string[] = [
  `ALTER TABLE workspaces ADD COLUMN assessed_at timestamptz`,
  `CREATE TABLE assessment_results (
    id text PRIMARY KEY, workspace_id text NOT NULL REFERENCES workspaces ON DELETE CASCADE,
    run_id text NOT NULL UNIQUE REFERENCES runs ON DELETE CASCADE, succeeded boolean NOT NULL,
    drifted boolean NOT NULL, report jsonb, error text, created_at timestamptz NOT NULL)`,
  `CREATE INDEX assessment_results_workspace ON assessment_results (workspace_id, created_at)`,
];
