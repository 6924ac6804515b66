import type { Service } from '../resource/service.ts';

export const iam: Service = {
  resources: {},
  dataSources: {},
};
