import type { Service } from '../resource/service.ts';
import { queue } from './queue.ts';

export const sqs: Service = {
  resources: { aws_sqs_queue: queue },
  dataSources: {},
};
