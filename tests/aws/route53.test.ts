import { Route53 } from '@aws-sdk/client-route-53';
import { afterAll, beforeAll, describe, it } from 'vitest';
import { type AwsServer, resourceLife, startAws } from './moto-life.ts';

describe('route53', () => {
  let server: AwsServer;
  let route53: Route53;

  beforeAll(async () => {
    server = await startAws();
    route53 = new Route53(server.options());
  });
  afterAll(() => server.stop());

  const remaining = async (): Promise<readonly unknown[]> =>
    (await route53.listHostedZones({})).HostedZones ?? [];

  it('leads a zone through its life', { timeout: 600_000 }, async () => {
    const other = (zoneId: unknown, Action: 'CREATE' | 'DELETE') =>
      route53.changeResourceRecordSets({
        HostedZoneId: String(zoneId),
        ChangeBatch: {
          Changes: [
            {
              Action,
              ResourceRecordSet: {
                Name: 'other.example.org',
                Type: 'A',
                TTL: 60,
                ResourceRecords: [{ Value: '192.0.2.9' }],
              },
            },
          ],
        },
      });
    await resourceLife(server, {
      address: 'aws_route53_zone.it',
      config: `
resource "aws_route53_zone" "it" {
  name = "example.com."
  tags = { Env = "test" }
}
`,
      state: {
        arn: /^arn:aws:route53:::hostedzone\/\w+$/,
        name: 'example.com',
        comment: 'Managed by Terraform',
        primary_name_server: /^ns-/,
        tags_all: { Env: 'test' },
      },
      import: { ignore: ['force_destroy'] },
      updates: [
        {
          config: `
resource "aws_route53_zone" "it" {
  name          = "example.com"
  comment       = "for more tests"
  force_destroy = true
}
`,
          state: { comment: 'for more tests', tags: {}, force_destroy: true },
        },
      ],
      replace: {
        config: `
resource "aws_route53_zone" "it" {
  name          = "example.org"
  force_destroy = true
}
`,
        by: ['name'],
      },
      drift: {
        // A record that nobody here knows of goes with its zone.
        change: async (zone) => {
          const id = String(zone['zone_id']);
          await route53.updateHostedZoneComment({ Id: id, Comment: 'changed' });
          await other(id, 'CREATE');
        },
        seen: { comment: 'changed' },
      },
      disappear: async ({ zone_id }) => {
        await other(zone_id, 'DELETE');
        await route53.deleteHostedZone({ Id: String(zone_id) });
      },
      remaining,
    });
  });

  it('leads a record through its life', { timeout: 600_000 }, async () => {
    const zone = `
resource "aws_route53_zone" "it" {
  name = "example.net"
}
`;
    const record = (more: string, name = 'WWW'): string => `${zone}
resource "aws_route53_record" "it" {
  zone_id = aws_route53_zone.it.zone_id
  name    = "${name}"
  ${more}
}
`;
    const change = (zoneId: unknown, Action: 'UPSERT' | 'DELETE', Value: string) =>
      route53.changeResourceRecordSets({
        HostedZoneId: String(zoneId),
        ChangeBatch: {
          Changes: [
            {
              Action,
              ResourceRecordSet: {
                Name: 'text.example.net',
                Type: 'TXT',
                TTL: 300,
                ResourceRecords: [{ Value }],
              },
            },
          ],
        },
      });
    await resourceLife(server, {
      address: 'aws_route53_record.it',
      config: record('type = "A"\n  ttl = 300\n  records = ["192.0.2.1", "192.0.2.2"]'),
      state: {
        id: /^[0-9A-Z]+_www_A$/,
        name: 'www',
        fqdn: 'www.example.net',
        records: ['192.0.2.1', '192.0.2.2'],
      },
      updates: [
        {
          config: record(`type = "A"
  ttl            = 60
  records        = ["192.0.2.3"]
  set_identifier = "blue"
  weighted_routing_policy {
    weight = 0
  }`),
          state: {
            id: /_www_A_blue$/,
            ttl: 60,
            set_identifier: 'blue',
            weighted_routing_policy: [{ weight: 0 }],
          },
        },
        {
          config: record(`type = "A"
  set_identifier = "blue"
  alias {
    name                   = "Target.example.net."
    zone_id                = aws_route53_zone.it.zone_id
    evaluate_target_health = false
  }
  failover_routing_policy {
    type = "PRIMARY"
  }`),
          state: { ttl: 0, records: [], failover_routing_policy: [{ type: 'PRIMARY' }] },
        },
        {
          config: record('type = "TXT"\n  ttl = 300\n  records = ["a \\" \\"b"]'),
          state: { id: /_www_TXT$/, records: ['a " "b'], alias: [] },
        },
      ],
      replace: {
        config: record('type = "TXT"\n  ttl = 300\n  records = ["c"]', 'text.example.net'),
        by: ['name'],
        state: { fqdn: 'text.example.net' },
      },
      drift: {
        change: ({ zone_id }) => change(zone_id, 'UPSERT', '"d"'),
        seen: { records: ['d'] },
      },
      disappear: ({ zone_id }) => change(zone_id, 'DELETE', '"c"'),
      remaining,
    });
  });
});
