import type { Service } from '../resource/service.ts';
import { target } from './target.ts';

export const appautoscaling: Service = {
  resources: { aws_appautoscaling_target: target },
  dataSources: {},
};
