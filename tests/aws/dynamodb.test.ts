import { DynamoDB } from '@aws-sdk/client-dynamodb';
import { afterAll, beforeAll, describe, it } from 'vitest';
import { type AwsServer, resourceLife, startAws } from './moto-life.ts';
import { ACCOUNT } from './shared-moto.ts';

// The server for tests keeps the keys of an index that is gone.
const KEPT = 'attribute {\n name = "other"\n type = "N"\n}';

describe('dynamodb', () => {
  let server: AwsServer;
  let dynamodb: DynamoDB;

  beforeAll(async () => {
    server = await startAws();
    dynamodb = new DynamoDB(server.options());
  });
  afterAll(() => server.stop());

  it('leads a table through its life', { timeout: 600_000 }, async () => {
    const table = (more: string, name = 'items'): string => `
resource "aws_dynamodb_table" "it" {
  name     = "${name}"
  hash_key = "id"
  attribute {
    name = "id"
    type = "S"
  }
  ${more}
}
`;
    const other = (hash: string): string => `
  attribute {
    name = "other"
    type = "N"
  }
  global_secondary_index {
    name               = "by-other"
    hash_key           = "${hash}"
    projection_type    = "INCLUDE"
    non_key_attributes = ["b", "a"]
    read_capacity      = 2
    write_capacity     = 2
  }
`;
    await resourceLife(server, {
      address: 'aws_dynamodb_table.it',
      config: table('read_capacity = 5\n  write_capacity = 5\n  tags = { Env = "test" }'),
      state: {
        id: 'items',
        arn: `arn:aws:dynamodb:eu-west-1:${ACCOUNT}:table/items`,
        billing_mode: 'PROVISIONED',
        read_capacity: 5,
        table_class: 'STANDARD',
        ttl: [{ attribute_name: '', enabled: false }],
        tags_all: { Env: 'test' },
      },
      updates: [
        {
          config: table(`read_capacity = 6
  write_capacity   = 5
  stream_enabled   = true
  stream_view_type = "NEW_IMAGE"
  ${other('other')}
  ttl {
    attribute_name = "until"
    enabled        = true
  }
  point_in_time_recovery {
    enabled = true
  }`),
          state: {
            read_capacity: 6,
            stream_enabled: true,
            stream_arn: /:table\/items\/stream\//,
            ttl: [{ attribute_name: 'until', enabled: true }],
            tags: {},
          },
        },
        {
          config: table(`billing_mode = "PAY_PER_REQUEST"
  deletion_protection_enabled = true
  ${KEPT}`),
          state: {
            billing_mode: 'PAY_PER_REQUEST',
            global_secondary_index: [],
            stream_enabled: false,
            deletion_protection_enabled: true,
          },
        },
        {
          config: table(`billing_mode = "PAY_PER_REQUEST"\n  ${KEPT}`),
          state: { deletion_protection_enabled: false },
        },
      ],
      replace: {
        config: table(
          `billing_mode = "PAY_PER_REQUEST"
  range_key = "at"
  attribute {
    name = "at"
    type = "N"
  }
  attribute {
    name = "by"
    type = "S"
  }
  local_secondary_index {
    name            = "by"
    range_key       = "by"
    projection_type = "KEYS_ONLY"
  }`,
        ),
        by: ['local_secondary_index', 'range_key'],
        state: { range_key: 'at' },
      },
      drift: {
        change: () => dynamodb.updateTable({ TableName: 'items', DeletionProtectionEnabled: true }),
        seen: { deletion_protection_enabled: true },
      },
      disappear: () => dynamodb.deleteTable({ TableName: 'items' }),
      remaining: async () => (await dynamodb.listTables({})).TableNames ?? [],
    });
  });
});
