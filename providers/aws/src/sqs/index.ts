import type { Service } from '../resource/service.ts';
import { queuePolicy, queueRedriveAllowPolicy, queueRedrivePolicy } from './queue-attributes.ts';
import { queue } from './queue.ts';

export const sqs: Service = {
  resources: {
    aws_sqs_queue: queue,
    aws_sqs_queue_policy: queuePolicy,
    aws_sqs_queue_redrive_allow_policy: queueRedriveAllowPolicy,
    aws_sqs_queue_redrive_policy: queueRedrivePolicy,
  },
  dataSources: {},
};
