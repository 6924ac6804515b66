import type { Service } from '../resource/service.ts';
import { vpc } from './vpc.ts';

export const ec2: Service = {
  resources: { aws_vpc: vpc },
  dataSources: {},
};
