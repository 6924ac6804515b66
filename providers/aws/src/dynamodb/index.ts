import type { Service } from '../resource/service.ts';

export const dynamodb: Service = {
  resources: {},
  dataSources: {},
};
