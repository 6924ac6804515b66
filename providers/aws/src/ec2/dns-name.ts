import type { RegionalAws } from '../clients/aws.ts';

/** Returns the DNS name that EC2 assigns to a private (`ip`) or public (`ec2`) address. */
export function dnsName(
  { region, partition }: Pick<RegionalAws, 'region' | 'partition'>,
  kind: 'ip' | 'ec2',
  address: string,
): string {
  const dashed = address.replaceAll('.', '-');
  const isUsEast1 = region === 'us-east-1';
  if (kind === 'ip') return `ip-${dashed}.${isUsEast1 ? 'ec2' : `${region}.compute`}.internal`;
  return `ec2-${dashed}.${isUsEast1 ? 'compute-1' : `${region}.compute`}.${partition.dnsSuffix}`;
}
