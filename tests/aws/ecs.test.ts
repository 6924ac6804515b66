import { ECS } from '@aws-sdk/client-ecs';
import { afterAll, beforeAll, describe, it } from 'vitest';
import { type AwsServer, resourceLife, startAws } from './moto-life.ts';
import { ACCOUNT } from './shared-moto.ts';

describe('ecs', () => {
  let server: AwsServer;
  let ecs: ECS;

  beforeAll(async () => {
    server = await startAws();
    ecs = new ECS(server.options());
  });
  afterAll(() => server.stop());

  const tagOutside = (arn: unknown) =>
    ecs.tagResource({ resourceArn: String(arn), tags: [{ key: 'from', value: 'outside' }] });

  it('leads a cluster through its life', { timeout: 600_000 }, async () => {
    await resourceLife(server, {
      address: 'aws_ecs_cluster.it',
      config: `
resource "aws_ecs_cluster" "it" {
  name = "it"
  tags = { Env = "test" }
}
`,
      state: {
        id: `arn:aws:ecs:eu-west-1:${ACCOUNT}:cluster/it`,
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
            tags: {},
            setting: [{ name: 'containerInsights', value: 'enabled' }],
          },
        },
      ],
      replace: {
        config: 'resource "aws_ecs_cluster" "it" {\n  name = "other"\n}',
        by: ['name'],
      },
      drift: {
        change: (cluster) => tagOutside(cluster['arn']),
        seen: { tags: { from: 'outside' } },
      },
      disappear: (cluster) => ecs.deleteCluster({ cluster: String(cluster['arn']) }),
      remaining: async () => {
        const { clusterArns: clusters = [] } = await ecs.listClusters({});
        const answer = await ecs.describeClusters({ clusters });
        return (answer.clusters ?? []).filter(({ status }) => status === 'ACTIVE');
      },
    });
  });

  it('leads a task definition through its life', { timeout: 600_000 }, async () => {
    const task = (container: string, more = ''): string => `
resource "aws_ecs_task_definition" "it" {
  family                = "it"
  container_definitions = jsonencode([${container}])
  ${more}
}
`;
    const web = `{
    Name = "web", Image = "nginx", memory = 128
    environment = [{ name = "B", value = "2" }, { name = "A", value = "1" }]
    portMappings = [{ containerPort = 80, hostPort = 0 }]
  }`;
    await resourceLife(server, {
      address: 'aws_ecs_task_definition.it',
      config: task(web, 'tags = { Env = "test" }'),
      state: {
        id: 'it',
        arn: `arn:aws:ecs:eu-west-1:${ACCOUNT}:task-definition/it:1`,
        arn_without_revision: `arn:aws:ecs:eu-west-1:${ACCOUNT}:task-definition/it`,
        revision: 1,
        container_definitions: /nginx/,
        tags_all: { Env: 'test' },
      },
      import: {
        id: `arn:aws:ecs:eu-west-1:${ACCOUNT}:task-definition/it:1`,
        ignore: ['container_definitions', 'skip_destroy', 'track_latest'],
      },
      updates: [{ config: task(web, 'tags = { Env = "more" }'), state: { tags: { Env: 'more' } } }],
      replace: {
        config: task(
          web,
          `network_mode = "awsvpc"
  cpu    = "256"
  memory = "512"
  requires_compatibilities = ["FARGATE"]
  volume {
    name = "data"
    efs_volume_configuration {
      file_system_id = "fs-1"
    }
  }
  placement_constraints {
    type       = "memberOf"
    expression = "attribute:ecs.availability-zone in [eu-west-1a]"
  }
  runtime_platform {
    cpu_architecture = "ARM64"
  }`,
        ),
        by: [
          'cpu',
          'memory',
          'network_mode',
          'placement_constraints',
          'requires_compatibilities',
          'runtime_platform',
          'volume',
        ],
        state: { revision: 2, network_mode: 'awsvpc' },
      },
      drift: {
        change: (task) => tagOutside(task['arn']),
        seen: { tags: { from: 'outside' } },
      },
      disappear: (task) => ecs.deregisterTaskDefinition({ taskDefinition: String(task['arn']) }),
      remaining: async () =>
        (await ecs.listTaskDefinitions({ status: 'ACTIVE' })).taskDefinitionArns ?? [],
    });
  });

  it('leads a service through its life', { timeout: 600_000 }, async () => {
    const config = (more: string, name = 'it'): string => `
resource "aws_ecs_cluster" "it" {
  name = "services"
}

resource "aws_ecs_task_definition" "web" {
  family                = "web"
  container_definitions = jsonencode([{ name = "web", image = "nginx", memory = 128 }])
}

resource "aws_ecs_service" "it" {
  name            = "${name}"
  cluster         = aws_ecs_cluster.it.id
  task_definition = aws_ecs_task_definition.web.arn
  ${more}
}
`;
    await resourceLife(server, {
      address: 'aws_ecs_service.it',
      config: config('desired_count = 2\n  tags = { Env = "test" }'),
      state: {
        id: `arn:aws:ecs:eu-west-1:${ACCOUNT}:service/services/it`,
        cluster: `arn:aws:ecs:eu-west-1:${ACCOUNT}:cluster/services`,
        desired_count: 2,
        launch_type: 'EC2',
        scheduling_strategy: 'REPLICA',
        deployment_maximum_percent: 200,
        wait_for_steady_state: false,
        tags_all: { Env: 'test' },
      },
      import: {
        id: 'services/it',
        ignore: ['task_definition', 'wait_for_steady_state', 'force_new_deployment'],
      },
      updates: [
        {
          config: config('desired_count = 3\n  wait_for_steady_state = true'),
          state: { desired_count: 3, wait_for_steady_state: true, tags: {} },
        },
        {
          config: config(
            'desired_count = 3\n  force_new_deployment = true\n  triggers = { v = "2" }',
          ),
          state: { triggers: { v: '2' } },
        },
      ],
      replace: {
        config: config(
          'desired_count = 1\n  launch_type = "FARGATE"\n  force_delete = true',
          'other',
        ),
        by: ['launch_type', 'name'],
      },
      drift: {
        change: (service) =>
          ecs.updateService({
            cluster: String(service['cluster']),
            service: String(service['name']),
            desiredCount: 5,
          }),
        seen: { desired_count: 5 },
      },
      disappear: (service) =>
        ecs.deleteService({
          cluster: String(service['cluster']),
          service: String(service['name']),
          force: true,
        }),
      remaining: async () => {
        const { clusterArns: clusters = [] } = await ecs.listClusters({});
        const answer = await ecs.describeClusters({ clusters });
        return (answer.clusters ?? []).filter(({ status }) => status === 'ACTIVE');
      },
    });
  });
});
