import type { InternetGateway } from '@aws-sdk/client-ec2';
import {
  ifKnown,
  type RemoteObject,
  type Resource,
  string,
  timeoutsBlock,
} from '@terrane/provider/sdk';
import type { Aws, RegionalAws } from '../clients/aws.ts';
import { again, unless } from '../request/again.ts';
import { awsResource } from '../resource/aws-resource.ts';
import { arn, regional, tagged } from '../resource/common-attributes.ts';
import { only } from '../resource/only.ts';
import { readState } from '../resource/seen.ts';
import { ec2Retag, tagSpecifications } from './tags.ts';
import { NOT_FOUND_CHECKS, PROPAGATION } from './consts.ts';

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

  visibleWithin: PROPAGATION,
  find: ({ aws, id }) => gatewayById(aws, id),

  read: (gateway, { aws, id }) => ({
    arn: aws.arn('ec2', `internet-gateway/${id}`),
    owner_id: gateway.OwnerId ?? aws.accountId,
    tags: gateway.Tags ?? [],
    // One that is not attached is to no VPC.
    vpc_id: gateway.Attachments?.[0]?.VpcId ?? '',
  }),

  async update({ aws, object, plan, state, changed, id, timeout }) {
    if (!changed('vpc_id')) return;
    await detach(aws, object, id, state.vpc_id, timeout);
    await attach(aws, object, id, ifKnown(plan.vpc_id), timeout);
  },

  retag: ec2Retag,

  async delete({ aws, object, state, id: InternetGatewayId, timeout }) {
    await detach(aws, object, InternetGatewayId, state.vpc_id, timeout);
    const call = () => aws.ec2.deleteInternetGateway({ InternetGatewayId });
    await object.operation('deleting', call, again(['DependencyViolation'], timeout));
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
    again(['InvalidInternetGatewayID.NotFound'], timeout),
  );
  await gateway.waitFor('attachment', {
    pending: ['attaching', 'none'],
    target: ['available', 'attached'],
    timeout,
    notFoundChecks: NOT_FOUND_CHECKS,
    refresh: readState(
      () => gatewayById(aws, id),
      (gateway) => gateway.Attachments?.[0]?.State ?? 'none',
    ),
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
  const call = () => aws.ec2.detachInternetGateway({ InternetGatewayId: id, VpcId: vpc });
  // Dependent addresses may not have been released everywhere in EC2.
  const going = again(['DependencyViolation'], timeout);
  await gateway.operation('detaching', () => unless(call, 'Gateway.NotAttached'), going);
  await gateway.waitForDeletion({
    pending: ['available', 'attached', 'detaching'],
    timeout,
    refresh: readState(
      async () => (await gatewayById(aws, id)).Attachments?.[0],
      ({ State }) => State,
    ),
  });
}
