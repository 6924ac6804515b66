import type { Service } from '../resource/service.ts';

export const ssm: Service = {
  resources: {},
  dataSources: {},
};
