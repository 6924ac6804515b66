// All services whose resource types have consistency rules.
import { DYNAMODB } from './dynamodb.rules.ts';
import { EC2 } from './ec2.rules.ts';
import { ECS } from './ecs.rules.ts';
import { IAM } from './iam.rules.ts';
import { KAFKA } from './kafka.rules.ts';
import { KMS } from './kms.rules.ts';
import { LAMBDA } from './lambda.rules.ts';
import { APPAUTOSCALING, LOGS } from './operations.rules.ts';
import { ROUTE53 } from './route53.rules.ts';
import type { ServiceRules } from './rules.ts';
import { S3 } from './s3.rules.ts';
import { SECRETS_MANAGER } from './secretsmanager.rules.ts';
import { SNS } from './sns.rules.ts';
import { SQS } from './sqs.rules.ts';
import { SSM } from './ssm.rules.ts';
import { VPC } from './vpc.rules.ts';

export const SERVICES: readonly ServiceRules[] = [
  APPAUTOSCALING,
  DYNAMODB,
  EC2,
  ECS,
  IAM,
  KAFKA,
  KMS,
  LAMBDA,
  LOGS,
  ROUTE53,
  S3,
  SECRETS_MANAGER,
  SNS,
  SQS,
  SSM,
  VPC,
];
