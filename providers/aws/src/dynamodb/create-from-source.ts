import type {
  BillingMode,
  GlobalSecondaryIndex,
  ImportTableCommandInput,
  InputCompressionType,
  InputFormat,
  LocalSecondaryIndex,
  RestoreTableToPointInTimeInput,
  SSESpecification,
  TableCreationParameters,
} from '@aws-sdk/client-dynamodb';
import { minutes, type RemoteObject } from '@terrane/provider/sdk';
import type { RegionalAws } from '../clients/aws.ts';
import { omitUnset } from '../resource/only.ts';
import { numberOf, provisionedOf } from './throughput.ts';
import { enumOf } from '../resource/enum-of.ts';

/** The arguments that name the source from which a table is restored. */
export interface RestoreArguments {
  readonly name: string;
  readonly restore_date_time: string | null;
  readonly restore_source_name: string | null;
  readonly restore_source_table_arn: string | null;
  readonly restore_to_latest_time: boolean | null;
}

/** Tests whether a table is restored from another one. */
export function isRestored(table: RestoreArguments): boolean {
  const sources = [table.restore_source_name, table.restore_source_table_arn];
  return sources.some((source) => (source ?? '') !== '');
}

/** Settings of a restored table that override those of its source. */
interface Otherwise {
  readonly billing: string;
  readonly global: GlobalSecondaryIndex[];
  readonly local: LocalSecondaryIndex[];
  readonly encryption: SSESpecification | undefined;
}

/** The request that restores a table. */
export function restoreRequest(
  table: RestoreArguments & { readonly read_capacity: unknown; readonly write_capacity: unknown },
  { billing, global, local, encryption }: Otherwise,
): RestoreTableToPointInTimeInput {
  const moment = table.restore_date_time;
  const provisioned = billing === 'PROVISIONED' && numberOf(table.read_capacity) > 0;
  return {
    TargetTableName: table.name,
    ...omitUnset({
      SourceTableName: table.restore_source_name,
      SourceTableArn: table.restore_source_table_arn,
      UseLatestRestorableTime: table.restore_to_latest_time,
    }),
    ...(moment !== null && { RestoreDateTime: new Date(moment) }),
    // The value has been validated against the enumeration.
    BillingModeOverride: enumOf<BillingMode>(billing),
    ...(provisioned && {
      ProvisionedThroughputOverride: provisionedOf(table, billing).ProvisionedThroughput,
    }),
    ...(global.length > 0 && { GlobalSecondaryIndexOverride: global }),
    ...(local.length > 0 && { LocalSecondaryIndexOverride: local }),
    ...(encryption && { SSESpecificationOverride: encryption }),
  };
}

/** The arguments of a table import from files. */
export interface ImportArguments {
  readonly input_compression_type: string | null;
  readonly input_format: string;
  readonly input_format_options: readonly {
    readonly csv: readonly {
      readonly delimiter: string | null;
      readonly header_list: readonly string[] | null;
    }[];
  }[];
  readonly s3_bucket_source: readonly {
    readonly bucket: string;
    readonly bucket_owner: string | null;
    readonly key_prefix: string | null;
  }[];
}

/** Creates a table from files, and waits until all of them are in it. */
export async function importTable(
  aws: RegionalAws,
  object: RemoteObject,
  from: ImportArguments,
  table: TableCreationParameters,
  timeout: number,
): Promise<void> {
  const [csv] = from.input_format_options[0]?.csv ?? [];
  const [source] = from.s3_bucket_source;
  const request: ImportTableCommandInput = {
    TableCreationParameters: table,
    // These have been validated.
    InputFormat: enumOf<InputFormat>(from.input_format),
    ...omitUnset({
      InputCompressionType: enumOf<InputCompressionType>(from.input_compression_type),
    }),
    ...(csv && {
      InputFormatOptions: {
        Csv: {
          ...omitUnset({ Delimiter: csv.delimiter }),
          ...(csv.header_list !== null && { HeaderList: [...csv.header_list] }),
        },
      },
    }),
    S3BucketSource: {
      S3Bucket: source?.bucket,
      ...omitUnset({ S3BucketOwner: source?.bucket_owner, S3KeyPrefix: source?.key_prefix }),
    },
  };
  const { ImportTableDescription: started } = await aws.dynamodb.importTable(request);
  const ImportArn = started?.ImportArn;
  await object.waitFor('import', {
    pending: ['IN_PROGRESS'],
    target: ['COMPLETED'],
    timeout: Math.max(timeout, minutes(30)),
    reason: (tableImport) => tableImport.FailureMessage,
    refresh: async () => {
      const { ImportTableDescription: result } = await aws.dynamodb.describeImport({ ImportArn });
      return result && { result, state: result.ImportStatus ?? '' };
    },
  });
}
