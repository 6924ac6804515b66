import type {
  BillingMode,
  GlobalSecondaryIndexUpdate,
  ScalarAttributeType,
  StreamViewType,
  TableClass,
  UpdateTableInput,
} from '@aws-sdk/client-dynamodb';
import type { RemoteObject, Unknown } from '@terrane/provider/sdk';
import type { RegionalAws } from '../clients/aws.ts';
import { enumOf } from '../resource/enum-of.ts';
import { omitUnset } from '../resource/only.ts';
import { type GlobalIndex, indexChanges } from './indexes.ts';
import { onDemandOf, provisionedOf, warmOf } from './throughput.ts';
import {
  waitForActiveIndex,
  waitForActiveTable,
  waitForDeletedIndex,
  waitForWarmTable,
} from './wait.ts';

type TableChange = Omit<UpdateTableInput, 'TableName'>;

/** The table that is updated. */
interface UpdatedTable {
  readonly aws: RegionalAws;
  readonly object: RemoteObject;
  readonly TableName: string;
  readonly timeout: number;
}

/** The planned arguments of a table that are updated with its indexes. */
interface TablePlan {
  readonly attribute: readonly { readonly name: string; readonly type: string }[];
  readonly table_class: string;
  readonly billing_mode: string;
  readonly deletion_protection_enabled: boolean | null;
  readonly on_demand_throughput: readonly object[];
  readonly read_capacity: unknown;
  readonly stream_enabled: boolean | null;
  readonly stream_view_type: string | Unknown | null;
  readonly write_capacity: unknown;
}

/** Updates a table and its indexes by the requests that DynamoDB accepts, and awaits each of them. */
export async function changeTable(
  { aws, object, TableName, timeout }: UpdatedTable,
  plan: TablePlan,
  {
    before,
    after,
  }: { readonly before: readonly GlobalIndex[]; readonly after: readonly GlobalIndex[] },
  changed: (...at: readonly (keyof TablePlan)[]) => boolean,
): Promise<void> {
  const indexes = indexChanges(before, after, plan.billing_mode);
  // Only one index can be deleted, or created, at a time.
  for (const IndexName of indexes.deleted) {
    const GlobalSecondaryIndexUpdates = [{ Delete: { IndexName } }];
    await aws.dynamodb.updateTable({ TableName, GlobalSecondaryIndexUpdates });
    await waitForDeletedIndex(aws, object, TableName, IndexName, timeout);
  }
  for (const request of separateRequests(plan, changed)) {
    await aws.dynamodb.updateTable({ TableName, ...request });
    await waitForActiveTable(aws, object, TableName, timeout);
  }
  const request = updateRequest(plan, indexes.updated, changed);
  if (Object.keys(request).length > 0) {
    await aws.dynamodb.updateTable({ TableName, ...request });
    await waitForActiveTable(aws, object, TableName, timeout);
    await waitForWarmTable(aws, object, TableName, timeout);
    await waitForActiveIndex(aws, object, TableName, undefined, timeout);
  }
  for (const update of indexes.warmed) {
    await aws.dynamodb.updateTable({ TableName, GlobalSecondaryIndexUpdates: [update] });
    await waitForActiveIndex(aws, object, TableName, update.Update?.IndexName, timeout);
  }
  for (const Create of indexes.created) {
    await aws.dynamodb.updateTable({
      TableName,
      AttributeDefinitions: plan.attribute.map(({ name, type }) => ({
        AttributeName: name,
        AttributeType: enumOf<ScalarAttributeType>(type),
      })),
      GlobalSecondaryIndexUpdates: [{ Create }],
    });
    await waitForActiveIndex(aws, object, TableName, Create.IndexName, timeout);
  }
}

/** Changes the warm throughput of a table, which cannot be combined with other changes. */
export async function setWarmth(
  { aws, object, TableName, timeout }: UpdatedTable,
  blocks: readonly object[],
): Promise<void> {
  const request = warmOf(blocks);
  if (request.WarmThroughput === undefined) return;
  await aws.dynamodb.updateTable({ TableName, ...request });
  await waitForActiveTable(aws, object, TableName, timeout);
  await waitForWarmTable(aws, object, TableName, timeout);
}

/** Returns the requests for changes that DynamoDB rejects together with others. */
function separateRequests(
  plan: TablePlan,
  changed: (...at: readonly (keyof TablePlan)[]) => boolean,
): readonly TableChange[] {
  const requests: TableChange[] = [];
  if (changed('table_class')) {
    requests.push({ TableClass: enumOf<TableClass>(plan.table_class) });
  }
  const isNewView = changed('stream_view_type') && !changed('stream_enabled');
  if (isNewView && plan.stream_enabled === true) {
    // The view type of an enabled stream cannot be changed.
    const { view } = omitUnset({ view: plan.stream_view_type });
    const StreamViewType = enumOf<StreamViewType>(view);
    requests.push(
      { StreamSpecification: { StreamEnabled: false } },
      { StreamSpecification: { StreamEnabled: true, StreamViewType } },
    );
  }
  return requests;
}

/**
 * Returns the request for all other changes of a table; empty if there are none.
 *
 * @param updated the updates of its indexes
 */
function updateRequest(
  plan: TablePlan,
  updated: readonly GlobalSecondaryIndexUpdate[],
  changed: (...at: readonly (keyof TablePlan)[]) => boolean,
): TableChange {
  const billing = plan.billing_mode;
  const capacity = changed('billing_mode', 'read_capacity', 'write_capacity');
  const { view } = omitUnset({ view: plan.stream_view_type });
  const streams = plan.stream_enabled === true;
  return {
    ...(capacity && { BillingMode: enumOf<BillingMode>(billing), ...provisionedOf(plan, billing) }),
    ...(changed('on_demand_throughput') && onDemandOf(plan.on_demand_throughput)),
    ...(changed('deletion_protection_enabled') && {
      DeletionProtectionEnabled: plan.deletion_protection_enabled ?? false,
    }),
    ...(changed('stream_enabled') && {
      StreamSpecification: {
        StreamEnabled: streams,
        ...(streams && { StreamViewType: enumOf<StreamViewType>(view) }),
      },
    }),
    ...(updated.length > 0 && { GlobalSecondaryIndexUpdates: [...updated] }),
  };
}
