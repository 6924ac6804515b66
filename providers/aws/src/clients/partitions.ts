/** A partition of AWS, with separate accounts. */
export interface Partition {
  readonly id: string;
  readonly dnsSuffix: string;
  readonly reverseDnsPrefix: string;
}

const PARTITIONS: readonly (Partition & { readonly regions: RegExp })[] = [
  partition('aws-cn', 'amazonaws.com.cn', /^cn-/),
  partition('aws-us-gov', 'amazonaws.com', /^us-gov-/),
  partition('aws-iso-b', 'sc2s.sgov.gov', /^us-isob-/),
  partition('aws-iso-e', 'cloud.adc-e.uk', /^eu-isoe-/),
  partition('aws-iso-f', 'csp.hci.ic.gov', /^us-isof-/),
  partition('aws-iso', 'c2s.ic.gov', /^us-iso-/),
  partition('aws-eusc', 'amazonaws.eu', /^eusc-/),
];

function partition(id: string, dnsSuffix: string, regions: RegExp): (typeof PARTITIONS)[number] {
  const reverseDnsPrefix = dnsSuffix.split('.').reverse().join('.');
  return { id, dnsSuffix, reverseDnsPrefix, regions };
}

/** Returns the partition of a region. */
export function partitionOf(region: string): Partition {
  return (
    PARTITIONS.find(({ regions }) => regions.test(region)) ?? {
      id: 'aws',
      dnsSuffix: 'amazonaws.com',
      reverseDnsPrefix: 'com.amazonaws',
    }
  );
}
