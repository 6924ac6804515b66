import type { Service } from '../resource/service.ts';
import { parameter } from './parameter.ts';
import { parameterData } from './parameter-data.ts';
import { parameterEphemeral } from './parameter-ephemeral.ts';

export const ssm: Service = {
  resources: { aws_ssm_parameter: parameter },
  dataSources: { aws_ssm_parameter: parameterData },
  ephemeralResources: { aws_ssm_parameter: parameterEphemeral },
};
