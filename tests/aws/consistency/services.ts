// All services whose resource types have consistency rules.
import { DYNAMODB } from './dynamodb.rules.ts';
import { EC2 } from './ec2.rules.ts';
import { IAM } from './iam.rules.ts';
import { KAFKA } from './kafka.rules.ts';
import { LAMBDA } from './lambda.rules.ts';
import { ROUTE53 } from './route53.rules.ts';
import type { ServiceRules } from './rules.ts';
import { S3 } from './s3.rules.ts';
import { SECRETS_MANAGER } from './secretsmanager.rules.ts';
import { SNS } from './sns.rules.ts';
import { SQS } from './sqs.rules.ts';
import { SSM } from './ssm.rules.ts';
import { VPC } from './vpc.rules.ts';

export const SERVICES: readonly ServiceRules[] = [
  DYNAMODB,
  EC2,
  IAM,
  KAFKA,
  LAMBDA,
  ROUTE53,
  S3,
  SECRETS_MANAGER,
  SNS,
  SQS,
  SSM,
  VPC,
];
