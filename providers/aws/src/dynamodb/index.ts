import type { Service } from '../resource/service.ts';
import { table } from './table.ts';

export const dynamodb: Service = {
  resources: { aws_dynamodb_table: table },
  dataSources: {},
};
