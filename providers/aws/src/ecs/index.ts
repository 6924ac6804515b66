import type { Service } from '../resource/service.ts';

export const ecs: Service = {
  resources: {},
  dataSources: {},
};
