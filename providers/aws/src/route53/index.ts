import type { Service } from '../resource/service.ts';

export const route53: Service = {
  resources: {},
  dataSources: {},
};
