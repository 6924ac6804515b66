import type { EventSourceMappingConfiguration } from '@aws-sdk/client-lambda';
import {
  bool,
  int64,
  isUnknown,
  list as listOf,
  listBlock,
  map,
  type Resource,
  set,
  setBlock,
  sizeBetween,
  string,
} from '@terrane/provider/sdk';
import type { Aws } from '../clients/aws.ts';
import { hasCode, hasMessage } from '../request/aws-error.ts';
import { awsResource } from '../resource/aws-resource.ts';
import { arn, regional, tagged } from '../resource/common-attributes.ts';
import { list, orNone } from '../resource/block-values.ts';
import { openBlocks } from '../resource/open-blocks.ts';
import { MAPPING_DELETING, NOT_FOUND, PROPAGATION } from './consts.ts';
import { changeRequest, creationRequest, type Kafka } from './event-source-arguments.ts';
import { functionNameOf, kafkaBlock } from './event-source-values.ts';
import { isRolePropagating, waitForSettledMapping } from './wait.ts';
import {
  between,
  conflicting,
  exactlyOneConfigured,
  lengthBetween,
  oneOf,
} from '../resource/validators.ts';

const single = { maxItems: 1 } as const;
const replaced = { optional: true, requiresReplace: true } as const;
const open = { optional: true, computed: true } as const;

/** `aws_lambda_event_source_mapping` */
export const eventSourceMapping: Resource<Aws> = awsResource({
  type: 'Lambda Event Source Mapping',
  notFound: NOT_FOUND,
  attributes: {
    ...regional,
    ...arn,
    ...tagged,
    batch_size: int64({ optional: true }),
    bisect_batch_on_function_error: bool({ optional: true }),
    enabled: bool({ default: true, computed: false }),
    event_source_arn: string(replaced),
    function_arn: string({ computed: true }),
    // A function is the same by its name and by its ARN.
    function_name: string({
      required: true,
      semanticEquals: (before, after) => functionNameOf(before) === functionNameOf(after),
    }),
    function_response_types: set(string, { optional: true }),
    kms_key_arn: string({ optional: true }),
    last_modified: string({ computed: true }),
    last_processing_result: string({ computed: true }),
    maximum_batching_window_in_seconds: int64({ optional: true }),
    maximum_record_age_in_seconds: int64({ ...open, validators: [between(-1, 604_800)] }),
    maximum_retry_attempts: int64({ ...open, validators: [between(-1, 10_000)] }),
    parallelization_factor: int64({ ...open, validators: [between(1, 10)] }),
    queues: listOf(string, { ...replaced, validators: [sizeBetween(0, 1)] }),
    starting_position: string({
      ...replaced,
      validators: [oneOf('TRIM_HORIZON', 'LATEST', 'AT_TIMESTAMP')],
    }),
    starting_position_timestamp: string(replaced),
    state: string({ computed: true }),
    state_transition_reason: string({ computed: true }),
    topics: set(string, replaced),
    tumbling_window_in_seconds: int64({ optional: true, validators: [between(0, 900)] }),
    uuid: string({ computed: true }),
  },
  blocks: {
    amazon_managed_kafka_event_source_config: kafkaBlock(),
    destination_config: listBlock(
      {},
      {
        ...single,
        blocks: { on_failure: listBlock({ destination_arn: string({ required: true }) }, single) },
      },
    ),
    document_db_event_source_config: listBlock(
      {
        collection_name: string({ optional: true }),
        database_name: string({ required: true }),
        full_document: string({
          default: 'Default',
          computed: false,
          validators: [oneOf('UpdateLookup', 'Default')],
        }),
      },
      single,
    ),
    filter_criteria: listBlock(
      {},
      {
        ...single,
        blocks: {
          filter: setBlock({
            pattern: string({ optional: true, validators: [lengthBetween(0, 4096)] }),
          }),
        },
      },
    ),
    metrics_config: listBlock({ metrics: set(string, { required: true }) }, single),
    provisioned_poller_config: listBlock(
      { maximum_pollers: int64(open), minimum_pollers: int64(open) },
      single,
    ),
    scaling_config: listBlock(
      { maximum_concurrency: int64({ optional: true, validators: [between(2, 1000)] }) },
      single,
    ),
    self_managed_event_source: listBlock(
      { endpoints: map(string, { required: true, requiresReplace: true }) },
      { ...single, requiresReplace: true },
    ),
    self_managed_kafka_event_source_config: kafkaBlock(),
    source_access_configuration: setBlock({
      type: string({ required: true }),
      uri: string({ required: true }),
    }),
  },
  validators: [
    exactlyOneConfigured('event_source_arn', 'self_managed_event_source'),
    conflicting('event_source_arn', 'self_managed_kafka_event_source_config'),
    conflicting('amazon_managed_kafka_event_source_config', 'self_managed_event_source'),
  ],
  label: ({ event_source_arn: source }) => source ?? 'Self-Managed Apache Kafka',

  plan({ config, state }) {
    const kept = openBlocks(
      ['amazon_managed_kafka_event_source_config', 'self_managed_kafka_event_source_config'],
      config,
      state,
    );
    if (state === null || isUnknown(config.batch_size) || (config.batch_size ?? 0) !== 0)
      return kept;
    // The default batch size of Lambda depends on the source, and is not a change.
    const defaultBatchSize = /^arn:[^:]*:sqs:/.test(state.event_source_arn ?? '') ? 10 : 100;
    return {
      ...kept,
      ...(state.batch_size === defaultBatchSize && { batch_size: defaultBatchSize }),
    };
  },

  async create({ aws, object, plan, tags }) {
    const { UUID } = await object.operation(
      'creating',
      () => aws.lambda.createEventSourceMapping(creationRequest({ ...plan }, tags)),
      { isRetryable: isNotAllowedYet, propagation: PROPAGATION },
    );
    return UUID ?? '';
  },

  async created({ aws, object, id }) {
    await waitForSettledMapping(aws, object, id);
  },

  async find({ aws, id }) {
    return await aws.lambda.getEventSourceMapping({ UUID: id });
  },

  async read(mapping, { aws, state }) {
    const Resource = mapping.EventSourceMappingArn ?? '';
    // Some servers that are compatible with Lambda omit the ARN.
    const tags = Resource === '' ? {} : ((await aws.lambda.listTags({ Resource })).Tags ?? {});
    return { ...mappingFound(mapping, state), tags };
  },

  async update({ aws, object, plan, changed, id }) {
    const request = changeRequest({ ...plan }, (name) => changed(name as 'enabled'));
    if (Object.keys(request).length === 0) return;
    await object.operation(
      'updating',
      () => aws.lambda.updateEventSourceMapping({ ...request, UUID: id }),
      { isRetryable: isNotAllowedYet, propagation: PROPAGATION },
    );
    await waitForSettledMapping(aws, object, id);
  },

  async retag({ aws, state }, { set: Tags, removed }) {
    const Resource = state.arn;
    if (removed.length > 0) await aws.lambda.untagResource({ Resource, TagKeys: [...removed] });
    if (Object.keys(Tags).length > 0) await aws.lambda.tagResource({ Resource, Tags: { ...Tags } });
  },

  async delete({ aws, object, id }) {
    await object.operation('deleting', () => aws.lambda.deleteEventSourceMapping({ UUID: id }), {
      isRetryable: (error) => hasCode(error, 'ResourceInUseException'),
      propagation: PROPAGATION,
    });
    await object.waitForDeletion({
      pending: [MAPPING_DELETING],
      refresh: async () => {
        const result = await aws.lambda.getEventSourceMapping({ UUID: id });
        return { result, state: result.State ?? '' };
      },
      reason: ({ StateTransitionReason: reason }) => reason,
    });
  },
});

function isNotAllowedYet(error: unknown): boolean {
  return (
    isRolePropagating(error) ||
    hasMessage(
      error,
      'InvalidParameterValueException',
      'execution role does not have permissions',
    ) ||
    hasMessage(error, 'InvalidParameterValueException', 'ensure the role can perform')
  );
}

/** The arguments of a mapping as they were found. */
function mappingFound(
  mapping: EventSourceMappingConfiguration,
  state: { readonly function_name: string | null },
) {
  const functionName = state.function_name ?? '';
  const same = functionNameOf(functionName) === functionNameOf(mapping.FunctionArn ?? '');
  const running = (mapping.State ?? '').startsWith('Enabl');
  const known = running || (mapping.State ?? '').startsWith('Disabl');
  return {
    arn: mapping.EventSourceMappingArn ?? '',
    batch_size: mapping.BatchSize,
    bisect_batch_on_function_error: mapping.BisectBatchOnFunctionError,
    enabled: known ? running : undefined,
    event_source_arn: mapping.EventSourceArn,
    function_arn: mapping.FunctionArn,
    function_name: same ? functionName : mapping.FunctionArn,
    function_response_types: mapping.FunctionResponseTypes,
    kms_key_arn: mapping.KMSKeyArn,
    last_modified: mapping.LastModified?.toISOString().replace(/\.\d+Z$/, 'Z') ?? '',
    last_processing_result: mapping.LastProcessingResult ?? '',
    maximum_batching_window_in_seconds: mapping.MaximumBatchingWindowInSeconds,
    maximum_record_age_in_seconds: mapping.MaximumRecordAgeInSeconds ?? 0,
    maximum_retry_attempts: mapping.MaximumRetryAttempts ?? 0,
    parallelization_factor: mapping.ParallelizationFactor ?? 0,
    queues: mapping.Queues,
    starting_position: mapping.StartingPosition,
    starting_position_timestamp: mapping.StartingPositionTimestamp?.toISOString().replace(
      /\.\d+Z$/,
      'Z',
    ),
    state: mapping.State,
    state_transition_reason: mapping.StateTransitionReason ?? '',
    topics: mapping.Topics,
    tumbling_window_in_seconds: mapping.TumblingWindowInSeconds,
    uuid: mapping.UUID,
    ...mappingBlocks(mapping),
  };
}

/** The blocks of a mapping as they were found. */
function mappingBlocks(mapping: EventSourceMappingConfiguration) {
  return {
    amazon_managed_kafka_event_source_config: list(
      mapping.AmazonManagedKafkaEventSourceConfig,
      foundKafka,
    ),
    destination_config: list(mapping.DestinationConfig?.OnFailure, ({ Destination }) => ({
      on_failure: [{ destination_arn: Destination }],
    })),
    document_db_event_source_config: list(mapping.DocumentDBEventSourceConfig, (each) => ({
      collection_name: each.CollectionName ?? '',
      database_name: each.DatabaseName,
      full_document: each.FullDocument,
    })),
    filter_criteria: list(orNone([...(mapping.FilterCriteria?.Filters ?? [])]), (filters) => ({
      filter: filters.map(({ Pattern }) => ({ pattern: Pattern })),
    })),
    metrics_config: list(mapping.MetricsConfig, ({ Metrics }) => ({ metrics: Metrics })),
    provisioned_poller_config: list(mapping.ProvisionedPollerConfig, (each) => ({
      maximum_pollers: each.MaximumPollers,
      minimum_pollers: each.MinimumPollers,
    })),
    scaling_config: list(mapping.ScalingConfig?.MaximumConcurrency, (maximum) => ({
      maximum_concurrency: maximum,
    })),
    self_managed_event_source: list(mapping.SelfManagedEventSource?.Endpoints, (endpoints) => ({
      endpoints: Object.fromEntries(
        Object.entries(endpoints).map(([name, servers]) => [name, servers?.join(',')]),
      ),
    })),
    self_managed_kafka_event_source_config: list(
      mapping.SelfManagedKafkaEventSourceConfig,
      foundKafka,
    ),
    source_access_configuration: (mapping.SourceAccessConfigurations ?? []).map(
      ({ Type, URI }) => ({
        type: Type,
        uri: URI,
      }),
    ),
  };
}

function foundKafka({ ConsumerGroupId, SchemaRegistryConfig }: Kafka): object {
  return {
    consumer_group_id: ConsumerGroupId,
    schema_registry_config: list(SchemaRegistryConfig, (registry) => ({
      event_record_format: registry.EventRecordFormat,
      schema_registry_uri: registry.SchemaRegistryURI,
      access_config: (registry.AccessConfigs ?? []).map(({ Type, URI }) => ({
        type: Type,
        uri: URI,
      })),
      schema_validation_config: (registry.SchemaValidationConfigs ?? []).map(({ Attribute }) => ({
        attribute: Attribute,
      })),
    })),
  };
}
