import type { ApplicationAutoScaling } from '@aws-sdk/client-application-auto-scaling';
import type { CloudWatchLogs } from '@aws-sdk/client-cloudwatch-logs';
import type { DynamoDB } from '@aws-sdk/client-dynamodb';
import type { EC2 } from '@aws-sdk/client-ec2';
import type { ECS } from '@aws-sdk/client-ecs';
import type { IAM } from '@aws-sdk/client-iam';
import type { Kafka } from '@aws-sdk/client-kafka';
import type { KMS } from '@aws-sdk/client-kms';
import type { Lambda } from '@aws-sdk/client-lambda';
import type { Route53 } from '@aws-sdk/client-route-53';
import type { S3 } from '@aws-sdk/client-s3';
import type { SecretsManager } from '@aws-sdk/client-secrets-manager';
import type { SNS } from '@aws-sdk/client-sns';
import type { SQS } from '@aws-sdk/client-sqs';
import type { SSM } from '@aws-sdk/client-ssm';
import type { STS } from '@aws-sdk/client-sts';

/** The clients of Amazon's services. Each is loaded and created on first use. */
export interface Services {
  readonly appautoscaling: ApplicationAutoScaling;
  readonly dynamodb: DynamoDB;
  readonly ec2: EC2;
  readonly ecs: ECS;
  readonly iam: IAM;
  readonly kafka: Kafka;
  readonly kms: KMS;
  readonly lambda: Lambda;
  readonly logs: CloudWatchLogs;
  readonly route53: Route53;
  readonly s3: S3;
  readonly secretsmanager: SecretsManager;
  readonly sns: SNS;
  readonly sqs: SQS;
  readonly ssm: SSM;
  readonly sts: STS;
}

/** The name of a service. */
export type ServiceName = keyof Services;

/** The library of a service, which creates its clients. */
export interface ServiceLibrary {
  readonly Client: new (options: object) => object;
}

/** The loader of each service's library, and the name of the service in errors. */
export const SERVICES: Readonly<
  Record<ServiceName, { readonly id: string; readonly load: () => Promise<ServiceLibrary> }>
> = {
  appautoscaling: {
    id: 'Application Auto Scaling',
    load: () => import('./libraries/aws-appautoscaling.ts'),
  },
  dynamodb: { id: 'DynamoDB', load: () => import('./libraries/aws-dynamodb.ts') },
  ec2: { id: 'EC2', load: () => import('./libraries/aws-ec2.ts') },
  ecs: { id: 'ECS', load: () => import('./libraries/aws-ecs.ts') },
  iam: { id: 'IAM', load: () => import('./libraries/aws-iam.ts') },
  kafka: { id: 'Kafka', load: () => import('./libraries/aws-kafka.ts') },
  kms: { id: 'KMS', load: () => import('./libraries/aws-kms.ts') },
  lambda: { id: 'Lambda', load: () => import('./libraries/aws-lambda.ts') },
  logs: { id: 'CloudWatch Logs', load: () => import('./libraries/aws-logs.ts') },
  route53: { id: 'Route 53', load: () => import('./libraries/aws-route53.ts') },
  s3: { id: 'S3', load: () => import('./libraries/aws-s3.ts') },
  secretsmanager: {
    id: 'Secrets Manager',
    load: () => import('./libraries/aws-secretsmanager.ts'),
  },
  sns: { id: 'SNS', load: () => import('./libraries/aws-sns.ts') },
  sqs: { id: 'SQS', load: () => import('./libraries/aws-sqs.ts') },
  ssm: { id: 'SSM', load: () => import('./libraries/aws-ssm.ts') },
  sts: { id: 'STS', load: () => import('./libraries/aws-sts.ts') },
};
