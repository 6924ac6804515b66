import type { Service } from '../resource/service.ts';
import { logGroup } from './log-group.ts';

export const logs: Service = {
  resources: { aws_cloudwatch_log_group: logGroup },
  dataSources: {},
};
