import { strict as assert } from 'node:assert';
import { UNKNOWN } from '@terrane/provider-testing';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { FaultProxy } from './fault-proxy.ts';
import { KafkaServer } from './kafka-server.ts';
import { resourceLife, serverAt } from './moto-life.ts';
import { expectPattern, play, type Scenario } from './scenario.ts';

const ARN = 'arn:aws:kafka:eu-west-1:123456789012';

describe('kafka', () => {
  let server: KafkaServer;
  beforeAll(async () => {
    server = await KafkaServer.start();
  });
  afterAll(() => server.stop());

  const cluster = (nodes: string, more: string, version = '3.6.0', count = 3): string => `
resource "aws_msk_cluster" "it" {
  cluster_name           = "it"
  kafka_version          = "${version}"
  number_of_broker_nodes = ${count}
  broker_node_group_info {
    client_subnets  = ["subnet-1", "subnet-2", "subnet-3"]
    security_groups = ["sg-1"]
    ${nodes}
  }
  ${more}
}
`;
  const volumes = (size: number, more = ''): string => `
    storage_info {
      ebs_storage_info {
        volume_size = ${size}
        ${more}
      }
    }`;
  const SMALL = `instance_type = "kafka.m5.large"${volumes(100)}`;

  it('leads a cluster through its life', { timeout: 600_000 }, async () => {
    const last = cluster(
      `instance_type = "kafka.m5.xlarge"
    connectivity_info {
      vpc_connectivity {
        client_authentication {
          sasl {
            iam = true
          }
        }
      }
    }
    ${volumes(200, 'provisioned_throughput {\n enabled = true\n volume_throughput = 250\n}')}`,
      `storage_mode        = "TIERED"
  enhanced_monitoring = "PER_BROKER"
  configuration_info {
    arn      = "${ARN}:configuration/it/1"
    revision = 2
  }
  client_authentication {
    sasl {
      iam = true
    }
  }
  encryption_info {
    encryption_in_transit {
      client_broker = "TLS_PLAINTEXT"
    }
  }
  logging_info {
    broker_logs {
      cloudwatch_logs {
        enabled   = true
        log_group = "brokers"
      }
    }
  }
  open_monitoring {
    prometheus {
      node_exporter {
        enabled_in_broker = true
      }
    }
  }
  rebalancing {
    status = "ACTIVE"
  }`,
      '3.7.x',
      6,
    );
    await resourceLife(
      serverAt(server.endpoint, () => server.stop()),
      {
        address: 'aws_msk_cluster.it',
        config: cluster(SMALL, 'tags = { Env = "test" }'),
        state: {
          id: `${ARN}:cluster/it/uuid-1`,
          cluster_uuid: 'uuid-1',
          current_version: 'K1',
          bootstrap_brokers_tls: 'b-1.example:9094,b-2.example:9094',
          enhanced_monitoring: 'DEFAULT',
          storage_mode: 'LOCAL',
          tags_all: { Env: 'test' },
        },
        updates: [
          {
            config: cluster(SMALL, 'tags = { Env = "more" }'),
            // Tags make no other version of it, all else does.
            plan: { action: 'update', after: { current_version: 'K1' } },
            state: { current_version: 'K1', tags: { Env: 'more' } },
          },
          {
            config: last,
            plan: { action: 'update', after: { current_version: UNKNOWN } },
            state: {
              // Connectivity, type, storage, mode, count, monitoring, version, security and rebalancing.
              current_version: 'K10',
              kafka_version: '3.7.x',
              number_of_broker_nodes: 6,
              storage_mode: 'TIERED',
              enhanced_monitoring: 'PER_BROKER',
              configuration_info: [{ arn: `${ARN}:configuration/it/1`, revision: 2 }],
              rebalancing: [{ status: 'ACTIVE' }],
            },
          },
        ],
        drift: {
          change: async ({ id }) => {
            server.change(String(id), { enhancedMonitoring: 'DEFAULT' });
            return await Promise.resolve();
          },
          seen: { enhanced_monitoring: 'DEFAULT' },
        },
        replace: {
          config: last.replace('3.7.x', '3.5.1'),
          by: ['kafka_version'],
          state: { kafka_version: '3.5.1', current_version: 'K2' },
        },
        disappear: async ({ id }) => {
          server.remove(String(id));
          return await Promise.resolve();
        },
        remaining: async () => await Promise.resolve(server.clusters),
      },
    );
  });

  describe('behind a fault proxy', () => {
    let proxy: FaultProxy;
    beforeAll(async () => {
      proxy = await FaultProxy.before(server.endpoint);
    });
    afterAll(() => proxy.stop());

    // Neither code nor status say that it passes.
    const failure = { status: 400, code: 'BadRequestException', message: 'Too Many Requests' };
    const written: Scenario['written'] = (name) => ({
      cluster_name: name,
      kafka_version: '3.6.0',
      number_of_broker_nodes: 3,
      broker_node_group_info: [
        {
          client_subnets: ['subnet-1'],
          security_groups: ['sg-1'],
          instance_type: 'kafka.m5.large',
        },
      ],
    });

    it('is retried when cluster updates are throttled', async () => {
      const scope = { service: 'kafka', operation: 'POST /v1/clusters', times: 4 };
      const { fault, step } = await expectPattern(
        proxy,
        {
          type: 'aws_msk_cluster',
          written,
          trouble: (at) => at.add(scope, { kind: 'failure', failure }),
          without: { max_retries: 0 },
        },
        /creating MSK Cluster \(it-\d+\)\n.*Too Many Requests/,
      );
      expect(fault.hits).toBe(4);
      assert.ok(step.state);
    });

    it('is the only service whose such errors pass', async () => {
      const scope = { service: 'sqs', operation: 'CreateQueue' };
      const { error } = await play(proxy, {
        type: 'aws_sqs_queue',
        written: (name) => ({ name }),
        trouble: (at) => at.add(scope, { kind: 'failure', failure }),
      });
      expect(error).toContain(failure.message);
      expect(proxy.count('sqs', 'CreateQueue')).toBe(1);
    });

    it('is waited for until a cluster is there', async () => {
      const scope = {
        service: 'kafka',
        operation: /^GET \/v1\/clusters\/[^?]*uuid-\d+$/,
        times: 60,
      };
      const { elapsedMs } = await expectPattern(
        proxy,
        {
          type: 'aws_msk_cluster',
          written,
          trouble: (at) =>
            at.add(scope, {
              kind: 'changed',
              change: (body) => body.replace('"ACTIVE"', '"CREATING"'),
            }),
        },
        /waiting for MSK Cluster \(.*\) creation/,
      );
      expect(elapsedMs).toBeGreaterThan(5 * 60_000);
    });
  });
});
