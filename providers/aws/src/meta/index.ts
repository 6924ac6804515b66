import type { Service } from '../resource/service.ts';
import { partition } from './partition.ts';
import { region } from './region.ts';

export const meta: Service = {
  resources: {},
  dataSources: { aws_partition: partition, aws_region: region },
};
