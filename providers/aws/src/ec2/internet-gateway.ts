import type { InternetGateway } from '@aws-sdk/client-ec2';
import {
  ifKnown,
  minutes,
  type RemoteObject,
  type Resource,
  string,
  timeoutsBlock,
} from '@terrane/provider/sdk';
import type { Aws, RegionalAws } from '../clients/aws.ts';
import { hasCode } from '../request/aws-error.ts';
import { awsResource } from '../resource/aws-resource.ts';
import { arn, regional, tagged } from '../resource/common-attributes.ts';
import { only } from '../resource/only.ts';
import { ec2Retag, tagSpecifications } from './tags.ts';

const ATTACHED = ['available', 'attached'];

/** `aws_internet_gateway` */
export const internetGateway: Resource<Aws> = awsResource({
  type: 'EC2 Internet Gateway',
  notFound: ['InvalidInternetGatewayID.NotFound'],
  attributes: {
    ...regional,
    ...arn,
    ...tagged,
    owner_id: string({ computed: true }),
    vpc_id: string({ optional: true, computed: true }),
  },
  blocks: { timeouts: timeoutsBlock({ create: '20m', update: '20m', delete: '20m' }) },

  async create({ aws, tags }) {
    const { InternetGateway } = await aws.ec2.createInternetGateway({
      TagSpecifications: tagSpecifications('internet-gateway', tags),
    });
    return InternetGateway?.InternetGatewayId ?? '';
  },

  async created({ aws, object, plan, id, timeout }) {
    await attach(aws, object, id, ifKnown(plan.vpc_id), timeout);
  },

  find: ({ aws, id }) => gatewayById(aws, id),

  read: (found, { aws, id }) => ({
    arn: aws.arn('ec2', `internet-gateway/${id}`),
    owner_id: found.OwnerId ?? aws.accountId,
    tags: found.Tags ?? [],
    // One that is not attached is to no VPC.
    vpc_id: found.Attachments?.[0]?.VpcId ?? '',
  }),

  async update({ aws, object, plan, state, changed, id, timeout }) {
    if (!changed('vpc_id')) return;
    await detach(aws, object, id, state.vpc_id, timeout);
    await attach(aws, object, id, ifKnown(plan.vpc_id), timeout);
  },

  retag: ec2Retag,

  async delete({ aws, object, state, id, timeout }) {
    await detach(aws, object, id, state.vpc_id, timeout);
    await object.operation(
      'deleting',
      () => aws.ec2.deleteInternetGateway({ InternetGatewayId: id }),
      { isRetryable: (error) => hasCode(error, 'DependencyViolation'), propagation: timeout },
    );
  },
});

async function gatewayById(aws: RegionalAws, id: string): Promise<InternetGateway> {
  const { InternetGateways } = await aws.ec2.describeInternetGateways({ InternetGatewayIds: [id] });
  return only(InternetGateways);
}

async function attach(
  aws: RegionalAws,
  gateway: RemoteObject,
  id: string,
  vpc: string | undefined,
  timeout: number,
): Promise<void> {
  if (vpc === undefined || vpc === '') return;
  await gateway.operation(
    'attaching',
    () => aws.ec2.attachInternetGateway({ InternetGatewayId: id, VpcId: vpc }),
    {
      isRetryable: (error) => hasCode(error, 'InvalidInternetGatewayID.NotFound'),
      propagation: minutes(4),
    },
  );
  await gateway.waitFor('attachment', {
    pending: ['attaching', 'none'],
    target: ['available', 'attached'],
    timeout,
    refresh: async () => {
      const result = await gatewayById(aws, id);
      return { result, state: result.Attachments?.[0]?.State ?? 'none' };
    },
  });
}

async function detach(
  aws: RegionalAws,
  gateway: RemoteObject,
  id: string,
  vpc: string,
  timeout: number,
): Promise<void> {
  if (vpc === '') return;
  // Addresses that go through it may not be gone for all of EC2.
  const detached = async (): Promise<void> => {
    try {
      await aws.ec2.detachInternetGateway({ InternetGatewayId: id, VpcId: vpc });
    } catch (error) {
      if (!hasCode(error, 'Gateway.NotAttached')) throw error;
    }
  };
  await gateway.operation('detaching', detached, {
    isRetryable: (error) => hasCode(error, 'DependencyViolation'),
    propagation: timeout,
  });
  await gateway.waitForDeletion({
    pending: [...ATTACHED, 'detaching'],
    timeout,
    refresh: async () => {
      const result = (await gatewayById(aws, id)).Attachments?.[0];
      return result === undefined ? undefined : { result, state: result.State ?? '' };
    },
  });
}
