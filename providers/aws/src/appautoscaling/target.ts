import type {
  DeregisterScalableTargetRequest,
  RegisterScalableTargetRequest,
} from '@aws-sdk/client-application-auto-scaling';
import {
  bool,
  int64,
  listBlock,
  minutes,
  type OperationRetry,
  type Resource,
  string,
} from '@terrane/provider/sdk';
import type { Aws } from '../clients/aws.ts';
import { hasMessage } from '../request/aws-error.ts';
import { awsResource } from '../resource/aws-resource.ts';
import { arn, regional, tagged } from '../resource/common-attributes.ts';
import { computedBlocks } from '../resource/computed-blocks.ts';
import { only } from '../resource/only.ts';
import { partsOf } from '../resource/parts-of.ts';
import { retag } from '../tags/retag.ts';
import { tagRecord } from '../tags/tags.ts';

const ID = /^([^/]+)\/(.+)\/([^/]+)$/;
const KEY = ['resource_id', 'scalable_dimension', 'service_namespace'] as const;
const unsetDefault = { default: false, computed: false } as const;

/** Roles, and services that are to be scaled, may not be known everywhere yet. */
const PROPAGATING: OperationRetry = {
  isRetryable: (error) =>
    hasMessage(error, 'ValidationException', 'Unable to assume IAM role') ||
    hasMessage(error, 'ValidationException', "ECS service doesn't exist"),
};

/** `aws_appautoscaling_target` */
export const target: Resource<Aws> = awsResource({
  type: 'Application AutoScaling Target',
  notFound: ['ObjectNotFoundException'],
  label: ({ resource_id: id }) => id,
  attributes: {
    ...regional,
    ...arn,
    ...tagged,
    max_capacity: int64({ required: true }),
    min_capacity: int64({ required: true }),
    resource_id: string({ required: true, requiresReplace: true }),
    role_arn: string({ optional: true, computed: true }),
    scalable_dimension: string({ required: true, requiresReplace: true }),
    service_namespace: string({ required: true, requiresReplace: true }),
  },
  blocks: {
    suspended_state: listBlock(
      {
        dynamic_scaling_in_suspended: bool(unsetDefault),
        dynamic_scaling_out_suspended: bool(unsetDefault),
        scheduled_scaling_suspended: bool(unsetDefault),
      },
      { maxItems: 1 },
    ),
  },

  plan: (planning) => computedBlocks(planning, 'suspended_state'),
  amazon: { arn: 'ScalableTargetARN', role_arn: 'RoleARN' },

  async create({ aws, object, plan, request, tags }) {
    const requestInput = request<RegisterScalableTargetRequest>({ Tags: tagRecord(tags) });
    const call = () => aws.appautoscaling.registerScalableTarget(requestInput);
    await object.operation('creating', call, PROPAGATING);
    return plan.resource_id;
  },

  async find({ aws, stored }) {
    const { ResourceId = '', ...kind } = stored<DeregisterScalableTargetRequest>(...KEY);
    const requestInput = { ...kind, ResourceIds: [ResourceId] };
    return only((await aws.appautoscaling.describeScalableTargets(requestInput)).ScalableTargets);
  },

  async read({ ScalableTargetARN: ResourceARN }, { aws }) {
    if (ResourceARN === undefined) return {};
    return { tags: (await aws.appautoscaling.listTagsForResource({ ResourceARN })).Tags };
  },

  async update({ aws, object, request }) {
    const call = () => aws.appautoscaling.registerScalableTarget(request());
    await object.operation('updating', call, PROPAGATING);
  },

  retag: retag(
    ({ aws, state: { arn: ResourceARN } }, TagKeys) =>
      aws.appautoscaling.untagResource({ ResourceARN, TagKeys }),
    ({ aws, state: { arn: ResourceARN } }, _, Tags) =>
      aws.appautoscaling.tagResource({ ResourceARN, Tags }),
  ),

  async delete({ aws, stored }) {
    await aws.appautoscaling.deregisterScalableTarget(stored(...KEY));
  },

  gone: { timeout: minutes(5) },

  import(id) {
    const expected = '<service-namespace>/<resource-id>/<scalable-dimension>';
    const complaint = `unexpected format ("${id}"), expected ${expected}`;
    const [space = '', resource = '', dimension = ''] = partsOf(id, ID, complaint);
    const key = { service_namespace: space, resource_id: resource, scalable_dimension: dimension };
    return { id: resource, ...key };
  },
});
