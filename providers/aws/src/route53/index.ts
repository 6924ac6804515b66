import type { Service } from '../resource/service.ts';
import { record } from './record.ts';
import { zone } from './zone.ts';

export const route53: Service = {
  resources: { aws_route53_record: record, aws_route53_zone: zone },
  dataSources: {},
};
