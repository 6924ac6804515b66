import type { Service } from '../resource/service.ts';

export const sns: Service = {
  resources: {},
  dataSources: {},
};
