import {
  bool,
  int64,
  NotFoundError,
  type RemoteObject,
  type Resource,
  setBlock,
  string,
} from '@terrane/provider/sdk';
import type { Aws, RegionalAws } from '../clients/aws.ts';
import { hasKnownPrincipals, UNKNOWN_PRINCIPALS } from '../json-policy/known-principals.ts';
import { normalJson } from '../json-policy/normal-json.ts';
import { policyText } from '../json-policy/policy-text.ts';
import { hasCode, hasMessage } from '../request/aws-error.ts';
import { awsResource } from '../resource/aws-resource.ts';
import { arn, regional, tagged } from '../resource/common-attributes.ts';
import { computedBlocks } from '../resource/computed-blocks.ts';
import { nameOf, prefixOf } from '../resource/names.ts';
import { omitUnset } from '../resource/only.ts';
import { tagList } from '../tags/tags.ts';
import { NO_SECRET, PROPAGATION } from './consts.ts';
import { secretOf } from './find.ts';
import { lengthBetween, matches } from '../resource/validators.ts';
import { listing } from '../resource/listing.ts';

const FORM = matches(
  /^[0-9A-Za-z/_+=.@-]*$/,
  'only letters, digits, and the characters /_+=.@- are allowed',
);

/** `aws_secretsmanager_secret` */
export const secret: Resource<Aws> = awsResource({
  type: 'Secrets Manager Secret',
  identity: 'arn',
  list: listing(
    (aws, NextToken) => aws.secretsmanager.listSecrets({ NextToken }),
    ({ SecretList }) => SecretList,
    ({ ARN: id, Name: name }) => (id === undefined ? undefined : { id, name }),
  ),
  notFound: NO_SECRET,
  attributes: {
    ...regional,
    ...arn,
    ...tagged,
    description: string({ optional: true }),
    force_overwrite_replica_secret: bool({ default: false, computed: false }),
    kms_key_id: string({ optional: true }),
    name: string({
      optional: true,
      computed: true,
      requiresReplace: true,
      validators: [FORM, lengthBetween(1, 512)],
    }),
    name_prefix: string({
      optional: true,
      computed: true,
      requiresReplace: true,
      validators: [FORM, lengthBetween(1, 486)],
    }),
    policy: policyText({ optional: true, computed: true }),
    recovery_window_in_days: int64({
      default: 30,
      computed: false,
      validators: [
        (days) =>
          days === 0 || (days >= 7 && days <= 30) ? undefined : 'must be 0, or between 7 and 30',
      ],
    }),
  },
  blocks: {
    replica: setBlock({
      kms_key_id: string({ optional: true, computed: true }),
      last_accessed_date: string({ computed: true }),
      region: string({ required: true }),
      status: string({ computed: true }),
      status_message: string({ computed: true }),
    }),
  },

  plan: (planning) => computedBlocks(planning, 'replica'),

  async create({ aws, object, plan, tags }) {
    const name = nameOf(aws, plan);
    const token = tokenOf(aws);
    // One of the same name may just have been deleted.
    const answer = await object.operation(
      'creating',
      () =>
        aws.secretsmanager.createSecret({
          ClientRequestToken: token,
          Description: plan.description ?? '',
          ForceOverwriteReplicaSecret: plan.force_overwrite_replica_secret,
          Name: name,
          ...omitUnset({ KmsKeyId: plan.kms_key_id, Tags: tagList(tags) }),
          ...(plan.replica.length > 0 && { AddReplicaRegions: regionsOf(plan.replica) }),
        }),
      {
        isRetryable: (error) =>
          hasMessage(error, 'InvalidRequestException', 'scheduled for deletion') ||
          hasMessage(error, 'InvalidRequestException', 'was deleted'),
      },
    );
    return answer.ARN ?? '';
  },

  async created({ aws, object, plan, id }) {
    await object.read(() => secretOf(aws, id), { isNew: true });
    const { policy } = omitUnset({ policy: plan.policy });
    if (policy !== undefined && policy !== '{}') await putPolicy(aws, object, id, policy);
  },

  find: ({ aws, id }) => secretOf(aws, id),

  async read(secret, { aws, id, isNew }) {
    const policy = await aws.secretsmanager.getResourcePolicy({ SecretId: id });
    const isReady = !isNew || hasKnownPrincipals(policy.ResourcePolicy ?? '');
    if (!isReady) throw new NotFoundError({ message: UNKNOWN_PRINCIPALS });
    return {
      arn: secret.ARN,
      name: secret.Name,
      name_prefix: prefixOf(secret.Name ?? '') ?? '',
      description: secret.Description,
      kms_key_id: secret.KmsKeyId,
      policy: normalJson(policy.ResourcePolicy),
      replica: (secret.ReplicationStatus ?? []).map((each) => ({
        kms_key_id: each.KmsKeyId ?? '',
        last_accessed_date: each.LastAccessedDate?.toISOString().replace(/\.\d+Z$/, 'Z') ?? '',
        region: each.Region,
        status: each.Status ?? '',
        status_message: each.StatusMessage ?? '',
      })),
      tags: secret.Tags ?? [],
    };
  },

  async update({ aws, object, plan, state, changed, id }) {
    const [before, after] = [state.replica.map(keyOf), plan.replica.map(keyOf)];
    const removed = state.replica.filter((replica) => !after.includes(keyOf(replica)));
    const added = plan.replica.filter((replica) => !before.includes(keyOf(replica)));
    await removeReplicas(aws, id, removed);
    if (added.length > 0) {
      await aws.secretsmanager.replicateSecretToRegions({
        SecretId: id,
        AddReplicaRegions: regionsOf(added),
        ForceOverwriteReplicaSecret: plan.force_overwrite_replica_secret,
      });
    }
    if (changed('description', 'kms_key_id')) {
      await aws.secretsmanager.updateSecret({
        ClientRequestToken: tokenOf(aws),
        Description: plan.description ?? '',
        SecretId: id,
        ...omitUnset({ KmsKeyId: plan.kms_key_id }),
      });
    }
    if (changed('policy')) {
      const { policy } = omitUnset({ policy: plan.policy });
      if (policy !== undefined && policy !== '{}') {
        await putPolicy(aws, object, id, policy);
        await waitForPolicy(aws, object, id);
      } else await aws.secretsmanager.deleteResourcePolicy({ SecretId: id });
    }
  },

  async retag({ aws, id }, { set, removed }) {
    const SecretId = id;
    if (removed.length > 0) {
      await aws.secretsmanager.untagResource({ SecretId, TagKeys: [...removed] });
    }
    const Tags = tagList(set);
    if (Tags !== undefined) await aws.secretsmanager.tagResource({ SecretId, Tags });
  },

  async delete({ aws, object, id, state }) {
    await removeReplicas(aws, id, state.replica);
    const days = state.recovery_window_in_days ?? 30;
    await aws.secretsmanager.deleteSecret({
      SecretId: id,
      ...(days === 0 ? { ForceDeleteWithoutRecovery: true } : { RecoveryWindowInDays: days }),
    });
    await object.waitForDeletion({
      timeout: PROPAGATION,
      refresh: async () => ({ result: await secretOf(aws, id), state: 'exists' }),
    });
  },
});

type Replica = { readonly region: string; readonly kms_key_id: unknown };

function regionsOf(replicas: readonly Replica[]): { Region: string; KmsKeyId?: string }[] {
  return replicas.map(({ region, kms_key_id: key }) => ({
    Region: region,
    ...(typeof key === 'string' && key !== '' && { KmsKeyId: key }),
  }));
}

function keyOf({ region, kms_key_id: key }: Replica): string {
  return `${region} ${typeof key === 'string' ? key : ''}`;
}

async function removeReplicas(
  aws: RegionalAws,
  id: string,
  replicas: readonly Replica[],
): Promise<void> {
  if (replicas.length === 0) return;
  const RemoveReplicaRegions = replicas.map(({ region }) => region);
  try {
    await aws.secretsmanager.removeRegionsFromReplication({ SecretId: id, RemoveReplicaRegions });
  } catch (error) {
    if (!hasCode(error, ...NO_SECRET)) throw error;
  }
}

/** Sets the policy of a secret. Its principals may not be known everywhere yet. */
async function putPolicy(
  aws: RegionalAws,
  object: RemoteObject,
  id: string,
  policy: string,
): Promise<void> {
  const request = { SecretId: id, ResourcePolicy: normalJson(policy) };
  await object.operation(
    'putting the policy of',
    () => aws.secretsmanager.putResourcePolicy(request),
    {
      propagation: PROPAGATION,
      isRetryable: (error) =>
        hasMessage(
          error,
          'MalformedPolicyDocumentException',
          'This resource policy contains an unsupported principal',
        ),
    },
  );
}

/** Waits until the policy of a secret names all principals, which may not have propagated in IAM. */
async function waitForPolicy(aws: RegionalAws, object: RemoteObject, id: string): Promise<void> {
  await object.waitForValue('policy', {
    expected: true,
    value: ({ ResourcePolicy = '' }) => hasKnownPrincipals(ResourcePolicy),
    read: () => aws.secretsmanager.getResourcePolicy({ SecretId: id }),
    timeout: PROPAGATION,
  });
}

/** Returns the token by which the service recognises a repeated request. */
function tokenOf({ provider }: RegionalAws): string {
  return Buffer.from(provider.random.bytes(16)).toString('hex');
}
