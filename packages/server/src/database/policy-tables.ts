/** Policy sets, their policies, and the policy checks of runs. */
export const POLICY_TABLES: readonly string[] = [
  `CREATE TABLE policy_sets (
    id text PRIMARY KEY, organization_id text NOT NULL REFERENCES organizations ON DELETE CASCADE,
    name text NOT NULL, description text NOT NULL, is_global boolean NOT NULL, settings jsonb NOT NULL,
    current_version_id text, created_at timestamptz NOT NULL, updated_at timestamptz NOT NULL,
    UNIQUE (organization_id, name))`,
  `CREATE TABLE policy_set_subjects (
    policy_set_id text NOT NULL REFERENCES policy_sets ON DELETE CASCADE, subject_id text NOT NULL,
    is_excluded boolean NOT NULL, PRIMARY KEY (policy_set_id, subject_id, is_excluded))`,
  `CREATE INDEX policy_set_subjects_subject ON policy_set_subjects (subject_id)`,
  `CREATE TABLE policies (
    id text PRIMARY KEY, organization_id text NOT NULL REFERENCES organizations ON DELETE CASCADE,
    name text NOT NULL, description text NOT NULL, content text, created_at timestamptz NOT NULL,
    updated_at timestamptz NOT NULL, UNIQUE (organization_id, name))`,
  `CREATE TABLE policy_set_policies (
    policy_set_id text NOT NULL REFERENCES policy_sets ON DELETE CASCADE,
    policy_id text NOT NULL REFERENCES policies ON DELETE CASCADE, PRIMARY KEY (policy_set_id, policy_id))`,
  `CREATE TABLE policy_set_versions (
    id text PRIMARY KEY, policy_set_id text NOT NULL REFERENCES policy_sets ON DELETE CASCADE,
    status text NOT NULL, error text, timestamps jsonb NOT NULL, created_at timestamptz NOT NULL,
    updated_at timestamptz NOT NULL)`,
  `CREATE TABLE policy_checks (
    id text PRIMARY KEY, run_id text NOT NULL UNIQUE REFERENCES runs ON DELETE CASCADE, status text NOT NULL,
    result jsonb NOT NULL, sets jsonb NOT NULL, timestamps jsonb NOT NULL, overridden_by text,
    override_reason text, created_at timestamptz NOT NULL)`,
];
