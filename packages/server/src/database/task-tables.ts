/** Run tasks: external services that check runs, their attachments to workspaces, and their results. */
export const RUN_TASK_TABLES: readonly string[] = [
  `ALTER TABLE tasks ADD COLUMN revision integer NOT NULL DEFAULT 0`,
  `CREATE TABLE run_tasks (
    id text PRIMARY KEY, organization_id text NOT NULL REFERENCES organizations ON DELETE CASCADE,
    name text NOT NULL, url text NOT NULL, description text NOT NULL, hmac_key bytea, enabled boolean NOT NULL,
    global_stages jsonb NOT NULL, created_at timestamptz NOT NULL, UNIQUE (organization_id, name))`,
  `CREATE TABLE workspace_tasks (
    id text PRIMARY KEY, task_id text NOT NULL REFERENCES run_tasks ON DELETE CASCADE,
    workspace_id text NOT NULL REFERENCES workspaces ON DELETE CASCADE, enforcement_level text NOT NULL,
    stages jsonb NOT NULL, created_at timestamptz NOT NULL, UNIQUE (workspace_id, task_id))`,
  `CREATE TABLE task_stages (
    id text PRIMARY KEY, run_id text NOT NULL REFERENCES runs ON DELETE CASCADE, stage text NOT NULL,
    status text NOT NULL, timestamps jsonb NOT NULL, created_at timestamptz NOT NULL,
    updated_at timestamptz NOT NULL, UNIQUE (run_id, stage))`,
  `CREATE TABLE task_results (
    id text PRIMARY KEY, task_stage_id text NOT NULL REFERENCES task_stages ON DELETE CASCADE,
    task_id text NOT NULL, workspace_task_id text, name text NOT NULL, task_url text NOT NULL,
    enforcement_level text NOT NULL, status text NOT NULL, message text NOT NULL, url text NOT NULL,
    outcomes jsonb NOT NULL, timestamps jsonb NOT NULL, created_at timestamptz NOT NULL,
    updated_at timestamptz NOT NULL)`,
  `CREATE INDEX task_results_stage ON task_results (task_stage_id)`,
];
