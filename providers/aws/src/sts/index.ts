import type { Service } from '../resource/service.ts';
import { callerIdentity } from './caller-identity.ts';

export const sts: Service = {
  resources: {},
  dataSources: { aws_caller_identity: callerIdentity },
};
