import { ApplicationAutoScaling } from '@aws-sdk/client-application-auto-scaling';
import { afterAll, beforeAll, describe, it } from 'vitest';
import { type AwsServer, resourceLife, startAws } from './moto-life.ts';

const ServiceNamespace = 'dynamodb';
const ScalableDimension = 'dynamodb:table:ReadCapacityUnits';

describe('appautoscaling', () => {
  let server: AwsServer;
  let scaling: ApplicationAutoScaling;

  beforeAll(async () => {
    server = await startAws();
    scaling = new ApplicationAutoScaling(server.options());
  });
  afterAll(() => server.stop());

  it('leads a target through its life', { timeout: 600_000 }, async () => {
    const target = (resource: string, most: number, more = ''): string => `
resource "aws_appautoscaling_target" "it" {
  service_namespace  = "${ServiceNamespace}"
  scalable_dimension = "${ScalableDimension}"
  resource_id        = "${resource}"
  min_capacity       = 1
  max_capacity       = ${most}
  ${more}
}
`;
    const suspended = {
      dynamic_scaling_in_suspended: true,
      dynamic_scaling_out_suspended: false,
      scheduled_scaling_suspended: false,
    };
    let tags: Record<string, unknown> = {};
    await resourceLife(server, {
      intercept(operation, asked) {
        const { Tags, TagKeys } = asked;
        const requestTags = typeof Tags === 'object' ? { ...Tags } : {};
        if (operation === 'RegisterScalableTarget') tags = { ...tags, ...requestTags };
        if (operation === 'ListTagsForResource') return { Tags: tags };
        if (operation === 'TagResource') tags = { ...tags, ...requestTags };
        else if (operation !== 'UntagResource') return undefined;
        const gone: unknown[] = Array.isArray(TagKeys) ? TagKeys : [];
        tags = Object.fromEntries(Object.entries(tags).filter(([key]) => !gone.includes(key)));
        return {};
      },
      address: 'aws_appautoscaling_target.it',
      config: target('table/one', 10, 'tags = { Env = "test" }'),
      state: {
        id: 'table/one',
        arn: /^arn:aws:application-autoscaling:eu-west-1:/,
        max_capacity: 10,
        tags_all: { Env: 'test' },
      },
      import: { id: `${ServiceNamespace}/table/one/${ScalableDimension}` },
      updates: [
        {
          config: target(
            'table/one',
            20,
            'suspended_state {\n dynamic_scaling_in_suspended = true\n}',
          ),
          state: { max_capacity: 20, tags: {}, suspended_state: [suspended] },
        },
      ],
      replace: { config: target('table/two', 20), by: ['resource_id'] },
      drift: {
        change: () =>
          scaling.registerScalableTarget({
            ServiceNamespace,
            ScalableDimension,
            ResourceId: 'table/two',
            MinCapacity: 1,
            MaxCapacity: 5,
          }),
        seen: { max_capacity: 5 },
      },
      disappear: () =>
        scaling.deregisterScalableTarget({
          ServiceNamespace,
          ScalableDimension,
          ResourceId: 'table/two',
        }),
      remaining: async () =>
        (await scaling.describeScalableTargets({ ServiceNamespace })).ScalableTargets ?? [],
    });
  });
});
