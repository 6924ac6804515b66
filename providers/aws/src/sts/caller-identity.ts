import { type DataSource, string } from '@terrane/provider/sdk';
import type { Aws } from '../clients/aws.ts';
import { dataSource } from '../resource/aws-data.ts';

/** `aws_caller_identity` */
export const callerIdentity: DataSource<Aws> = dataSource({
  attributes: {
    account_id: string({ computed: true }),
    arn: string({ computed: true }),
    id: string({ optional: true, computed: true }),
    user_id: string({ computed: true }),
  },
  async read({ client, signal }) {
    const { sts } = client.in(null, signal);
    const { Account = '', Arn = '', UserId = '' } = await sts.getCallerIdentity({});
    return { id: Account, account_id: Account, arn: Arn, user_id: UserId };
  },
});
