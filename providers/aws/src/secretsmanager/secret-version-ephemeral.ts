import { type EphemeralResource, list, string } from '@terrane/provider/sdk';
import type { Aws } from '../clients/aws.ts';
import { ephemeralResource } from '../resource/aws-data.ts';
import { omitUnset } from '../resource/only.ts';
import { versionOf } from './find.ts';

/** `aws_secretsmanager_secret_version` for a run */
export const secretVersionEphemeral: EphemeralResource<Aws> = ephemeralResource({
  attributes: {
    arn: string({ computed: true }),
    created_date: string({ computed: true }),
    region: string({ optional: true, computed: true }),
    secret_binary: string({ computed: true, nullable: true, sensitive: true }),
    secret_id: string({ required: true }),
    secret_string: string({ computed: true, nullable: true, sensitive: true }),
    version_id: string({ optional: true, computed: true }),
    version_stage: string({ optional: true, computed: true, nullable: true }),
    version_stages: list(string, { computed: true }),
  },
  async open({ config, client, signal }) {
    const aws = client.in(config.region, signal);
    const { secret_id: secret, version_id: id, version_stage: stage } = config;
    const version = await versionOf(aws, {
      SecretId: secret,
      ...omitUnset({ VersionId: id, VersionStage: stage }),
    });
    const binary = version.SecretBinary;
    return {
      arn: version.ARN ?? '',
      created_date: version.CreatedDate?.toISOString().replace(/\.\d+Z$/, 'Z') ?? '',
      region: aws.region,
      secret_binary: binary === undefined ? null : Buffer.from(binary).toString('utf8'),
      secret_id: secret,
      secret_string: version.SecretString ?? null,
      version_id: version.VersionId ?? '',
      version_stage: stage,
      version_stages: version.VersionStages ?? [],
    };
  },
});
