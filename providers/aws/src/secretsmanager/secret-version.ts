import type { PutSecretValueRequest } from '@aws-sdk/client-secrets-manager';
import { bool, int64, type Resource, set, string } from '@terrane/provider/sdk';
import type { Aws, RegionalAws } from '../clients/aws.ts';
import { notSent } from '../resource/amazon-form.ts';
import { awsResource } from '../resource/aws-resource.ts';
import { elementsOf, omitUnset } from '../resource/only.ts';
import { arn, regional } from '../resource/common-attributes.ts';
import { partsOf } from '../resource/parts-of.ts';
import { CURRENT, NO_SECRET, PROPAGATION } from './consts.ts';
import { unlessDeleted, versionOf } from './find.ts';
import { conflicting, matches, requiredTogether } from '../resource/validators.ts';

const BASE64 = /^(?:[A-Za-z0-9+/]{4})*(?:[A-Za-z0-9+/]{2}==|[A-Za-z0-9+/]{3}=)?$/;
const secret = { optional: true, requiresReplace: true, sensitive: true } as const;

/** `aws_secretsmanager_secret_version` */
export const secretVersion: Resource<Aws> = awsResource({
  type: 'Secrets Manager Secret Version',
  notFound: NO_SECRET,
  label: ({ secret_id: id }) => id,
  attributes: {
    ...regional,
    ...arn,
    has_secret_string_wo: bool({ computed: true, nullable: true }),
    secret_binary: string({ ...secret, validators: [matches(BASE64, 'must be base64')] }),
    secret_id: string({ required: true, requiresReplace: true }),
    secret_string: string(secret),
    secret_string_wo: string({ optional: true, sensitive: true, writeOnly: true }),
    secret_string_wo_version: int64({ optional: true, requiresReplace: true }),
    version_id: string({ computed: true }),
    version_stages: set(string, { optional: true, computed: true }),
  },
  validators: [
    conflicting('secret_binary', 'secret_string', 'secret_string_wo'),
    requiredTogether('secret_string_wo', 'secret_string_wo_version'),
  ],

  amazon: notSent('has_secret_string_wo', 'secret_binary', 'secret_string_wo_version'),

  async create({ aws, plan, config, request }) {
    const { secret_id: SecretId, secret_string: text, secret_binary: binary } = plan;
    const token = Buffer.from(aws.provider.random.bytes(16)).toString('hex');
    const { VersionId = '' } = await aws.secretsmanager.putSecretValue({
      ...request<PutSecretValueRequest>({ SecretId, ClientRequestToken: token }),
      ...omitUnset({ SecretString: config.secret_string_wo ?? text }),
      ...(binary !== null && { SecretBinary: Uint8Array.from(Buffer.from(binary, 'base64')) }),
    });
    return `${SecretId}|${VersionId}`;
  },

  find: ({ aws, id }) => versionOf(aws, idsIn(id)),

  read(version, { id, state }) {
    const writeOnly = state.secret_string_wo_version !== null;
    return {
      secret_id: idsIn(id).SecretId,
      secret_binary: Buffer.from(version.SecretBinary ?? []).toString('base64'),
      secret_string: writeOnly ? null : version.SecretString,
      ...(writeOnly && { has_secret_string_wo: true }),
    };
  },

  async update({ aws, plan, state, id }) {
    const { SecretId, VersionId } = idsIn(id);
    const [before, after] = [state.version_stages, elementsOf(plan.version_stages)];
    const added = after.filter((stage) => !before.includes(stage));
    for (const VersionStage of added) {
      const from = VersionStage === CURRENT ? await currentOf(aws, SecretId) : undefined;
      const move = { MoveToVersionId: VersionId, ...omitUnset({ RemoveFromVersionId: from }) };
      await aws.secretsmanager.updateSecretVersionStage({ SecretId, VersionStage, ...move });
    }
    // The label of the current version can only be moved to another one, which moves that of the previous one too.
    const stays = added.includes(CURRENT) ? [CURRENT, 'AWSPREVIOUS'] : [CURRENT];
    const removed = before.filter((stage) => ![...after, ...stays].includes(stage));
    for (const stage of removed) await unlabel(aws, id, stage);
  },

  async delete({ aws, id, state }) {
    const stages = state.version_stages.filter((each) => each !== CURRENT);
    for (const stage of stages) await unlabel(aws, id, stage);
  },

  gone: {
    pending: ['labelled'],
    // A version without labels counts as not found, and the current one exists as long as its secret.
    state: ({ VersionStages = [] }) =>
      VersionStages.some((each) => each !== CURRENT && each !== 'AWSPREVIOUS') ? 'labelled' : null,
    timeout: PROPAGATION,
  },

  import: (id) => ({ id, has_secret_string_wo: false }),
});

function idsIn(id: string): { readonly SecretId: string; readonly VersionId: string } {
  const complaint = `unexpected format of ID (${id}), expected SecretID|VersionID`;
  const [SecretId = '', VersionId = ''] = partsOf(id, /^([^|]+)\|(.+)$/s, complaint);
  return { SecretId, VersionId };
}

/** The id of the version that is in use. */
async function currentOf(aws: RegionalAws, SecretId: string): Promise<string | undefined> {
  const { VersionIdsToStages = {} } = await aws.secretsmanager.describeSecret({ SecretId });
  return Object.entries(VersionIdsToStages).find(([, stages]) => stages.includes(CURRENT))?.[0];
}

async function unlabel(aws: RegionalAws, id: string, VersionStage: string): Promise<void> {
  const { SecretId, VersionId: RemoveFromVersionId } = idsIn(id);
  const request = { SecretId, VersionStage, RemoveFromVersionId };
  await unlessDeleted(() => aws.secretsmanager.updateSecretVersionStage(request));
}
