import { seconds } from '@terrane/provider/sdk';

/** Error codes for a missing queue, in both protocols of the service. */
export const NO_QUEUE: readonly string[] = [
  'QueueDoesNotExist',
  'AWS.SimpleQueueService.NonExistentQueue',
];

/** Codes of errors that say that a queue of the name was deleted a moment ago. */
export const DELETED_RECENTLY: readonly string[] = [
  'QueueDeletedRecently',
  'AWS.SimpleQueueService.QueueDeletedRecently',
];

/**
 * Milliseconds for which an existing queue must be missing before it is removed from the state. Servers that do not
 * know a queue yet respond that it does not exist.
 */
export const MISSING_FOR: number = seconds(20);

/** The names of the attributes for the arguments of queues. */
export const ATTRIBUTE_NAMES: Readonly<Record<string, string>> = {
  content_based_deduplication: 'ContentBasedDeduplication',
  deduplication_scope: 'DeduplicationScope',
  delay_seconds: 'DelaySeconds',
  fifo_queue: 'FifoQueue',
  fifo_throughput_limit: 'FifoThroughputLimit',
  kms_data_key_reuse_period_seconds: 'KmsDataKeyReusePeriodSeconds',
  kms_master_key_id: 'KmsMasterKeyId',
  max_message_size: 'MaximumMessageSize',
  message_retention_seconds: 'MessageRetentionPeriod',
  policy: 'Policy',
  receive_wait_time_seconds: 'ReceiveMessageWaitTimeSeconds',
  redrive_allow_policy: 'RedriveAllowPolicy',
  redrive_policy: 'RedrivePolicy',
  sqs_managed_sse_enabled: 'SqsManagedSseEnabled',
  visibility_timeout_seconds: 'VisibilityTimeout',
};
