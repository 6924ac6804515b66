import type { Service } from '../resource/service.ts';
import { topicSubscription } from './topic-subscription.ts';
import { topic } from './topic.ts';

export const sns: Service = {
  resources: { aws_sns_topic: topic, aws_sns_topic_subscription: topicSubscription },
  dataSources: {},
};
