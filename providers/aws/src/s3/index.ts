import type { Service } from '../resource/service.ts';

export const s3: Service = {
  resources: {},
  dataSources: {},
};
