import {
  bool,
  type Resource,
  list,
  listBlock,
  int64,
  set,
  setBlock,
  string,
  timeoutsBlock,
  unknown,
  minutes,
} from '@terrane/provider/sdk';
import type {
  BillingMode,
  CreateTableCommandInput,
  ScalarAttributeType,
  StreamViewType,
  TableClass,
} from '@aws-sdk/client-dynamodb';
import type { Aws } from '../clients/aws.ts';
import { hasCode } from '../request/aws-error.ts';
import { awsResource } from '../resource/aws-resource.ts';
import { arn, regional, tagged } from '../resource/common-attributes.ts';
import { computedBlocks } from '../resource/computed-blocks.ts';
import { textsIn } from '../resource/known-fields.ts';
import { omitUnset } from '../resource/only.ts';
import { tagList } from '../tags/tags.ts';
import {
  importTable,
  isRestored,
  type RestoreArguments,
  restoreRequest,
} from './create-from-source.ts';
import { globalArguments, globalIndex, keySchema, localIndex } from './indexes.ts';
import { tableArguments } from './table-arguments.ts';
import { changeTable, setWarmth } from './table-update.ts';
import { changeReplicas, replicaArguments, witnessOf } from './replicas.ts';
import {
  backupsOf,
  encryptionOf,
  isBusy,
  setEncryption,
  setExpiry,
  setRecovery,
} from './settings.ts';
import { onDemandOf, provisionedOf, warmOf } from './throughput.ts';
import {
  waitForActiveIndex,
  waitForActiveTable,
  waitForDeletedTable,
  waitForWarmTable,
  tableOf,
} from './wait.ts';
import { conflicting, lengthBetween, oneOf } from '../resource/validators.ts';
import { enumOf } from '../resource/enum-of.ts';

const requiresReplace = true;
const units = int64({ optional: true, computed: true });
const ONE = { maxItems: 1 } as const;
const onDemand = listBlock({ max_read_request_units: units, max_write_request_units: units }, ONE);
const warm = listBlock({ read_units_per_second: units, write_units_per_second: units }, ONE);
const projection = string({ required: true, validators: [oneOf('ALL', 'INCLUDE', 'KEYS_ONLY')] });

/** `aws_dynamodb_table` */
export const table: Resource<Aws> = awsResource({
  type: 'DynamoDB Table',
  version: 1,
  notFound: ['ResourceNotFoundException'],
  attributes: {
    ...regional,
    ...arn,
    ...tagged,
    billing_mode: string({
      default: 'PROVISIONED',
      computed: false,
      validators: [oneOf('PAY_PER_REQUEST', 'PROVISIONED')],
    }),
    deletion_protection_enabled: bool({ optional: true }),
    hash_key: string({ optional: true, computed: true, requiresReplace }),
    name: string({ required: true, requiresReplace, validators: [lengthBetween(3, 255)] }),
    range_key: string({ optional: true, requiresReplace }),
    read_capacity: units,
    restore_date_time: string({ optional: true, requiresReplace }),
    restore_source_name: string({ optional: true }),
    restore_source_table_arn: string({ optional: true }),
    restore_to_latest_time: bool({ optional: true, requiresReplace }),
    stream_arn: string({ computed: true }),
    stream_enabled: bool({ optional: true }),
    stream_label: string({ computed: true }),
    stream_view_type: string({
      optional: true,
      computed: true,
      validators: [oneOf('', 'KEYS_ONLY', 'NEW_AND_OLD_IMAGES', 'NEW_IMAGE', 'OLD_IMAGE')],
    }),
    table_class: string({
      default: 'STANDARD',
      computed: false,
      validators: [oneOf('STANDARD', 'STANDARD_INFREQUENT_ACCESS')],
    }),
    write_capacity: units,
  },
  blocks: {
    attribute: setBlock({
      name: string({ required: true }),
      type: string({ required: true, validators: [oneOf('B', 'N', 'S')] }),
    }),
    global_secondary_index: setBlock(
      {
        hash_key: string({ required: true }),
        name: string({ required: true }),
        non_key_attributes: set(string, { optional: true }),
        projection_type: projection,
        range_key: string({ optional: true }),
        read_capacity: units,
        write_capacity: units,
      },
      { blocks: { on_demand_throughput: onDemand, warm_throughput: warm } },
    ),
    global_table_witness: listBlock(
      { region_name: string({ optional: true, computed: true }) },
      ONE,
    ),
    import_table: listBlock(
      {
        input_compression_type: string({
          optional: true,
          validators: [oneOf('GZIP', 'NONE', 'ZSTD')],
        }),
        input_format: string({
          required: true,
          validators: [oneOf('CSV', 'DYNAMODB_JSON', 'ION')],
        }),
      },
      {
        maxItems: 1,
        requiresReplace,
        blocks: {
          input_format_options: listBlock(
            {},
            {
              maxItems: 1,
              blocks: {
                csv: listBlock(
                  {
                    delimiter: string({ optional: true }),
                    header_list: set(string, { optional: true }),
                  },
                  ONE,
                ),
              },
            },
          ),
          s3_bucket_source: listBlock(
            {
              bucket: string({ required: true }),
              bucket_owner: string({ optional: true }),
              key_prefix: string({ optional: true }),
            },
            { minItems: 1, maxItems: 1 },
          ),
        },
      },
    ),
    local_secondary_index: setBlock(
      {
        name: string({ required: true }),
        non_key_attributes: list(string, { optional: true }),
        projection_type: projection,
        range_key: string({ required: true }),
      },
      { requiresReplace },
    ),
    on_demand_throughput: onDemand,
    point_in_time_recovery: listBlock(
      { enabled: bool({ required: true }), recovery_period_in_days: units },
      ONE,
    ),
    replica: setBlock({
      arn: string({ computed: true }),
      consistency_mode: string({
        default: 'EVENTUAL',
        computed: false,
        validators: [oneOf('EVENTUAL', 'STRONG')],
      }),
      deletion_protection_enabled: bool({ optional: true, computed: true }),
      kms_key_arn: string({ optional: true, computed: true }),
      point_in_time_recovery: bool({ default: false, computed: false }),
      propagate_tags: bool({ default: false, computed: false }),
      region_name: string({ required: true }),
      stream_arn: string({ computed: true }),
      stream_label: string({ computed: true }),
    }),
    server_side_encryption: listBlock(
      {
        enabled: bool({ required: true }),
        kms_key_arn: string({ optional: true, computed: true }),
      },
      ONE,
    ),
    timeouts: timeoutsBlock({ create: '30m', update: '60m', delete: '10m' }),
    ttl: listBlock(
      {
        attribute_name: string({ optional: true }),
        enabled: bool({ default: false, computed: false }),
      },
      ONE,
    ),
    warm_throughput: warm,
  },
  validators: [conflicting('restore_source_name', 'restore_source_table_arn')],

  plan(planning) {
    const { state, changed, plan, requireReplace } = planning;
    if (state === null) return undefined;
    if (changed('restore_source_name') && isRestored(plan as RestoreArguments)) {
      requireReplace('restore_source_name');
    }
    if (changed('restore_source_table_arn') && isRestored(plan as RestoreArguments)) {
      requireReplace('restore_source_table_arn');
    }
    return {
      ...computedBlocks(
        planning,
        'attribute',
        'on_demand_throughput',
        'point_in_time_recovery',
        'server_side_encryption',
        'ttl',
        'warm_throughput',
      ),
      ...(changed('stream_enabled', 'stream_view_type') && {
        stream_arn: unknown(),
        stream_label: unknown(),
      }),
    };
  },

  async create({ aws, object, plan, tags, timeout }) {
    const { name, billing_mode: billing } = plan;
    const { hash = '' } = omitUnset({ hash: plan.hash_key });
    const global = plan.global_secondary_index.map((index) => globalIndex(index, billing));
    const local = plan.local_secondary_index.map((index) => localIndex(index, hash));
    const encryption = encryptionOf(plan.server_side_encryption);
    const again = { propagation: timeout, isRetryable: isBusy };
    // The value has been validated against the enumeration.
    const BillingMode = enumOf<BillingMode>(billing);
    if (isRestored(plan)) {
      const request = restoreRequest(plan, { billing, global, local, encryption });
      const restore = () => aws.dynamodb.restoreTableToPointInTime(request);
      await object.operation('creating', restore, again);
      return name;
    }
    const base = {
      TableName: name,
      BillingMode,
      KeySchema: keySchema(hash, plan.range_key),
      AttributeDefinitions: plan.attribute.map((attribute) => ({
        AttributeName: attribute.name,
        AttributeType: enumOf<ScalarAttributeType>(attribute.type),
      })),
      ...provisionedOf(plan, billing),
      ...onDemandOf(plan.on_demand_throughput),
      ...(global.length > 0 && { GlobalSecondaryIndexes: global }),
      ...(encryption && { SSESpecification: encryption }),
    };
    const [from] = plan.import_table;
    if (from !== undefined) {
      await importTable(aws, object, from, base, timeout);
      return name;
    }
    const { view } = omitUnset({ view: plan.stream_view_type });
    const request: CreateTableCommandInput = {
      ...base,
      ...warmOf(plan.warm_throughput),
      ...(local.length > 0 && { LocalSecondaryIndexes: local }),
      ...(plan.stream_enabled === true && {
        StreamSpecification: { StreamEnabled: true, StreamViewType: enumOf<StreamViewType>(view) },
      }),
      TableClass: enumOf<TableClass>(plan.table_class),
      ...omitUnset({ DeletionProtectionEnabled: plan.deletion_protection_enabled }),
      ...omitUnset({ Tags: tagList(tags) }),
    };
    await object.operation('creating', () => aws.dynamodb.createTable(request), again);
    return name;
  },

  async created({ aws, object, plan, tags, id, timeout }) {
    await waitForActiveTable(aws, object, id, timeout);
    await waitForWarmTable(aws, object, id, timeout);
    await waitForActiveIndex(aws, object, id, undefined, timeout);
    const [from] = plan.import_table;
    if (isRestored(plan) || from !== undefined) {
      const ResourceArn = (await tableOf(aws, id)).TableArn;
      const Tags = tagList(tags);
      if (Tags !== undefined) await aws.dynamodb.tagResource({ ResourceArn, Tags });
    }
    const [ttl] = plan.ttl;
    const [recovery] = plan.point_in_time_recovery;
    if (ttl?.enabled === true) await setExpiry(aws, object, id, ttl, timeout);
    if (recovery?.enabled === true) await setRecovery(aws, object, id, recovery, timeout);
    const replicas = {
      before: [],
      after: plan.replica,
      witness: witnessOf(plan.global_table_witness),
    };
    await changeReplicas(aws, object, id, replicas, tags, timeout);
  },

  find: ({ aws, id }) => tableOf(aws, id),

  async read(description, { aws, id, state }) {
    const [backups, expiry, listed] = await Promise.all([
      backupsOf(aws, id),
      aws.dynamodb.describeTimeToLive({ TableName: id }),
      aws.dynamodb.listTagsOfResource({ ResourceArn: description.TableArn }),
    ]);
    const recovery = backups?.PointInTimeRecoveryDescription;
    const ttl = expiry.TimeToLiveDescription;
    return {
      ...tableArguments(description),
      global_secondary_index: (description.GlobalSecondaryIndexes ?? []).map((index) =>
        globalArguments(index, state.global_secondary_index ?? []),
      ),
      point_in_time_recovery: [
        {
          enabled: recovery?.PointInTimeRecoveryStatus === 'ENABLED',
          recovery_period_in_days: recovery?.RecoveryPeriodInDays ?? 0,
        },
      ],
      replica: await replicaArguments(
        aws,
        id,
        (description.Replicas ?? []).filter(({ RegionName }) => RegionName !== aws.region),
        description.MultiRegionConsistency ?? 'EVENTUAL',
        state.replica ?? [],
      ),
      ttl: [
        {
          attribute_name: ttl?.AttributeName ?? '',
          enabled: ttl?.TimeToLiveStatus === 'ENABLED',
        },
      ],
      tags: listed.Tags ?? [],
    };
  },

  async update({ aws, object, plan, state, changed, id: TableName, timeout }) {
    const indexes = { before: state.global_secondary_index, after: plan.global_secondary_index };
    await changeTable({ aws, object, TableName, timeout }, plan, indexes, changed);
    const encryption = encryptionOf(plan.server_side_encryption);
    if (changed('server_side_encryption') && encryption !== undefined) {
      await setEncryption(aws, object, TableName, encryption, plan.replica, timeout);
    }
    const [ttl] = plan.ttl;
    const [recovery] = plan.point_in_time_recovery;
    if (changed('ttl') && ttl) await setExpiry(aws, object, TableName, ttl, timeout);
    if (changed('point_in_time_recovery') && recovery) {
      await setRecovery(aws, object, TableName, recovery, timeout);
    }
    const replicas = {
      before: state.replica,
      after: plan.replica,
      witness: witnessOf(plan.global_table_witness) ?? witnessOf(state.global_table_witness),
    };
    await changeReplicas(aws, object, TableName, replicas, textsIn(plan, 'tags_all'), timeout);
    if (changed('warm_throughput')) {
      await setWarmth({ aws, object, TableName, timeout }, plan.warm_throughput);
    }
  },

  async retag({ aws, state }, { set: added, removed }) {
    const ResourceArn = state.arn;
    const Tags = tagList(added);
    if (removed.length > 0) {
      await aws.dynamodb.untagResource({ ResourceArn, TagKeys: [...removed] });
    }
    if (Tags !== undefined) await aws.dynamodb.tagResource({ ResourceArn, Tags });
  },

  async delete({ aws, object, id, state, timeout }) {
    const replicas = {
      before: state.replica,
      after: [],
      witness: witnessOf(state.global_table_witness),
    };
    await changeReplicas(aws, object, id, replicas, {}, timeout);
    // A table that is being changed cannot be deleted yet.
    await object.operation('deleting', () => aws.dynamodb.deleteTable({ TableName: id }), {
      propagation: minutes(10),
      isRetryable: (error) => isBusy(error) || hasCode(error, 'ResourceInUseException'),
    });
    await waitForDeletedTable(aws, object, id, timeout);
  },
});
