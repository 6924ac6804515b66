import {
  bool,
  conflicting,
  int64,
  requiredTogether,
  type Resource,
  set,
  string,
} from '@terrane/provider/sdk';
import type { Aws, RegionalAws } from '../clients/aws.ts';
import { hasCode } from '../request/aws-error.ts';
import { awsResource } from '../resource/aws-resource.ts';
import { elementsOf, given } from '../resource/only.ts';
import { arn, regional } from '../resource/common-attributes.ts';
import { CURRENT, NO_SECRET, PROPAGATION } from './consts.ts';
import { isOfDeleted, versionOf } from './find.ts';

/** `aws_secretsmanager_secret_version` */
export const secretVersion: Resource<Aws> = awsResource({
  type: 'Secrets Manager Secret Version',
  notFound: NO_SECRET,
  label: ({ secret_id: id }) => id,
  attributes: {
    ...regional,
    ...arn,
    has_secret_string_wo: bool({ computed: true, nullable: true }),
    secret_binary: string({
      optional: true,
      requiresReplace: true,
      sensitive: true,
      validators: [(text) => (isBase64(text) ? undefined : 'must be base64')],
    }),
    secret_id: string({ required: true, requiresReplace: true }),
    secret_string: string({ optional: true, requiresReplace: true, sensitive: true }),
    secret_string_wo: string({ optional: true, sensitive: true, writeOnly: true }),
    secret_string_wo_version: int64({ optional: true, requiresReplace: true }),
    version_id: string({ computed: true }),
    version_stages: set(string, { optional: true, computed: true }),
  },
  validators: [
    conflicting('secret_binary', 'secret_string', 'secret_string_wo'),
    requiredTogether('secret_string_wo', 'secret_string_wo_version'),
  ],

  async create({ aws, plan, config }) {
    const stages = elementsOf(plan.version_stages);
    const answer = await aws.secretsmanager.putSecretValue({
      ClientRequestToken: Buffer.from(aws.provider.random.bytes(16)).toString('hex'),
      SecretId: plan.secret_id,
      ...given({ SecretString: config.secret_string_wo ?? plan.secret_string }),
      ...(plan.secret_binary !== null && {
        SecretBinary: Uint8Array.from(Buffer.from(plan.secret_binary, 'base64')),
      }),
      ...(stages.length > 0 && { VersionStages: [...stages] }),
    });
    return `${plan.secret_id}|${answer.VersionId ?? ''}`;
  },

  find: ({ aws, id }) => {
    const { secret, version } = partsOf(id);
    return versionOf(aws, secret, { VersionId: version });
  },

  read(found, { id, state }) {
    const writeOnly = state.secret_string_wo_version !== null;
    const binary = found.SecretBinary;
    return {
      arn: found.ARN,
      secret_id: partsOf(id).secret,
      version_id: found.VersionId,
      version_stages: found.VersionStages ?? [],
      secret_binary: binary === undefined ? '' : Buffer.from(binary).toString('base64'),
      secret_string: writeOnly ? null : found.SecretString,
      has_secret_string_wo: writeOnly ? true : (state.has_secret_string_wo ?? null),
    };
  },

  async update({ aws, plan, state, changed, id }) {
    if (!changed('version_stages')) return;
    const { secret, version } = partsOf(id);
    const [before, after] = [state.version_stages, elementsOf(plan.version_stages)];
    const added = after.filter((stage) => !before.includes(stage));
    for (const stage of added) {
      const from = stage === CURRENT ? await currentOf(aws, secret) : undefined;
      await aws.secretsmanager.updateSecretVersionStage({
        SecretId: secret,
        VersionStage: stage,
        MoveToVersionId: version,
        ...given({ RemoveFromVersionId: from }),
      });
    }
    // The label of the version in use can only go to another one, and takes that of the one before along.
    const moved = added.includes(CURRENT);
    const removed = before.filter(
      (stage) => !after.includes(stage) && stage !== CURRENT && !(moved && stage === 'AWSPREVIOUS'),
    );
    for (const stage of removed) await unlabel(aws, secret, version, stage);
  },

  async delete({ aws, object, id, state }) {
    const { secret, version } = partsOf(id);
    for (const stage of state.version_stages.filter((each) => each !== CURRENT)) {
      try {
        await unlabel(aws, secret, version, stage);
      } catch (error) {
        if (hasCode(error, ...NO_SECRET) || isOfDeleted(error)) return;
        throw error;
      }
    }
    await object.waitForDeletion({
      timeout: PROPAGATION,
      refresh: async () => {
        const result = await versionOf(aws, secret, { VersionId: version });
        const [stage, ...others] = result.VersionStages ?? [];
        // A version without labels is none any more, and the one in use stays with its secret.
        const stays = stage === undefined || stage === CURRENT || stage === 'AWSPREVIOUS';
        return stays && others.length === 0 ? undefined : { result, state: 'labelled' };
      },
    });
  },

  import: (id) => ({ id, has_secret_string_wo: false }),
});

function partsOf(id: string): { readonly secret: string; readonly version: string } {
  const [, secret, version] = /^([^|]+)\|(.+)$/s.exec(id) ?? [];
  if (secret === undefined || version === undefined) {
    throw new Error(`unexpected format of ID (${id}), expected SecretID|VersionID`);
  }
  return { secret, version };
}

/** The id of the version that is in use. */
async function currentOf(aws: RegionalAws, secret: string): Promise<string | undefined> {
  const { VersionIdsToStages = {} } = await aws.secretsmanager.describeSecret({ SecretId: secret });
  return Object.entries(VersionIdsToStages).find(([, stages]) => stages.includes(CURRENT))?.[0];
}

async function unlabel(
  aws: RegionalAws,
  secret: string,
  version: string,
  stage: string,
): Promise<void> {
  await aws.secretsmanager.updateSecretVersionStage({
    SecretId: secret,
    VersionStage: stage,
    RemoveFromVersionId: version,
  });
}

function isBase64(text: string): boolean {
  return /^(?:[A-Za-z0-9+/]{4})*(?:[A-Za-z0-9+/]{2}==|[A-Za-z0-9+/]{3}=)?$/.test(text);
}
