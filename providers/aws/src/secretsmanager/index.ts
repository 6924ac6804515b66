import type { Service } from '../resource/service.ts';

export const secretsmanager: Service = {
  resources: {},
  dataSources: {},
};
