import type { Service } from '../resource/service.ts';
import { cluster } from './cluster.ts';

export const kafka: Service = {
  resources: { aws_msk_cluster: cluster },
  dataSources: {},
};
