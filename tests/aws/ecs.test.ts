import { ECS } from '@aws-sdk/client-ecs';
import { afterAll, beforeAll, describe, it } from 'vitest';
import { type AwsServer, resourceLife, startAws } from './moto-life.ts';

describe('ecs', () => {
  let server: AwsServer;
  let ecs: ECS;

  beforeAll(async () => {
    server = await startAws();
    ecs = new ECS(server.options());
  }, 120_000);
  afterAll(() => server.stop());

  it('leads a cluster through its life', { timeout: 60_000 }, async () => {
    await resourceLife(server, {
      quick: true,
      address: 'aws_ecs_cluster.it',
      config: `
resource "aws_ecs_cluster" "it" {
  name = "it"
  tags = { Env = "test" }
}
`,
      state: {
        id: 'arn:aws:ecs:eu-west-1:123456789012:cluster/it',
        name: 'it',
        tags_all: { Env: 'test' },
      },
      import: { id: 'it' },
      updates: [
        {
          config: `
resource "aws_ecs_cluster" "it" {
  name = "it"
  setting {
    name  = "containerInsights"
    value = "enabled"
  }
  configuration {
    execute_command_configuration {
      logging = "OVERRIDE"
      log_configuration {
        cloud_watch_log_group_name = "logs"
      }
    }
  }
}
`,
          state: {
            tags: null,
            setting: [{ name: 'containerInsights', value: 'enabled' }],
          },
        },
      ],
      replace: {
        config: 'resource "aws_ecs_cluster" "it" {\n  name = "other"\n}',
        by: ['name'],
      },
      disappear: (cluster) => ecs.deleteCluster({ cluster: String(cluster['arn']) }),
      left: async () => {
        const { clusterArns: clusters = [] } = await ecs.listClusters({});
        const found = await ecs.describeClusters({ clusters });
        return (found.clusters ?? []).filter(({ status }) => status === 'ACTIVE');
      },
    });
  });
});
