import type { TableDescription } from '@aws-sdk/client-dynamodb';
import { keyOf, localArguments } from './indexes.ts';

type Text =
  | 'arn'
  | 'billing_mode'
  | 'hash_key'
  | 'name'
  | 'range_key'
  | 'stream_arn'
  | 'stream_label'
  | 'stream_view_type'
  | 'table_class';

type BlockName =
  | 'attribute'
  | 'global_table_witness'
  | 'local_secondary_index'
  | 'on_demand_throughput'
  | 'server_side_encryption'
  | 'warm_throughput';

type Found = { readonly [K in Text]: string | undefined } & {
  readonly [K in BlockName]: readonly object[] | undefined;
} & { readonly [K in 'deletion_protection_enabled' | 'stream_enabled']: boolean } & {
  readonly [K in 'read_capacity' | 'write_capacity']: number;
};

/** Returns the arguments of a table that its description contains. */
export function tableArguments(table: TableDescription): Found {
  const { SSEDescription: encryption, StreamSpecification: stream } = table;
  const { OnDemandThroughput: most, WarmThroughput: ready } = table;
  return {
    arn: table.TableArn,
    name: table.TableName,
    billing_mode: table.BillingModeSummary?.BillingMode ?? 'PROVISIONED',
    deletion_protection_enabled: table.DeletionProtectionEnabled ?? false,
    hash_key: keyOf(table.KeySchema, 'HASH'),
    range_key: keyOf(table.KeySchema, 'RANGE'),
    read_capacity: table.ProvisionedThroughput?.ReadCapacityUnits ?? 0,
    write_capacity: table.ProvisionedThroughput?.WriteCapacityUnits ?? 0,
    stream_arn: table.LatestStreamArn ?? '',
    stream_enabled: stream?.StreamEnabled ?? false,
    stream_label: table.LatestStreamLabel ?? '',
    stream_view_type: stream?.StreamViewType ?? '',
    table_class: table.TableClassSummary?.TableClass ?? 'STANDARD',
    attribute: (table.AttributeDefinitions ?? []).map((attribute) => ({
      name: attribute.AttributeName,
      type: attribute.AttributeType,
    })),
    global_table_witness: (table.GlobalTableWitnesses ?? []).map(({ RegionName }) => ({
      region_name: RegionName ?? '',
    })),
    local_secondary_index: (table.LocalSecondaryIndexes ?? []).map(localArguments),
    on_demand_throughput: most && [
      {
        max_read_request_units: most.MaxReadRequestUnits ?? 0,
        max_write_request_units: most.MaxWriteRequestUnits ?? 0,
      },
    ],
    server_side_encryption: encryption && [
      {
        enabled: encryption.Status === 'ENABLED',
        kms_key_arn: encryption.KMSMasterKeyArn ?? '',
      },
    ],
    warm_throughput: ready && [
      {
        read_units_per_second: ready.ReadUnitsPerSecond ?? 0,
        write_units_per_second: ready.WriteUnitsPerSecond ?? 0,
      },
    ],
  };
}
