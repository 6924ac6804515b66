/** The tables of the first release. Later migrations are files of their own: expand first, contract a release later. */
export const INITIAL_TABLES: readonly string[] = [
  `CREATE TABLE users (
    id text PRIMARY KEY, username text NOT NULL UNIQUE, email text NOT NULL UNIQUE,
    is_site_admin boolean NOT NULL, is_service_account boolean NOT NULL, created_at timestamptz NOT NULL)`,
  `CREATE TABLE organizations (
    id text PRIMARY KEY, name text NOT NULL UNIQUE, email text NOT NULL, settings jsonb NOT NULL,
    created_at timestamptz NOT NULL)`,
  `CREATE TABLE memberships (
    id text PRIMARY KEY, organization_id text NOT NULL REFERENCES organizations ON DELETE CASCADE,
    user_id text NOT NULL REFERENCES users ON DELETE CASCADE, status text NOT NULL,
    created_at timestamptz NOT NULL, UNIQUE (organization_id, user_id))`,
  `CREATE TABLE teams (
    id text PRIMARY KEY, organization_id text NOT NULL REFERENCES organizations ON DELETE CASCADE,
    name text NOT NULL, visibility text NOT NULL, organization_access jsonb NOT NULL, settings jsonb NOT NULL,
    created_at timestamptz NOT NULL, UNIQUE (organization_id, name))`,
  `CREATE TABLE team_members (
    team_id text NOT NULL REFERENCES teams ON DELETE CASCADE,
    user_id text NOT NULL REFERENCES users ON DELETE CASCADE, PRIMARY KEY (team_id, user_id))`,
  `CREATE INDEX team_members_user ON team_members (user_id)`,
  `CREATE TABLE tokens (
    id text PRIMARY KEY, kind text NOT NULL, owner_id text NOT NULL, description text NOT NULL,
    hash text NOT NULL UNIQUE, created_by text, last_used_at timestamptz, expires_at timestamptz,
    created_at timestamptz NOT NULL)`,
  `CREATE INDEX tokens_owner ON tokens (owner_id)`,
  `CREATE TABLE projects (
    id text PRIMARY KEY, organization_id text NOT NULL REFERENCES organizations ON DELETE CASCADE,
    name text NOT NULL, description text NOT NULL, is_default boolean NOT NULL, settings jsonb NOT NULL,
    created_at timestamptz NOT NULL, UNIQUE (organization_id, name))`,
  `CREATE TABLE agent_pools (
    id text PRIMARY KEY, organization_id text NOT NULL REFERENCES organizations ON DELETE CASCADE,
    name text NOT NULL, organization_scoped boolean NOT NULL, created_at timestamptz NOT NULL,
    UNIQUE (organization_id, name))`,
  `CREATE TABLE workspaces (
    id text PRIMARY KEY, organization_id text NOT NULL REFERENCES organizations ON DELETE CASCADE,
    project_id text NOT NULL REFERENCES projects, name text NOT NULL, settings jsonb NOT NULL,
    agent_pool_id text REFERENCES agent_pools ON DELETE SET NULL,
    locked_by text, lock_reason text NOT NULL, current_run_id text, current_state_version_id text,
    created_at timestamptz NOT NULL, updated_at timestamptz NOT NULL, UNIQUE (organization_id, name))`,
  `CREATE INDEX workspaces_project ON workspaces (project_id)`,
  `CREATE TABLE team_workspaces (
    id text PRIMARY KEY, team_id text NOT NULL REFERENCES teams ON DELETE CASCADE,
    workspace_id text NOT NULL REFERENCES workspaces ON DELETE CASCADE, access text NOT NULL,
    permissions jsonb NOT NULL, UNIQUE (team_id, workspace_id))`,
  `CREATE TABLE team_projects (
    id text PRIMARY KEY, team_id text NOT NULL REFERENCES teams ON DELETE CASCADE,
    project_id text NOT NULL REFERENCES projects ON DELETE CASCADE, access text NOT NULL,
    permissions jsonb NOT NULL, UNIQUE (team_id, project_id))`,
  `CREATE TABLE tags (
    id text PRIMARY KEY, organization_id text NOT NULL REFERENCES organizations ON DELETE CASCADE,
    name text NOT NULL, UNIQUE (organization_id, name))`,
  `CREATE TABLE workspace_tags (
    workspace_id text NOT NULL REFERENCES workspaces ON DELETE CASCADE,
    tag_id text NOT NULL REFERENCES tags ON DELETE CASCADE, PRIMARY KEY (workspace_id, tag_id))`,
  `CREATE TABLE tag_bindings (
    id text PRIMARY KEY, subject_id text NOT NULL, key text NOT NULL, value text NOT NULL,
    UNIQUE (subject_id, key))`,
  `CREATE TABLE variables (
    id text PRIMARY KEY, owner_id text NOT NULL, key text NOT NULL, value bytea NOT NULL,
    category text NOT NULL, hcl boolean NOT NULL, sensitive boolean NOT NULL, description text NOT NULL,
    version_id text NOT NULL, created_at timestamptz NOT NULL, UNIQUE (owner_id, key, category))`,
  `CREATE TABLE variable_sets (
    id text PRIMARY KEY, organization_id text NOT NULL REFERENCES organizations ON DELETE CASCADE,
    name text NOT NULL, description text NOT NULL, is_global boolean NOT NULL, priority boolean NOT NULL,
    parent_project_id text REFERENCES projects ON DELETE CASCADE, created_at timestamptz NOT NULL,
    updated_at timestamptz NOT NULL)`,
  `CREATE TABLE variable_set_subjects (
    variable_set_id text NOT NULL REFERENCES variable_sets ON DELETE CASCADE, subject_id text NOT NULL,
    PRIMARY KEY (variable_set_id, subject_id))`,
  `CREATE INDEX variable_set_subjects_subject ON variable_set_subjects (subject_id)`,
  `CREATE TABLE configuration_versions (
    id text PRIMARY KEY, workspace_id text NOT NULL REFERENCES workspaces ON DELETE CASCADE,
    status text NOT NULL, source text NOT NULL, speculative boolean NOT NULL, provisional boolean NOT NULL,
    auto_queue_runs boolean NOT NULL, error text, ingress jsonb, timestamps jsonb NOT NULL,
    created_at timestamptz NOT NULL)`,
  `CREATE INDEX configuration_versions_workspace ON configuration_versions (workspace_id, created_at)`,
  `CREATE TABLE runs (
    id text PRIMARY KEY, workspace_id text NOT NULL REFERENCES workspaces ON DELETE CASCADE,
    configuration_version_id text NOT NULL REFERENCES configuration_versions ON DELETE CASCADE,
    status text NOT NULL, message text NOT NULL, source text NOT NULL, options jsonb NOT NULL,
    plan_only boolean NOT NULL, is_destroy boolean NOT NULL, auto_apply boolean NOT NULL,
    save_plan boolean NOT NULL, has_changes boolean NOT NULL, timestamps jsonb NOT NULL, created_by text,
    confirmed_by text, cancel text, triggered_by text, plan_digest text, created_at timestamptz NOT NULL,
    updated_at timestamptz NOT NULL)`,
  `CREATE INDEX runs_workspace ON runs (workspace_id, created_at)`,
  `CREATE INDEX runs_waiting ON runs (workspace_id, created_at) WHERE status IN ('pending', 'confirmed')`,
  `CREATE TABLE stages (
    id text PRIMARY KEY, run_id text NOT NULL REFERENCES runs ON DELETE CASCADE, kind text NOT NULL,
    status text NOT NULL, summary jsonb NOT NULL, timestamps jsonb NOT NULL, log_finished boolean NOT NULL,
    UNIQUE (run_id, kind))`,
  `CREATE TABLE log_chunks (
    stage_id text NOT NULL REFERENCES stages ON DELETE CASCADE, "offset" double precision NOT NULL,
    bytes bytea NOT NULL, PRIMARY KEY (stage_id, "offset"))`,
  `CREATE TABLE jobs (
    id text PRIMARY KEY, run_id text NOT NULL REFERENCES runs ON DELETE CASCADE,
    stage_id text NOT NULL REFERENCES stages ON DELETE CASCADE, kind text NOT NULL, priority integer NOT NULL,
    agent_pool_id text REFERENCES agent_pools ON DELETE CASCADE, status text NOT NULL, agent_id text,
    attempt integer NOT NULL, lease_until timestamptz, created_at timestamptz NOT NULL,
    claimed_at timestamptz)`,
  `CREATE INDEX jobs_queued ON jobs (priority, created_at) WHERE status = 'queued'`,
  `CREATE INDEX jobs_running ON jobs (lease_until) WHERE status = 'running'`,
  `CREATE INDEX jobs_run ON jobs (run_id)`,
  `CREATE TABLE journals (
    workspace_id text NOT NULL REFERENCES workspaces ON DELETE CASCADE, "offset" double precision NOT NULL,
    bytes bytea NOT NULL, PRIMARY KEY (workspace_id, "offset"))`,
  `CREATE TABLE events (
    id serial PRIMARY KEY, run_id text NOT NULL REFERENCES runs ON DELETE CASCADE, kind text NOT NULL,
    event jsonb NOT NULL, created_at timestamptz NOT NULL)`,
  `CREATE INDEX events_run ON events (run_id, id)`,
  `CREATE TABLE blobs (
    id text PRIMARY KEY, bytes bytea NOT NULL, size double precision NOT NULL, created_at timestamptz NOT NULL)`,
  `CREATE TABLE state_versions (
    id text PRIMARY KEY, workspace_id text NOT NULL REFERENCES workspaces ON DELETE CASCADE,
    serial double precision NOT NULL, lineage text NOT NULL, md5 text NOT NULL, status text NOT NULL,
    size double precision NOT NULL, run_id text, created_by text, created_at timestamptz NOT NULL,
    summary jsonb NOT NULL)`,
  `CREATE INDEX state_versions_workspace ON state_versions (workspace_id, serial, created_at)`,
  `CREATE TABLE state_outputs (
    id text PRIMARY KEY, state_version_id text NOT NULL REFERENCES state_versions ON DELETE CASCADE,
    name text NOT NULL, sensitive boolean NOT NULL, type text NOT NULL, content bytea NOT NULL)`,
  `CREATE INDEX state_outputs_version ON state_outputs (state_version_id)`,
  `CREATE TABLE agents (
    id text PRIMARY KEY, agent_pool_id text REFERENCES agent_pools ON DELETE CASCADE, name text NOT NULL,
    status text NOT NULL, ip_address text NOT NULL, last_ping_at timestamptz NOT NULL)`,
  `CREATE TABLE notifications (
    id text PRIMARY KEY, workspace_id text NOT NULL REFERENCES workspaces ON DELETE CASCADE,
    name text NOT NULL, destination_type text NOT NULL, enabled boolean NOT NULL, secret bytea NOT NULL,
    settings jsonb NOT NULL, created_at timestamptz NOT NULL, updated_at timestamptz NOT NULL)`,
  `CREATE TABLE run_triggers (
    id text PRIMARY KEY, workspace_id text NOT NULL REFERENCES workspaces ON DELETE CASCADE,
    source_id text NOT NULL REFERENCES workspaces ON DELETE CASCADE, created_at timestamptz NOT NULL,
    UNIQUE (workspace_id, source_id))`,
  `CREATE TABLE comments (
    id text PRIMARY KEY, run_id text NOT NULL REFERENCES runs ON DELETE CASCADE, body text NOT NULL,
    user_id text, created_at timestamptz NOT NULL)`,
  `CREATE TABLE audit (
    id text PRIMARY KEY, organization_id text, actor_id text, actor text NOT NULL, action text NOT NULL,
    subject_type text NOT NULL, subject_id text NOT NULL, details jsonb NOT NULL,
    created_at timestamptz NOT NULL)`,
  `CREATE INDEX audit_organization ON audit (organization_id, created_at)`,
  `CREATE FUNCTION audit_is_append_only() RETURNS trigger LANGUAGE plpgsql AS
    $$ BEGIN RAISE EXCEPTION 'the audit log is append-only'; END $$`,
  `CREATE TRIGGER audit_append_only BEFORE UPDATE OR DELETE ON audit
    FOR EACH ROW EXECUTE FUNCTION audit_is_append_only()`,
  `CREATE TABLE settings (name text PRIMARY KEY, value bytea NOT NULL)`,
  `CREATE TABLE login_codes (
    hash text PRIMARY KEY, user_id text NOT NULL REFERENCES users ON DELETE CASCADE, client_id text NOT NULL,
    redirect_uri text NOT NULL, challenge text NOT NULL, expires_at timestamptz NOT NULL)`,
  `CREATE TABLE ssh_keys (
    id text PRIMARY KEY, organization_id text NOT NULL REFERENCES organizations ON DELETE CASCADE,
    name text NOT NULL, value bytea NOT NULL)`,
  `CREATE TABLE documents (
    id text PRIMARY KEY, type text NOT NULL,
    organization_id text NOT NULL REFERENCES organizations ON DELETE CASCADE, owner_id text, name text NOT NULL,
    attributes jsonb NOT NULL, relationships jsonb NOT NULL, created_at timestamptz NOT NULL,
    updated_at timestamptz NOT NULL)`,
  `CREATE INDEX documents_owner ON documents (organization_id, type, name)`,
];
