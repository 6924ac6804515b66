import type {
  BillingMode,
  GlobalSecondaryIndexUpdate,
  StreamViewType,
  UpdateTableInput,
} from '@aws-sdk/client-dynamodb';
import type { Unknown } from '@terrane/provider/sdk';
import { omitUnset } from '../resource/only.ts';
import { onDemandOf, provisionedOf } from './throughput.ts';
import { enumOf } from '../resource/enum-of.ts';

/** The planned arguments of a table that one request changes. */
interface TablePlan {
  readonly billing_mode: string;
  readonly deletion_protection_enabled: boolean | null;
  readonly on_demand_throughput: readonly object[];
  readonly read_capacity: unknown;
  readonly stream_enabled: boolean | null;
  readonly stream_view_type: string | Unknown | null;
  readonly write_capacity: unknown;
}

/**
 * The request that updates a table, without its name; empty if nothing changes.
 *
 * @param updated the updates of its indexes
 */
export function updateRequest(
  plan: TablePlan,
  updated: readonly GlobalSecondaryIndexUpdate[],
  changed: (...at: readonly (keyof TablePlan)[]) => boolean,
): Omit<UpdateTableInput, 'TableName'> {
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
