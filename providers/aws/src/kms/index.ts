import type { Service } from '../resource/service.ts';
import { alias } from './alias.ts';
import { key } from './key.ts';

export const kms: Service = {
  resources: { aws_kms_alias: alias, aws_kms_key: key },
  dataSources: {},
};
