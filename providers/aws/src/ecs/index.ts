import type { Service } from '../resource/service.ts';
import { cluster } from './cluster.ts';
import { service } from './service.ts';
import { taskDefinition } from './task-definition.ts';

export const ecs: Service = {
  resources: {
    aws_ecs_cluster: cluster,
    aws_ecs_service: service,
    aws_ecs_task_definition: taskDefinition,
  },
  dataSources: {},
};
