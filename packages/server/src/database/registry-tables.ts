/** The tables of the private registry. */
export const REGISTRY_TABLES: readonly string[] = [
  `CREATE TABLE registry_modules (
    id text PRIMARY KEY, organization_id text NOT NULL REFERENCES organizations ON DELETE CASCADE,
    name text NOT NULL, provider text NOT NULL, no_code boolean NOT NULL, created_at timestamptz NOT NULL,
    updated_at timestamptz NOT NULL, UNIQUE (organization_id, name, provider))`,
  `CREATE TABLE registry_module_versions (
    id text PRIMARY KEY, module_id text NOT NULL REFERENCES registry_modules ON DELETE CASCADE,
    version text NOT NULL, status text NOT NULL, created_at timestamptz NOT NULL,
    updated_at timestamptz NOT NULL, UNIQUE (module_id, version))`,
  `CREATE TABLE registry_providers (
    id text PRIMARY KEY, organization_id text NOT NULL REFERENCES organizations ON DELETE CASCADE,
    registry_name text NOT NULL, namespace text NOT NULL, name text NOT NULL,
    created_at timestamptz NOT NULL, updated_at timestamptz NOT NULL,
    UNIQUE (organization_id, registry_name, namespace, name))`,
  `CREATE TABLE registry_provider_versions (
    id text PRIMARY KEY, provider_id text NOT NULL REFERENCES registry_providers ON DELETE CASCADE,
    version text NOT NULL, key_id text NOT NULL, protocols jsonb NOT NULL, shasums_uploaded boolean NOT NULL,
    shasums_sig_uploaded boolean NOT NULL, created_at timestamptz NOT NULL, updated_at timestamptz NOT NULL,
    UNIQUE (provider_id, version))`,
  `CREATE TABLE registry_provider_platforms (
    id text PRIMARY KEY, version_id text NOT NULL REFERENCES registry_provider_versions ON DELETE CASCADE,
    os text NOT NULL, arch text NOT NULL, filename text NOT NULL, shasum text NOT NULL,
    uploaded boolean NOT NULL, UNIQUE (version_id, os, arch))`,
  `CREATE TABLE gpg_keys (
    id text PRIMARY KEY, organization_id text NOT NULL REFERENCES organizations ON DELETE CASCADE,
    key_id text NOT NULL, ascii_armor text NOT NULL, created_at timestamptz NOT NULL,
    UNIQUE (organization_id, key_id))`,
];
