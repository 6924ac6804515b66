import type { Service } from '../resource/service.ts';

export const kafka: Service = {
  resources: {},
  dataSources: {},
};
