import { type DataSource, ProviderError, string } from '@terrane/provider/sdk';
import type { Aws } from '../clients/aws.ts';
import { hasCode } from '../request/aws-error.ts';
import { dataSource } from '../resource/aws-data.ts';
import { bucketNames, websiteNames } from './bucket-names.ts';
import { HOSTED_ZONES, NO_BUCKET } from './consts.ts';

/** data `aws_s3_bucket` */
export const bucketData: DataSource<Aws> = dataSource({
  attributes: {
    arn: string({ computed: true }),
    bucket: string({ required: true }),
    bucket_domain_name: string({ computed: true }),
    bucket_region: string({ computed: true }),
    bucket_regional_domain_name: string({ computed: true }),
    hosted_zone_id: string({ computed: true }),
    id: string({ optional: true, computed: true }),
    region: string({ optional: true, computed: true }),
    website_domain: string({ computed: true }),
    website_endpoint: string({ computed: true }),
  },
  async read({ config, client, signal }) {
    const aws = client.in(config.region, signal);
    const { bucket } = config;
    try {
      const { BucketRegion: region = aws.region } = await aws.s3.headBucket({ Bucket: bucket });
      return {
        id: bucket,
        bucket,
        region: aws.region,
        hosted_zone_id: HOSTED_ZONES.get(region) ?? '',
        ...bucketNames(aws, bucket, region),
        ...websiteNames(aws, bucket, region),
      };
    } catch (error) {
      if (!hasCode(error, ...NO_BUCKET)) throw error;
      throw new ProviderError(`reading S3 Bucket (${bucket}): couldn't find resource`);
    }
  },
});
