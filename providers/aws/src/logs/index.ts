import type { Service } from '../resource/service.ts';

export const logs: Service = {
  resources: {},
  dataSources: {},
};
