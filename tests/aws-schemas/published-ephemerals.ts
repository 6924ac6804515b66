import type { PublishedPart } from './published-schema.ts';

// The package has no ephemeral resources. These are those of hashicorp/aws 6.25.0, from its source.

/** The schemas of ephemeral resources of the published provider, by type. */
export const PUBLISHED_EPHEMERALS: Readonly<Record<string, readonly PublishedPart[]>> = {
  // internal/service/ssm/parameter_ephemeral.go
  aws_ssm_parameter: [
    part('arn', 'string', 'required'),
    part('name', 'string', 'computed'),
    part('region', 'string', 'optional', 'computed'),
    part('type', 'string', 'computed'),
    part('value', 'string', 'computed'),
    part('version', 'number', 'computed'),
    part('with_decryption', 'bool', 'optional', 'computed'),
  ],
  // internal/service/secretsmanager/secret_version_ephemeral.go
  aws_secretsmanager_secret_version: [
    part('arn', 'string', 'computed'),
    part('created_date', 'string', 'computed'),
    part('region', 'string', 'optional', 'computed'),
    part('secret_binary', 'string', 'computed'),
    part('secret_id', 'string', 'required'),
    part('secret_string', 'string', 'computed'),
    part('version_id', 'string', 'optional', 'computed'),
    part('version_stage', 'string', 'optional', 'computed'),
    part('version_stages', 'list(string)', 'computed'),
  ],
};

type Flag = 'required' | 'optional' | 'computed';

function part(name: string, type: string, ...flags: readonly Flag[]): PublishedPart {
  const has = (flag: Flag): boolean => flags.includes(flag);
  const shape = { kind: 'value', type } as const;
  const [required, optional, computed] = [has('required'), has('optional'), has('computed')];
  return { name, required, optional, computed, shape };
}
