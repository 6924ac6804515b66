import { CloudWatchLogs } from '@aws-sdk/client-cloudwatch-logs';
import { afterAll, beforeAll, describe, it } from 'vitest';
import { type AwsServer, resourceLife, startAws } from './moto-life.ts';
import { ACCOUNT } from './shared-moto.ts';

describe('logs', () => {
  let server: AwsServer;
  let logs: CloudWatchLogs;

  beforeAll(async () => {
    server = await startAws();
    logs = new CloudWatchLogs(server.options());
  });
  afterAll(() => server.stop());

  it('leads a log group through its life', { timeout: 600_000 }, async () => {
    const group = (more: string): string => `
resource "aws_cloudwatch_log_group" "it" {
  ${more}
}
`;
    await resourceLife(server, {
      address: 'aws_cloudwatch_log_group.it',
      config: group('name = "jobs"\n  retention_in_days = 7\n  tags = { Env = "test" }'),
      state: {
        id: 'jobs',
        arn: `arn:aws:logs:eu-west-1:${ACCOUNT}:log-group:jobs`,
        log_group_class: 'STANDARD',
        retention_in_days: 7,
        skip_destroy: false,
        tags_all: { Env: 'test' },
      },
      updates: [{ config: group('name = "jobs"'), state: { retention_in_days: 0, tags_all: {} } }],
      replace: {
        config: group('name_prefix = "jobs-"\n  retention_in_days = 30'),
        by: ['name_prefix'],
        state: { name: /^jobs-\d{18}[0-9a-f]{8}$/ },
      },
      drift: {
        change: ({ id }) =>
          logs.putRetentionPolicy({ logGroupName: String(id), retentionInDays: 5 }),
        seen: { retention_in_days: 5 },
      },
      disappear: ({ id }) => logs.deleteLogGroup({ logGroupName: String(id) }),
      remaining: async () => (await logs.describeLogGroups({})).logGroups ?? [],
    });
  });
});
