import type { RegionalAws } from '../clients/aws.ts';

/** The name of an address, from which EC2 resolves it: of a private one (`ip`), or a public one. */
export function dnsName(
  { region, partition }: Pick<RegionalAws, 'region' | 'partition'>,
  kind: 'ip' | 'ec2',
  address: string,
): string {
  const dashed = address.replaceAll('.', '-');
  const oldest = region === 'us-east-1';
  if (kind === 'ip') return `ip-${dashed}.${oldest ? 'ec2' : `${region}.compute`}.internal`;
  return `ec2-${dashed}.${oldest ? 'compute-1' : `${region}.compute`}.${partition.dnsSuffix}`;
}
