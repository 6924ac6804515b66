import type {
  CreateEventSourceMappingRequest,
  EventSourceMappingConfiguration,
  UpdateEventSourceMappingRequest,
} from '@aws-sdk/client-lambda';
import {
  type Block,
  compact,
  many,
  number,
  firstBlock,
  orNone,
  record,
  text,
  texts,
} from '../resource/block-values.ts';
import { isEmpty } from '../resource/empty.ts';
import type { Tags } from '../tags/tags.ts';

type Request = Omit<CreateEventSourceMappingRequest & UpdateEventSourceMappingRequest, 'UUID'>;

/** The members of a request for each argument that can be changed. An empty argument removes the prior value. */
const CHANGEABLE: Readonly<Record<string, (value: unknown) => object>> = {
  amazon_managed_kafka_event_source_config: (value) => ({
    AmazonManagedKafkaEventSourceConfig: kafka(value),
  }),
  batch_size: (value) => ({ BatchSize: number(value) }),
  bisect_batch_on_function_error: (value) => ({ BisectBatchOnFunctionError: value === true }),
  destination_config: (value) => {
    const failed = firstBlock(firstBlock(value)?.['on_failure']);
    return {
      DestinationConfig: failed ? { OnFailure: { Destination: failed['destination_arn'] } } : {},
    };
  },
  document_db_event_source_config: (value) => {
    const block = firstBlock(value);
    return {
      DocumentDBEventSourceConfig:
        block &&
        compact({
          CollectionName: text(block['collection_name']),
          DatabaseName: text(block['database_name']),
          FullDocument: text(block['full_document']),
        }),
    };
  },
  enabled: (value) => ({ Enabled: value === true }),
  filter_criteria: (value) => {
    const filters = many(firstBlock(value)?.['filter']);
    const Filters = orNone(filters.map(({ pattern }) => ({ Pattern: String(pattern ?? '') })));
    return { FilterCriteria: compact({ Filters }) };
  },
  function_name: (value) => ({ FunctionName: value }),
  function_response_types: (value) => ({ FunctionResponseTypes: texts(value) }),
  kms_key_arn: (value) => ({ KMSKeyArn: value ?? '' }),
  maximum_batching_window_in_seconds: (value) => ({
    MaximumBatchingWindowInSeconds: number(value) ?? 0,
  }),
  maximum_record_age_in_seconds: (value) => ({ MaximumRecordAgeInSeconds: number(value) }),
  maximum_retry_attempts: (value) => ({ MaximumRetryAttempts: number(value) }),
  metrics_config: (value) => ({
    MetricsConfig: { Metrics: texts(firstBlock(value)?.['metrics']) },
  }),
  parallelization_factor: (value) => ({ ParallelizationFactor: number(value) }),
  provisioned_poller_config: (value) => {
    const block = firstBlock(value) ?? {};
    return {
      ProvisionedPollerConfig: compact({
        MaximumPollers: number(block['maximum_pollers']),
        MinimumPollers: number(block['minimum_pollers']),
      }),
    };
  },
  scaling_config: (value) => ({
    ScalingConfig: compact({
      MaximumConcurrency: number(firstBlock(value)?.['maximum_concurrency']),
    }),
  }),
  self_managed_kafka_event_source_config: (value) => ({
    SelfManagedKafkaEventSourceConfig: kafka(value),
  }),
  source_access_configuration: (value) => ({
    SourceAccessConfigurations: many(value).map(({ type, uri }) => ({ Type: type, URI: uri })),
  }),
  tumbling_window_in_seconds: (value) => ({ TumblingWindowInSeconds: number(value) ?? 0 }),
};

/** Returns the request for the changed arguments. */
export function changeRequest(
  plan: Block,
  changed: (argument: string) => boolean,
): UpdateEventSourceMappingRequest & Partial<Request> {
  const parts = Object.entries(CHANGEABLE).flatMap(([name, ask]) =>
    changed(name) ? [compact(ask(plan[name]))] : [],
  );
  // The content of the parts is validated by the schema, or rejected by the service.
  return Object.assign({}, ...parts) as UpdateEventSourceMappingRequest;
}

/** Returns the request that creates a mapping, with all arguments that have a value. */
export function creationRequest(plan: Block, tags: Tags): CreateEventSourceMappingRequest {
  const parts = changeRequest(plan, (name) => name === 'enabled' || !isEmpty(plan[name]));
  const endpoints = record(firstBlock(plan['self_managed_event_source'])?.['endpoints']);
  const at = text(plan['starting_position_timestamp']);
  const members = compact({
    EventSourceArn: text(plan['event_source_arn']),
    Queues: orNone(texts(plan['queues'])),
    SelfManagedEventSource:
      Object.keys(endpoints).length === 0
        ? undefined
        : {
            Endpoints: Object.fromEntries(
              Object.entries(endpoints).map(([name, servers]) => [
                name,
                String(servers).split(','),
              ]),
            ),
          },
    StartingPosition: text(plan['starting_position']),
    StartingPositionTimestamp: at === undefined ? undefined : new Date(at),
    Tags: Object.keys(tags).length === 0 ? undefined : { ...tags },
    Topics: orNone(texts(plan['topics'])),
  });
  return { ...parts, ...members } as CreateEventSourceMappingRequest;
}

/** The configuration of Kafka sources, in responses and requests. */
export type Kafka = NonNullable<
  EventSourceMappingConfiguration['AmazonManagedKafkaEventSourceConfig']
>;

function kafka(value: unknown): Kafka | undefined {
  const block = firstBlock(value);
  const registry = firstBlock(block?.['schema_registry_config']);
  if (block === undefined) return undefined;
  return compact({
    ConsumerGroupId: text(block['consumer_group_id']),
    SchemaRegistryConfig:
      registry &&
      compact({
        EventRecordFormat: text(registry['event_record_format']),
        SchemaRegistryURI: text(registry['schema_registry_uri']),
        AccessConfigs: orNone(
          many(registry['access_config']).map(({ type, uri }) => ({ Type: type, URI: uri })),
        ),
        SchemaValidationConfigs: orNone(
          many(registry['schema_validation_config']).map(({ attribute }) => ({
            Attribute: attribute,
          })),
        ),
      }),
  }) as Kafka;
}
