import type { Service } from '../resource/service.ts';

export const lambda: Service = {
  resources: {},
  dataSources: {},
};
