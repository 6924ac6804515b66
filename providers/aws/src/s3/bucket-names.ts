import type { RegionalAws } from '../clients/aws.ts';

/** The ARN and domain names of a bucket. */
export interface BucketNames {
  readonly arn: string;
  readonly bucket_domain_name: string;
  readonly bucket_region: string;
  readonly bucket_regional_domain_name: string;
}

/** Returns the ARN and domain names of a bucket. */
export function bucketNames(
  aws: RegionalAws,
  bucket: string,
  region: string = aws.region,
): BucketNames {
  const { id, dnsSuffix } = aws.partition;
  return {
    arn: `arn:${id}:s3:::${bucket}`,
    bucket_domain_name: `${bucket}.s3.${dnsSuffix}`,
    bucket_region: region,
    bucket_regional_domain_name: `${bucket}.s3.${region}.${dnsSuffix}`,
  };
}

/** Regions whose website addresses were introduced before the format with dots. */
const DASHED: ReadonlySet<string> = new Set([
  'ap-northeast-1',
  'ap-southeast-1',
  'ap-southeast-2',
  'eu-west-1',
  'sa-east-1',
  'us-east-1',
  'us-gov-west-1',
  'us-west-1',
  'us-west-2',
]);

/** Returns the endpoint and domain of the website in a bucket. */
export function websiteNames(
  aws: RegionalAws,
  bucket: string,
  region: string = aws.region,
): { readonly website_domain: string; readonly website_endpoint: string } {
  const domain = `s3-website${DASHED.has(region) ? '-' : '.'}${region}.${aws.partition.dnsSuffix}`;
  return { website_domain: domain, website_endpoint: `${bucket}.${domain}` };
}
