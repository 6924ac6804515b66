import { bool, type DataSource, int64, ProviderError, string } from '@terrane/provider/sdk';
import type { Aws } from '../clients/aws.ts';
import { hasCode } from '../request/aws-error.ts';
import { dataSource } from '../resource/aws-data.ts';
import { NO_PARAMETER } from './consts.ts';
import { parameterOf } from './find.ts';

/** `aws_ssm_parameter` */
export const parameterData: DataSource<Aws> = dataSource({
  attributes: {
    arn: string({ computed: true }),
    id: string({ optional: true, computed: true }),
    insecure_value: string({ computed: true }),
    name: string({ required: true }),
    region: string({ optional: true, computed: true }),
    type: string({ computed: true }),
    value: string({ computed: true, sensitive: true }),
    version: int64({ computed: true }),
    with_decryption: bool({ default: true, computed: false }),
  },
  async read({ config, client, signal }) {
    const aws = client.in(config.region, signal);
    const name = config.name;
    const decrypted = config.with_decryption ?? true;
    const parameter = await parameterOf(aws, name, decrypted).catch((error: unknown) => {
      if (!hasCode(error, ...NO_PARAMETER)) throw error;
      throw new ProviderError(`reading SSM Parameter (${name}): couldn't find resource`);
    });
    return {
      id: parameter.Name ?? '',
      arn: parameter.ARN ?? '',
      name: parameter.Name ?? name,
      region: aws.region,
      type: parameter.Type ?? '',
      value: parameter.Value ?? '',
      insecure_value: parameter.Type === 'SecureString' ? '' : (parameter.Value ?? ''),
      version: parameter.Version ?? 0,
      with_decryption: decrypted,
    };
  },
});
