import type {
  OnDemandThroughput,
  ProvisionedThroughput,
  WarmThroughput,
} from '@aws-sdk/client-dynamodb';

/** Limits of requests as users write them. */
export interface OnDemandArguments {
  readonly max_read_request_units: number;
  readonly max_write_request_units: number;
}

/** The warm throughput in a configuration. */
export interface WarmArguments {
  readonly read_units_per_second: number;
  readonly write_units_per_second: number;
}

/** Returns the provisioned capacity; undefined for pay-per-request billing. */
export function provisionedOf(
  of: { readonly read_capacity: unknown; readonly write_capacity: unknown },
  billing: string,
): { readonly ProvisionedThroughput?: ProvisionedThroughput } {
  if (billing === 'PAY_PER_REQUEST') return {};
  const [read, write] = [numberOf(of.read_capacity), numberOf(of.write_capacity)];
  return { ProvisionedThroughput: { ReadCapacityUnits: read, WriteCapacityUnits: write } };
}

/** Returns the limits of on-demand requests. */
export function onDemandOf([first]: readonly object[]): {
  readonly OnDemandThroughput?: OnDemandThroughput;
} {
  if (first === undefined) return {};
  const { max_read_request_units: read, max_write_request_units: write } = fieldsOf(first);
  const made = {
    ...(numberOf(read) !== 0 && { MaxReadRequestUnits: numberOf(read) }),
    ...(numberOf(write) !== 0 && { MaxWriteRequestUnits: numberOf(write) }),
  };
  return Object.keys(made).length === 0 ? {} : { OnDemandThroughput: made };
}

/** The warm throughput in a request. */
export function warmOf([first]: readonly object[]): { readonly WarmThroughput?: WarmThroughput } {
  if (first === undefined) return {};
  const { read_units_per_second: read, write_units_per_second: write } = fieldsOf(first);
  const made = {
    ...(numberOf(read) !== 0 && { ReadUnitsPerSecond: numberOf(read) }),
    ...(numberOf(write) !== 0 && { WriteUnitsPerSecond: numberOf(write) }),
  };
  return Object.keys(made).length === 0 ? {} : { WarmThroughput: made };
}

function fieldsOf(value: object): Readonly<Record<string, unknown>> {
  return Object.fromEntries(Object.entries(value));
}

/** Returns a number; undefined for unknown and null. */
export function numberOf(value: unknown): number {
  return typeof value === 'number' ? value : 0;
}
