import type { ScalableTarget } from '@aws-sdk/client-application-auto-scaling';
import {
  bool,
  int64,
  listBlock,
  minutes,
  NotFoundError,
  type RemoteObject,
  type Resource,
  string,
} from '@terrane/provider/sdk';
import type { Aws, RegionalAws } from '../clients/aws.ts';
import { hasMessage } from '../request/aws-error.ts';
import { awsResource } from '../resource/aws-resource.ts';
import { arn, regional, tagged } from '../resource/common-attributes.ts';
import { computedBlocks } from '../resource/computed-blocks.ts';
import { given, only } from '../resource/only.ts';

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
        dynamic_scaling_in_suspended: bool({ default: false, computed: false }),
        dynamic_scaling_out_suspended: bool({ default: false, computed: false }),
        scheduled_scaling_suspended: bool({ default: false, computed: false }),
      },
      { maxItems: 1 },
    ),
  },

  plan: (planning) => computedBlocks(planning, 'suspended_state'),

  async create({ aws, object, plan, tags }) {
    const request = requested(plan);
    await register(aws, object, 'creating', {
      ...request,
      ...(Object.keys(tags).length > 0 && { Tags: { ...tags } }),
    });
    return plan.resource_id;
  },

  find: ({ aws, state }) => targetOf(aws, state),

  async read(found, { aws }) {
    const own = found.ScalableTargetARN;
    const suspended = found.SuspendedState;
    const listed =
      own === undefined
        ? {}
        : ((await aws.appautoscaling.listTagsForResource({ ResourceARN: own })).Tags ?? {});
    return {
      arn: own ?? '',
      max_capacity: found.MaxCapacity,
      min_capacity: found.MinCapacity,
      resource_id: found.ResourceId,
      role_arn: found.RoleARN ?? '',
      scalable_dimension: found.ScalableDimension,
      service_namespace: found.ServiceNamespace,
      suspended_state: suspended && [
        {
          dynamic_scaling_in_suspended: suspended.DynamicScalingInSuspended ?? false,
          dynamic_scaling_out_suspended: suspended.DynamicScalingOutSuspended ?? false,
          scheduled_scaling_suspended: suspended.ScheduledScalingSuspended ?? false,
        },
      ],
      tags: listed,
    };
  },

  async update({ aws, object, plan, changed }) {
    if (!changed('max_capacity', 'min_capacity', 'role_arn', 'suspended_state')) return;
    await register(aws, object, 'updating', requested(plan));
  },

  async retag({ aws, state }, { set, removed }) {
    const ResourceARN = state.arn;
    if (removed.length > 0) {
      await aws.appautoscaling.untagResource({ ResourceARN, TagKeys: [...removed] });
    }
    if (Object.keys(set).length > 0) {
      await aws.appautoscaling.tagResource({ ResourceARN, Tags: { ...set } });
    }
  },

  async delete({ aws, object, state }) {
    await aws.appautoscaling.deregisterScalableTarget(keyOf(state));
    await object.waitForDeletion({
      timeout: minutes(5),
      refresh: async () => ({ result: await targetOf(aws, state), state: 'exists' }),
    });
  },

  import(id) {
    const [namespace = '', ...rest] = id.split('/');
    const dimension = rest.pop() ?? '';
    const resource = rest.join('/');
    if (namespace === '' || resource === '' || dimension === '') {
      throw new Error(
        `unexpected format ("${id}"), expected <service-namespace>/<resource-id>/<scalable-dimension>`,
      );
    }
    return {
      id: resource,
      resource_id: resource,
      scalable_dimension: dimension,
      service_namespace: namespace,
    };
  },
});

interface Key {
  readonly resource_id: string;
  readonly scalable_dimension: string;
  readonly service_namespace: string;
}

function keyOf(of: Key): {
  ResourceId: string;
  ScalableDimension: 'ecs:service:DesiredCount';
  ServiceNamespace: 'ecs';
} {
  return {
    ResourceId: of.resource_id,
    // The service tells which there are.
    ScalableDimension: of.scalable_dimension as 'ecs:service:DesiredCount',
    ServiceNamespace: of.service_namespace as 'ecs',
  };
}

interface Planned extends Key {
  readonly max_capacity: number;
  readonly min_capacity: number;
  readonly role_arn: unknown;
  readonly suspended_state: readonly {
    readonly dynamic_scaling_in_suspended: boolean;
    readonly dynamic_scaling_out_suspended: boolean;
    readonly scheduled_scaling_suspended: boolean;
  }[];
}

function requested(plan: Planned) {
  const [suspended] = plan.suspended_state;
  const role = typeof plan.role_arn === 'string' ? plan.role_arn : null;
  return {
    ...keyOf(plan),
    MaxCapacity: plan.max_capacity,
    MinCapacity: plan.min_capacity,
    ...given({ RoleARN: role }),
    ...(suspended && {
      SuspendedState: {
        DynamicScalingInSuspended: suspended.dynamic_scaling_in_suspended,
        DynamicScalingOutSuspended: suspended.dynamic_scaling_out_suspended,
        ScheduledScalingSuspended: suspended.scheduled_scaling_suspended,
      },
    }),
  };
}

/** Roles, and services that are to be scaled, may not be known everywhere yet. */
async function register(
  aws: RegionalAws,
  object: RemoteObject,
  doing: string,
  request: ReturnType<typeof requested> & { readonly Tags?: Record<string, string> },
): Promise<void> {
  await object.operation(doing, () => aws.appautoscaling.registerScalableTarget(request), {
    isRetryable: (error) =>
      hasMessage(error, 'ValidationException', 'Unable to assume IAM role') ||
      hasMessage(error, 'ValidationException', "ECS service doesn't exist"),
  });
}

async function targetOf(aws: RegionalAws, key: Key): Promise<ScalableTarget> {
  const { ResourceId, ...kind } = keyOf(key);
  const request = { ...kind, ResourceIds: [ResourceId] };
  const found = only((await aws.appautoscaling.describeScalableTargets(request)).ScalableTargets);
  const same =
    found.ResourceId === ResourceId &&
    found.ScalableDimension === kind.ScalableDimension &&
    found.ServiceNamespace === kind.ServiceNamespace;
  if (!same) throw new NotFoundError();
  return found;
}
