import type { Service } from '../resource/service.ts';

export const appautoscaling: Service = {
  resources: {},
  dataSources: {},
};
