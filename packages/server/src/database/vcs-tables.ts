/** Connections to version control, their repositories, and comments on pull requests. */
export const VCS_TABLES: readonly string[] = [
  `CREATE TABLE oauth_clients (
    id text PRIMARY KEY, organization_id text NOT NULL REFERENCES organizations ON DELETE CASCADE,
    service_provider text NOT NULL, name text NOT NULL, http_url text NOT NULL, api_url text NOT NULL,
    created_at timestamptz NOT NULL)`,
  `CREATE TABLE oauth_tokens (
    id text PRIMARY KEY, oauth_client_id text NOT NULL REFERENCES oauth_clients ON DELETE CASCADE,
    secret bytea NOT NULL, created_at timestamptz NOT NULL)`,
  `CREATE TABLE vcs_repositories (
    id text PRIMARY KEY, oauth_token_id text NOT NULL REFERENCES oauth_tokens ON DELETE CASCADE,
    identifier text NOT NULL, secret bytea NOT NULL, hook_id text, error text, created_at timestamptz NOT NULL,
    UNIQUE (oauth_token_id, identifier))`,
  `CREATE TABLE vcs_pulls (
    repository_id text NOT NULL REFERENCES vcs_repositories ON DELETE CASCADE, number integer NOT NULL,
    head text NOT NULL, comment_id text, PRIMARY KEY (repository_id, number))`,
  `CREATE INDEX configuration_versions_commit ON configuration_versions
    (workspace_id, (ingress->>'commit-sha')) WHERE ingress IS NOT NULL`,
  `CREATE INDEX configuration_versions_ingress ON configuration_versions USING gin (ingress jsonb_path_ops)
    WHERE ingress IS NOT NULL`,
];
