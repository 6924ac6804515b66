import type { Service } from '../resource/service.ts';
import { cluster } from './cluster.ts';

export const ecs: Service = {
  resources: { aws_ecs_cluster: cluster },
  dataSources: {},
};
