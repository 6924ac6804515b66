import type {
  Cluster,
  ClusterConfiguration,
  ClusterSettingName,
  ExecuteCommandLogging,
} from '@aws-sdk/client-ecs';
import {
  bool,
  listBlock,
  minutes,
  NotFoundError,
  type RemoteObject,
  type Resource,
  seconds,
  setBlock,
  string,
} from '@terrane/provider/sdk';
import type { Aws, RegionalAws } from '../clients/aws.ts';
import { hasCode, hasMessage } from '../request/aws-error.ts';
import { awsResource } from '../resource/aws-resource.ts';
import { arn, regional, tagged } from '../resource/common-attributes.ts';
import { computedBlocks } from '../resource/computed-blocks.ts';
import { omitUnset, only } from '../resource/only.ts';
import { NO_CLUSTER } from './consts.ts';
import { ecsRetag, ecsTags, tagsOfEcs } from './tags.ts';
import { matches, oneOf } from '../resource/validators.ts';
import { enumOf } from '../resource/enum-of.ts';

const text = string({ optional: true });
const flag = bool({ optional: true });

/** `aws_ecs_cluster` */
export const cluster: Resource<Aws> = awsResource({
  type: 'ECS Cluster',
  notFound: NO_CLUSTER,
  attributes: {
    ...regional,
    ...arn,
    ...tagged,
    name: string({
      required: true,
      requiresReplace: true,
      validators: [
        matches(
          /^[0-9A-Za-z_-]{1,255}$/,
          'must be 1 to 255 characters of letters, digits, "_" and "-"',
        ),
      ],
    }),
  },
  blocks: {
    configuration: listBlock(
      {},
      {
        maxItems: 1,
        blocks: {
          execute_command_configuration: listBlock(
            {
              kms_key_id: text,
              logging: string({
                default: 'DEFAULT',
                computed: false,
                validators: [oneOf('DEFAULT', 'NONE', 'OVERRIDE')],
              }),
            },
            {
              maxItems: 1,
              blocks: {
                log_configuration: listBlock(
                  {
                    cloud_watch_encryption_enabled: flag,
                    cloud_watch_log_group_name: text,
                    s3_bucket_encryption_enabled: flag,
                    s3_bucket_name: text,
                    s3_key_prefix: text,
                  },
                  { maxItems: 1 },
                ),
              },
            },
          ),
          managed_storage_configuration: listBlock(
            { fargate_ephemeral_storage_kms_key_id: text, kms_key_id: text },
            { maxItems: 1 },
          ),
        },
      },
    ),
    service_connect_defaults: listBlock({ namespace: string({ required: true }) }, { maxItems: 1 }),
    setting: setBlock({
      name: string({ required: true, validators: [oneOf('containerInsights')] }),
      value: string({ required: true }),
    }),
  },

  plan: (planning) => computedBlocks(planning, 'setting'),

  async create({ aws, object, plan, tags }) {
    // For the first cluster of an account a role is created, which takes a moment.
    const answer = await object.operation(
      'creating',
      () =>
        aws.ecs.createCluster({
          clusterName: plan.name,
          ...clusterRequest(plan),
          ...omitUnset({ tags: ecsTags(tags) }),
        }),
      {
        isRetryable: (error) =>
          hasMessage(
            error,
            'InvalidParameterException',
            'Unable to assume the service linked role',
          ),
      },
    );
    return answer.cluster?.clusterArn ?? '';
  },

  async created({ aws, object, id }) {
    await waitForAvailableCluster(aws, object, 'creation', id);
  },

  find: ({ aws, id }) => clusterOf(aws, id),

  read: (cluster) => ({
    arn: cluster.clusterArn,
    name: cluster.clusterName,
    ...(cluster.configuration && { configuration: [configurationOf(cluster.configuration)] }),
    service_connect_defaults: cluster.serviceConnectDefaults && [
      { namespace: cluster.serviceConnectDefaults.namespace },
    ],
    setting: (cluster.settings ?? []).map(({ name, value }) => ({ name, value })),
    tags: tagsOfEcs(cluster.tags),
  }),

  async update({ aws, object, plan, changed, id }) {
    if (!changed('configuration', 'service_connect_defaults', 'setting')) return;
    await aws.ecs.updateCluster({ cluster: id, ...clusterRequest(plan) });
    await waitForAvailableCluster(aws, object, 'update', id);
  },

  retag: ({ aws, id }, change) => ecsRetag(aws, id, change),

  async delete({ aws, object, id }) {
    // Its tasks may still be stopping.
    await object.operation('deleting', () => aws.ecs.deleteCluster({ cluster: id }), {
      propagation: minutes(10),
      isRetryable: (error) =>
        hasCode(
          error,
          'ClusterContainsContainerInstancesException',
          'ClusterContainsServicesException',
          'ClusterContainsTasksException',
          'UpdateInProgressException',
        ),
    });
    await object.waitForDeletion({
      pending: ['ACTIVE', 'DEPROVISIONING'],
      timeout: minutes(10),
      refresh: () => statusOf(aws, id),
    });
  },

  import: (name, aws) => ({ id: aws.arn('ecs', `cluster/${name}`), name }),
});

async function clusterOf(aws: RegionalAws, id: string): Promise<Cluster> {
  const answer = await aws.ecs.describeClusters({
    clusters: [id],
    include: ['TAGS', 'CONFIGURATIONS', 'SETTINGS'],
  });
  const cluster = only(answer.clusters);
  if (cluster.status === 'INACTIVE') throw new NotFoundError({ message: cluster.status });
  return cluster;
}

async function statusOf(
  aws: RegionalAws,
  id: string,
): Promise<{ readonly result: Cluster; readonly state: string }> {
  const result = await clusterOf(aws, id);
  return { result, state: result.status ?? '' };
}

async function waitForAvailableCluster(
  aws: RegionalAws,
  object: RemoteObject,
  subject: string,
  id: string,
): Promise<void> {
  await object.waitFor(subject, {
    pending: ['PROVISIONING'],
    target: ['ACTIVE'],
    timeout: minutes(10),
    delay: seconds(10),
    refresh: () => statusOf(aws, id),
  });
}

interface Planned {
  readonly configuration: readonly {
    readonly execute_command_configuration: readonly {
      readonly kms_key_id: string | null;
      readonly logging: string;
      readonly log_configuration: readonly {
        readonly cloud_watch_encryption_enabled: boolean | null;
        readonly cloud_watch_log_group_name: string | null;
        readonly s3_bucket_encryption_enabled: boolean | null;
        readonly s3_bucket_name: string | null;
        readonly s3_key_prefix: string | null;
      }[];
    }[];
    readonly managed_storage_configuration: readonly {
      readonly fargate_ephemeral_storage_kms_key_id: string | null;
      readonly kms_key_id: string | null;
    }[];
  }[];
  readonly service_connect_defaults: readonly { readonly namespace: string }[];
  readonly setting: readonly { readonly name: string; readonly value: string }[];
}

function clusterRequest(plan: Planned) {
  const [configuration] = plan.configuration;
  const [command] = configuration?.execute_command_configuration ?? [];
  const [log] = command?.log_configuration ?? [];
  const [storage] = configuration?.managed_storage_configuration ?? [];
  const [defaults] = plan.service_connect_defaults;
  return {
    ...(configuration && {
      configuration: {
        ...(command && {
          executeCommandConfiguration: {
            ...omitUnset({ kmsKeyId: command.kms_key_id }),
            // It has been validated.
            logging: enumOf<ExecuteCommandLogging>(command.logging),
            ...(log && {
              logConfiguration: omitUnset({
                cloudWatchEncryptionEnabled: log.cloud_watch_encryption_enabled,
                cloudWatchLogGroupName: log.cloud_watch_log_group_name,
                s3EncryptionEnabled: log.s3_bucket_encryption_enabled,
                s3BucketName: log.s3_bucket_name,
                s3KeyPrefix: log.s3_key_prefix,
              }),
            }),
          },
        }),
        ...(storage && {
          managedStorageConfiguration: omitUnset({
            fargateEphemeralStorageKmsKeyId: storage.fargate_ephemeral_storage_kms_key_id,
            kmsKeyId: storage.kms_key_id,
          }),
        }),
      },
    }),
    ...(defaults && { serviceConnectDefaults: { namespace: defaults.namespace } }),
    ...(plan.setting.length > 0 && {
      settings: plan.setting.map(({ name, value }) => ({
        name: enumOf<ClusterSettingName>(name),
        value,
      })),
    }),
  };
}

function configurationOf(configuration: ClusterConfiguration) {
  const { executeCommandConfiguration: command, managedStorageConfiguration: storage } =
    configuration;
  const log = command?.logConfiguration;
  return {
    execute_command_configuration: command && [
      {
        kms_key_id: command.kmsKeyId,
        logging: command.logging,
        log_configuration: log && [
          {
            cloud_watch_encryption_enabled: log.cloudWatchEncryptionEnabled,
            cloud_watch_log_group_name: log.cloudWatchLogGroupName,
            s3_bucket_encryption_enabled: log.s3EncryptionEnabled,
            s3_bucket_name: log.s3BucketName,
            s3_key_prefix: log.s3KeyPrefix,
          },
        ],
      },
    ],
    managed_storage_configuration: storage && [
      {
        fargate_ephemeral_storage_kms_key_id: storage.fargateEphemeralStorageKmsKeyId,
        kms_key_id: storage.kmsKeyId,
      },
    ],
  };
}
