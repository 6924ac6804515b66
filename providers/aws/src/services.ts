import { appautoscaling } from './appautoscaling/index.ts';
import { dynamodb } from './dynamodb/index.ts';
import { ec2 } from './ec2/index.ts';
import { ecs } from './ecs/index.ts';
import { iam } from './iam/index.ts';
import { kafka } from './kafka/index.ts';
import { kms } from './kms/index.ts';
import { lambda } from './lambda/index.ts';
import { logs } from './logs/index.ts';
import { meta } from './meta/index.ts';
import type { Service } from './resource/service.ts';
import { route53 } from './route53/index.ts';
import { s3 } from './s3/index.ts';
import { secretsmanager } from './secretsmanager/index.ts';
import { sns } from './sns/index.ts';
import { sqs } from './sqs/index.ts';
import { ssm } from './ssm/index.ts';
import { sts } from './sts/index.ts';

const SERVICES: readonly Service[] = [
  appautoscaling,
  dynamodb,
  ec2,
  ecs,
  iam,
  kafka,
  kms,
  lambda,
  logs,
  meta,
  route53,
  s3,
  secretsmanager,
  sns,
  sqs,
  ssm,
  sts,
];

/** All parts of the provider, by type name. */
export const OFFERS: Required<Service> = {
  resources: joined(({ resources }) => resources),
  dataSources: joined(({ dataSources }) => dataSources),
  ephemeralResources: joined(({ ephemeralResources = {} }) => ephemeralResources),
};

function joined<T>(
  part: (service: Service) => Readonly<Record<string, T>>,
): Readonly<Record<string, T>> {
  return Object.fromEntries(SERVICES.flatMap((service) => Object.entries(part(service))));
}
