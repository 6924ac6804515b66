/** Error code for a missing zone. */
export const NO_ZONE: readonly string[] = ['NoSuchHostedZone'];

/** Types of records. */
export const RECORD_TYPES: readonly string[] = [
  'A',
  'AAAA',
  'CAA',
  'CNAME',
  'DS',
  'HTTPS',
  'MX',
  'NAPTR',
  'NS',
  'PTR',
  'SOA',
  'SPF',
  'SRV',
  'SSHFP',
  'SVCB',
  'TLSA',
  'TXT',
];
