import type { Service } from '../resource/service.ts';

export const kms: Service = {
  resources: {},
  dataSources: {},
};
