import type { Service } from '../resource/service.ts';
import { eventSourceMapping } from './event-source-mapping.ts';
import { lambdaFunction } from './function.ts';
import { permission } from './permission.ts';

export const lambda: Service = {
  resources: {
    aws_lambda_event_source_mapping: eventSourceMapping,
    aws_lambda_function: lambdaFunction,
    aws_lambda_permission: permission,
  },
  dataSources: {},
};
