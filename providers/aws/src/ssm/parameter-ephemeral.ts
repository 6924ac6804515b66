import { bool, type EphemeralResource, int64, string } from '@terrane/provider/sdk';
import type { Aws } from '../clients/aws.ts';
import { ephemeralResource } from '../resource/aws-data.ts';
import { parameterOf } from './find.ts';

/** `aws_ssm_parameter` for a run */
export const parameterEphemeral: EphemeralResource<Aws> = ephemeralResource({
  attributes: {
    arn: string({ required: true }),
    name: string({ computed: true }),
    region: string({ optional: true, computed: true }),
    type: string({ computed: true }),
    value: string({ computed: true, sensitive: true }),
    version: int64({ computed: true }),
    with_decryption: bool({ optional: true, computed: true }),
  },
  async open({ config, client, signal }) {
    const aws = client.in(config.region, signal);
    const decrypted = config.with_decryption ?? true;
    const parameter = await parameterOf(aws, config.arn, decrypted);
    return {
      arn: config.arn,
      name: parameter.Name ?? '',
      region: aws.region,
      type: parameter.Type ?? '',
      value: parameter.Value ?? '',
      version: parameter.Version ?? 0,
      with_decryption: decrypted,
    };
  },
});
