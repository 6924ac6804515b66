/** Error codes for a missing topic or subscription. */
export const NO_TOPIC: readonly string[] = ['NotFound', 'NotFoundException'];

/** The names of the attributes for the arguments of topics. */
export const TOPIC_ATTRIBUTES: Readonly<Record<string, string>> = {
  application_failure_feedback_role_arn: 'ApplicationFailureFeedbackRoleArn',
  application_success_feedback_role_arn: 'ApplicationSuccessFeedbackRoleArn',
  application_success_feedback_sample_rate: 'ApplicationSuccessFeedbackSampleRate',
  archive_policy: 'ArchivePolicy',
  content_based_deduplication: 'ContentBasedDeduplication',
  delivery_policy: 'DeliveryPolicy',
  display_name: 'DisplayName',
  fifo_throughput_scope: 'FifoThroughputScope',
  fifo_topic: 'FifoTopic',
  firehose_failure_feedback_role_arn: 'FirehoseFailureFeedbackRoleArn',
  firehose_success_feedback_role_arn: 'FirehoseSuccessFeedbackRoleArn',
  firehose_success_feedback_sample_rate: 'FirehoseSuccessFeedbackSampleRate',
  http_failure_feedback_role_arn: 'HTTPFailureFeedbackRoleArn',
  http_success_feedback_role_arn: 'HTTPSuccessFeedbackRoleArn',
  http_success_feedback_sample_rate: 'HTTPSuccessFeedbackSampleRate',
  kms_master_key_id: 'KmsMasterKeyId',
  lambda_failure_feedback_role_arn: 'LambdaFailureFeedbackRoleArn',
  lambda_success_feedback_role_arn: 'LambdaSuccessFeedbackRoleArn',
  lambda_success_feedback_sample_rate: 'LambdaSuccessFeedbackSampleRate',
  policy: 'Policy',
  signature_version: 'SignatureVersion',
  sqs_failure_feedback_role_arn: 'SQSFailureFeedbackRoleArn',
  sqs_success_feedback_role_arn: 'SQSSuccessFeedbackRoleArn',
  sqs_success_feedback_sample_rate: 'SQSSuccessFeedbackSampleRate',
  tracing_config: 'TracingConfig',
};

/** The names of the attributes for the arguments of subscriptions. */
export const SUBSCRIPTION_ATTRIBUTES: Readonly<Record<string, string>> = {
  delivery_policy: 'DeliveryPolicy',
  filter_policy_scope: 'FilterPolicyScope',
  filter_policy: 'FilterPolicy',
  raw_message_delivery: 'RawMessageDelivery',
  redrive_policy: 'RedrivePolicy',
  replay_policy: 'ReplayPolicy',
  subscription_role_arn: 'SubscriptionRoleArn',
};

/** The protocols of subscriptions. */
export const PROTOCOLS: readonly string[] = [
  ...['application', 'email-json', 'email', 'firehose', 'http', 'https', 'lambda', 'sms', 'sqs'],
];
